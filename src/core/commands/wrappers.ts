import type { Word } from "./word.js";

/** What a command runs besides itself, as far as its words show it. */
export interface Wrapped {
  /** Other commands, each by its words. */
  readonly commands: readonly (readonly Word[])[];
  /** Scripts for a shell. */
  readonly scripts: readonly string[];
  /** It runs nothing else and changes nothing for what it runs. */
  readonly transparent: boolean;
  /** What it runs cannot be seen whole. */
  readonly opaque: boolean;
}

/** Options that take the next word, by the names of programs that run the rest of their words. */
const options: Readonly<Record<string, string>> = {
  env: "-u --unset -C --chdir",
  sudo: "-u -g -h -p -C -D -R -r -t -T -U --user --group --host --prompt --chdir",
  doas: "-u -C",
  nice: "-n --adjustment",
  ionice: "-c -n -p --class --classdata",
  nohup: "",
  setsid: "",
  stdbuf: "-i -o -e --input --output --error",
  timeout: "-k -s --kill-after --signal",
  gtimeout: "-k -s --kill-after --signal",
  time: "-f -o --format --output",
  command: "",
  builtin: "",
  exec: "-a",
  busybox: "",
  toybox: "",
  chroot: "--userspec --groups",
  unbuffer: "",
  caffeinate: "-t -w",
  flock: "-w --wait --timeout -E",
  strace: "-e -o -p -s -u",
  xargs:
    "-I -n -P -L -d -E -s -a --max-args --max-procs --max-lines --replace --delimiter --arg-file --max-chars",
  parallel: "-j --jobs -S --sshlogin -a --arg-file -N -n --colsep --delay --timeout --joblog",
  watch: "-n --interval",
  npx: "-p --package",
  bunx: "",
  pnpx: "",
  entr: "",
  chronic: "",
};
/** Words of its own, as a duration, before those that it runs. */
const leading: Readonly<Record<string, number>> = { timeout: 1, gtimeout: 1, chroot: 1, flock: 1 };
/** It gives words of its own to what it runs. */
const adds = new Set(["xargs", "parallel"]);

const shells = /^(?:ba|da|z|k|mk|a|fi)?sh$/;
const packageRunners = /^(?:(?:npm|pnpm|yarn) (?:exec|x)|(?:pnpm|yarn) dlx|bun x)$/;
const unknown: Word = { kind: "unknown", text: "…" };

/** @param words with a literal name first */
export function unwrap(words: readonly Word[]): Wrapped {
  const name = programName(words[0]);
  const rest = words.slice(1);
  const nothing: Wrapped = { commands: [], scripts: [], transparent: false, opaque: false };
  if (shells.test(name) || name === "su" || name === "script") return scriptIn(rest);
  if (name === "eval") return asScript(rest);
  if (name === "watch") return asScript(behindOptions(name, rest));
  if (name === "trap") return asScript(rest.slice(0, 1));
  if (name === "find" || name === "fd" || name === "fdfind") return executed(rest);
  if (name === "git") return gitRuns(rest);
  if (packageRunners.test(`${name} ${rest[0]?.text ?? ""}`)) {
    return { ...nothing, commands: [behindOptions("npx", rest.slice(1))] };
  }
  if (!Object.hasOwn(options, name)) return nothing;
  if (name === "command" && /^-[vV]/.test(rest[0]?.text ?? "")) return nothing;
  const inner = behindOptions(name, rest);
  const given = rest.slice(0, rest.length - inner.length);
  if (inner.length === 0) return { ...nothing, opaque: name === "xargs" };
  return {
    ...nothing,
    commands: [adds.has(name) ? [...inner, unknown] : inner],
    // Where its own words are as plain as can be, it runs what it runs, and that is all.
    transparent: isTransparent(name, given),
    opaque: given.some(({ kind, text }) => kind !== "literal" || /^(-S|--split-string)/.test(text)),
  };
}

/** As it is called, without a folder; commands are found without regard to case on some systems. */
export function programName(word: Word | undefined): string {
  if (word === undefined || word.kind === "unknown") return "";
  return word.text.replace(/^.*\//, "").toLowerCase();
}

function isTransparent(name: string, given: readonly Word[]): boolean {
  const text = given.map((word) => word.text).join(" ");
  if (name === "timeout") return /^\d+(\.\d+)?[smhd]?$/.test(text);
  return name === "nice" ? /^(-n \d+)?$/.test(text) : name === "command" && text === "";
}

function behindOptions(name: string, words: readonly Word[]): readonly Word[] {
  const valued = new Set((options[name] ?? "").split(" "));
  let at = 0;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    const isAssignment = name === "env" || name === "sudo" ? /^\w+=/.test(text) : false;
    if (text === "--") {
      at++;
      break;
    }
    if (!isAssignment && !/^-./.test(text)) break;
    if (valued.has(text)) at++;
  }
  return words.slice(at + (leading[name] ?? 0));
}

/** `sh -c SCRIPT`, with whatever letters are in one word with the `c`. */
function scriptIn(words: readonly Word[]): Wrapped {
  const flag = words.findIndex(({ text }) => /^-[A-Za-z]*c$|^--command$/.test(text));
  const script = flag < 0 ? undefined : words[flag + 1];
  const attached = words.find(({ text }) => text.startsWith("--command="));
  if (attached !== undefined || (flag >= 0 && script?.kind !== "literal"))
    return asScript([unknown]);
  if (script === undefined)
    return { commands: [], scripts: [], transparent: false, opaque: words.length === 0 };
  return asScript([script]);
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

/** What `find -exec` and `fd -x` run. */
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
  return { commands, scripts: [], transparent: false, opaque: false };
}

function gitRuns(words: readonly Word[]): Wrapped {
  const texts = words.map(({ text }) => text);
  const foreach = texts.indexOf("foreach");
  const bisect = texts.indexOf("bisect") + 1;
  const nothing: Wrapped = { commands: [], scripts: [], transparent: false, opaque: false };
  if (texts.includes("submodule") && foreach >= 0) {
    return asScript(words.slice(foreach + 1).filter(({ text }) => text !== "--recursive"));
  }
  if (bisect > 0 && texts[bisect] === "run")
    return { ...nothing, commands: [words.slice(bisect + 1)] };
  const exec = texts.findIndex((text) => /^(-x|--exec)$/.test(text));
  if (texts.includes("rebase") && exec >= 0) return asScript(words.slice(exec + 1, exec + 2));
  return nothing;
}
