import type { Word } from "./word.js";

/** The programs and scripts that a command runs besides itself, as far as its words show them. */
export interface Wrapped {
  /** Other commands, each by its words. */
  readonly commands: readonly (readonly Word[])[];
  /** Scripts for a shell. */
  readonly scripts: readonly string[];
  /** Whether the command runs nothing else and changes nothing for what it runs. */
  readonly transparent: boolean;
  /** Whether some of what the command runs cannot be seen. */
  readonly opaque: boolean;
}

interface OwnFlags {
  /** The flags that take the next word, or the rest of their own. */
  readonly valued?: string;
  /** The flags that take no value. */
  readonly plain?: string;
}

/**
 * The flags of programs that run the rest of their words. With any other flag it is unknown where
 * the words of the inner command begin.
 */
const options: Readonly<Record<string, OwnFlags>> = {
  env: {
    valued: "-u --unset -C --chdir",
    plain: "-i - -0 -v --ignore-environment --null --debug",
  },
  sudo: {
    valued:
      "-u -g -h -p -C -D -R -r -t -T -U --user --group --host --prompt --chdir --close-from --role --type",
    plain: "-A -b -E -e -H -i -K -k -l -n -P -S -s -V -v --login --shell --non-interactive --stdin",
  },
  doas: { valued: "-u -C", plain: "-n -s -L" },
  nice: { valued: "-n --adjustment", plain: "-#" },
  ionice: { valued: "-c -n -p --class --classdata", plain: "-t" },
  nohup: {},
  setsid: { plain: "-c -f -w --ctty --fork --wait" },
  stdbuf: { valued: "-i -o -e --input --output --error" },
  timeout: {
    valued: "-k -s --kill-after --signal",
    plain: "-v -p -f --verbose --foreground --preserve-status",
  },
  gtimeout: { valued: "-k -s --kill-after --signal", plain: "-v --foreground --preserve-status" },
  time: { valued: "-f -o --format --output", plain: "-p -v -a --portability --verbose --append" },
  command: { plain: "-p" },
  builtin: {},
  coproc: {},
  // Words of zsh in front of a command.
  noglob: {},
  nocorrect: {},
  "-": {},
  exec: { valued: "-a", plain: "-c -l" },
  busybox: {},
  toybox: {},
  chroot: { valued: "--userspec --groups" },
  unbuffer: { plain: "-p" },
  caffeinate: { valued: "-t -w", plain: "-d -i -m -s -u" },
  flock: { valued: "-w --wait --timeout -E", plain: "-s -x -e -u -n -o -F --nonblock --close" },
  strace: { valued: "-e -o -p -s -u -E -P -a", plain: "-f -c -C -q -t -T -v -y -r -i" },
  xargs: {
    valued:
      "-I -n -P -L -d -E -s -a -J -R --max-args --max-procs --max-lines --delimiter --arg-file --max-chars --process-slot-var",
    plain: "-0 -r -t -p -x -o --null --no-run-if-empty --verbose --interactive --exit --open-tty",
  },
  watch: { valued: "-n --interval", plain: "-b -c -d -e -g -t -x --no-title --color --exec" },
  npx: { valued: "-p --package", plain: "-y -q --yes --no --quiet --no-install" },
  bunx: { plain: "--bun" },
  pnpx: {},
  entr: { plain: "-a -c -d -n -p -r -s -z" },
  chronic: { plain: "-e -v" },
};
/** The number of a program's own words, such as a duration, before those of the command that it runs. */
const leading: Readonly<Record<string, number>> = { timeout: 1, gtimeout: 1, chroot: 1, flock: 1 };
/** Programs that add words of their own to the command that they run. */
const adds = new Set(["xargs"]);
/** Programs whose words become commands of unknown number or content. */
const hiding = new Set(["parallel", "rush", "entr", "expect", "screen", "tmux"]);

const shells = /^(?:ba|da|z|k|mk|a|fi|c|tc)?sh$/;
const packageRunners = /^(?:(?:npm|pnpm|yarn) (?:exec|x)|(?:pnpm|yarn) dlx|bun x)$/;
const unknown: Word = { kind: "unknown", text: "…" };

/**
 * Returns what a command runs besides itself.
 *
 * @param words with a literal name first
 */
export function unwrap(words: readonly Word[]): Wrapped {
  const name = programName(words[0]);
  const rest = words.slice(1);
  if (isShell(name) || name === "su" || name === "script") return scriptIn(name, rest);
  if (name === "eval") return asScript(rest);
  if (name === "watch") return asScript(behindOptions(name, rest).inner);
  if (name === "trap") return asScript(rest.slice(0, 1));
  if (name === "alias") return asScript(rest.map(aliased));
  if (/^(hash|enable|bind|complete)$/.test(name)) return { ...nothing, opaque: rest.length > 0 };
  if (hiding.has(name)) return { ...nothing, opaque: true };
  if (name === "find" || name === "fd" || name === "fdfind") return executed(rest);
  if (name === "git") return gitRuns(rest);
  if (packageRunners.test(`${name} ${rest[0]?.text ?? ""}`)) {
    return { ...nothing, commands: [behindOptions("npx", rest.slice(1)).inner] };
  }
  if (!Object.hasOwn(options, name)) return nothing;
  if (name === "command" && /^-[vV]/.test(rest[0]?.text ?? "")) return nothing;
  if (rest.length === 1 && /^--(version|help)$/.test(rest[0]?.text ?? "")) return nothing;
  const { inner, isKnown } = behindOptions(name, rest);
  const given = rest.slice(0, rest.length - inner.length);
  const opaque = !isKnown || given.some(({ kind }) => kind !== "literal");
  if (inner.length === 0) return { ...nothing, opaque: opaque || name === "xargs" };
  return {
    ...nothing,
    commands: [adds.has(name) ? [...replaced(inner, given), unknown] : inner],
    // A wrapper with the plainest words of its own does nothing but run the inner command.
    transparent: isTransparent(name, given),
    opaque,
  };
}

const nothing: Wrapped = { commands: [], scripts: [], transparent: false, opaque: false };

/** Returns what an alias stands for. */
function aliased(word: Word): Word {
  return { ...word, text: word.text.replace(/^[^=]*=?/, "") };
}

/** Makes each word unknown that has the X of `-I X` in it: it is known only when the command runs. */
function replaced(inner: readonly Word[], given: readonly Word[]): readonly Word[] {
  const marks = given.flatMap(({ text }, at) => {
    const [, attached] = /^-[a-zA-Z0-9]*[IJi](.+)/s.exec(text) ?? [];
    return attached ?? (/^-[a-zA-Z0-9]*[IJ]$/.test(text) ? (given[at + 1]?.text ?? []) : []);
  });
  return inner.map((word) => (marks.some((mark) => word.text.includes(mark)) ? unknown : word));
}

/**
 * Returns a program's name in lower case, as some systems find commands without regard to case, and
 * without a folder, zsh's `=` for one, or an extension of Windows.
 */
export function programName(word: Word | undefined): string {
  if (word === undefined || word.kind === "unknown") return "";
  const name = word.text.replace(/^=|^.*[/\\]/, "").toLowerCase();
  return name.replace(/(?<=.)\.(exe|com|cmd|bat)$/, "");
}

function isTransparent(name: string, given: readonly Word[]): boolean {
  const text = given.map((word) => word.text).join(" ");
  if (name === "timeout") return /^\d+(\.\d+)?[smhd]?$/.test(text);
  return name === "nice" ? /^(-n \d+)?$/.test(text) : name === "command" && text === "";
}

/** Returns whether a program of this name runs scripts for a shell. */
export function isShell(name: string): boolean {
  return shells.test(name);
}

interface BehindOptions {
  /** The words of the inner command. */
  readonly inner: readonly Word[];
  /** Whether all flags before these are known, so that the inner command begins where it seems to. */
  readonly isKnown: boolean;
}

function behindOptions(name: string, words: readonly Word[]): BehindOptions {
  const valued = new Set((options[name]?.valued ?? "").split(" "));
  const plain = new Set((options[name]?.plain ?? "").split(" "));
  let isKnown = true;
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    const isAssignment = name === "env" || name === "sudo" ? /^\w+=/.test(text) : false;
    if (text === "--") {
      at++;
      break;
    }
    if (!isAssignment && !/^-./.test(text) && !(text === "-" && plain.has("-"))) break;
    if (isAssignment || plain.has(text)) continue;
    if (valued.has(text)) at++;
    else isKnown &&= isKnownFlag(text, valued, plain);
  }
  return { inner: words.slice(at + (leading[name] ?? 0)), isKnown };
}

/**
 * Returns whether a word is a known flag with its value in the same word, or several letters in
 * one.
 */
function isKnownFlag(
  text: string,
  valued: ReadonlySet<string>,
  plain: ReadonlySet<string>,
): boolean {
  if (text.startsWith("--")) return text.includes("=") && valued.has(text.replace(/=.*/s, ""));
  if (/^-\d+$/.test(text)) return plain.has("-#");
  for (let letter = 1; letter < text.length; letter++) {
    const flag = `-${text.charAt(letter)}`;
    // The last letter would take the next word, which is not looked for here.
    if (valued.has(flag)) return letter < text.length - 1;
    if (!plain.has(flag)) return false;
  }
  return true;
}

/** Matches a shell's own flags, which may stand before the file that it runs. */
const shellFlags =
  /^[-+]([abefhiklmnprstuvxBCDEHPT]+|[a-zA-Z]*[oO])$|^--(posix|login|norc|noprofile|noediting|verbose|debugger|restricted)$/;

/** Returns the script of `sh -c SCRIPT`, with whatever letters are in one word with the `c`. */
function scriptIn(name: string, words: readonly Word[]): Wrapped {
  const flag = words.findIndex(({ text }) => /^-[A-Zabd-z]*c[A-Za-z]*$|^--command$/.test(text));
  const attached = words.some(({ text }) => text.startsWith("--command="));
  if (attached) return asScript([unknown]);
  if (flag < 0) {
    return {
      ...nothing,
      opaque: isShell(name) ? shellScript(words) === undefined : words.length === 0,
    };
  }
  // Flags may stand between the `-c` and its script.
  const script = words.slice(flag + 1).find(({ text }, at, behind) => {
    return !/^[-+]./.test(text) && !/^[-+][a-zA-Z]*[oO]$/.test(behind[at - 1]?.text ?? "");
  });
  return asScript([script?.kind === "literal" ? script : unknown]);
}

/**
 * Returns the file that a shell runs; `undefined` where it reads its input or the file cannot be
 * determined.
 */
function shellScript(words: readonly Word[]): Word | undefined {
  for (let at = 0; at < words.length; at++) {
    const { kind = "unknown", text = "" } = words[at] ?? {};
    if (text === "--") return words[at + 1];
    if (kind !== "literal") return undefined;
    if (!/^[-+]./.test(text)) return text === "-" ? undefined : words[at];
    if (!shellFlags.test(text) || /^[-+][a-zA-Z]*[sc]/.test(text)) return undefined;
    if (/[oO]$/.test(text)) at++;
  }
  return undefined;
}

function asScript(words: readonly Word[]): Wrapped {
  const known = words.every(({ kind }) => kind === "literal");
  const text = words.map((word) => word.text).join(" ");
  return {
    commands: [],
    scripts: known && text !== "" ? [text] : [],
    transparent: false,
    opaque: !known,
  };
}

/** Returns what `find -exec` and `fd -x` run. */
function executed(words: readonly Word[]): Wrapped {
  const commands: Word[][] = [];
  for (let at = 0; at < words.length; at++) {
    if (!/^(-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(words[at]?.text ?? ""))
      continue;
    const command: Word[] = [];
    for (at++; at < words.length && !/^[;+]$/.test(words[at]?.text ?? ""); at++) {
      const word = words[at] ?? unknown;
      command.push(word.text.includes("{}") ? unknown : word);
    }
    if (command.length > 0) commands.push(command);
  }
  return { ...nothing, commands };
}

function gitRuns(words: readonly Word[]): Wrapped {
  const texts = words.map(({ text }) => text);
  const foreach = texts.indexOf("foreach");
  const bisect = texts.indexOf("bisect") + 1;
  if (texts.includes("submodule") && foreach >= 0) {
    return asScript(words.slice(foreach + 1).filter(({ text }) => text !== "--recursive"));
  }
  if (bisect > 0 && texts[bisect] === "run")
    return { ...nothing, commands: [words.slice(bisect + 1)] };
  const exec = texts.findIndex((text) => /^(-x|--exec)$/.test(text));
  if (texts.includes("rebase") && exec >= 0) return asScript(words.slice(exec + 1, exec + 2));
  return { ...nothing, opaque: isConfigured(words) };
}

/** Settings that are often given to one git command and make it run nothing else. */
const plainSettings =
  /^(?:user\.(?:name|email)|author\..*|committer\..*|init\.defaultbranch|core\.(?:quotepath|autocrlf|eol|filemode|safecrlf|longpaths)|color\..*|advice\..*|column\..*|commit\.gpgsign|tag\.gpgsign|push\.default|pull\.rebase|diff\.(?:renames|algorithm|context)|http\.(?:postbuffer|version)|safe\.bareRepository)=/i;

/**
 * Returns whether git is given settings with which it may run any program, before the name of its
 * subcommand.
 */
function isConfigured(words: readonly Word[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const { kind = "unknown", text = "" } = words[at] ?? {};
    if (!text.startsWith("-")) return kind !== "literal";
    if (/^--(?:config-env|exec-path=)/.test(text)) return true;
    if (text === "-c" && !plainSettings.test(words[++at]?.text ?? "")) return true;
    if (text === "-C") at++;
  }
  return false;
}
