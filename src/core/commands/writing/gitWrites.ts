import { words } from "../../text/words.js";
import type { Word } from "../line/word.js";
import { type ProgramOperands, programOperands, valuesOf } from "./programOperands.js";
import type { WriteTargets } from "./writes.js";

/** Git's flags before its subcommand that take the next word. */
const valued = "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env";
const inside = words("What it writes is named inside of its input.");
const magic = words("Which files it writes is a pattern of git's own.");

/**
 * Returns the paths that git's words name for writing. The files that a commit or a merge brings
 * along do not count.
 */
export function gitWrites(args: readonly Word[]): WriteTargets {
  const at = commandAt(args);
  const before = programOperands(args.slice(0, at), valued);
  const folders = valuesOf(before, "-C");
  const targets = writesOf(args[at]?.text ?? "", args.slice(at + 1));
  if (before.flags.some(({ text }) => /^--(work-tree|git-dir)/.test(text))) {
    return {
      ...targets,
      unnamed: words("It works on another folder than the one that it runs in."),
    };
  }
  const place = (word: Word): Word =>
    [...folders].reverse().reduce((path, from) => joined(from, path), word);
  const { files = [], trees = [], perhaps = [], copies = [] } = targets;
  return {
    ...targets,
    files: files.map(place),
    trees: trees.map(place),
    perhaps: perhaps.map(place),
    copies: copies.map(({ from, to }) => ({ from: from.map(place), to: place(to) })),
  };
}

function commandAt(args: readonly Word[]): number {
  const takes = new Set(valued.split(" "));
  let at = 0;
  for (; at < args.length && (args[at]?.text ?? "").startsWith("-"); at++) {
    if (takes.has(args[at]?.text ?? "")) at++;
  }
  return at;
}

const outputs = "-o --output --output-directory";
/** The flags of git's subcommands that take the next word. */
const valuedOf: Readonly<Record<string, string>> = {
  checkout: "-b -B --orphan --conflict --pathspec-from-file",
  restore: "-s --source --conflict --pathspec-from-file",
  "checkout-index": "--prefix --stage",
  clone:
    "-b -o -u -c -j --branch --origin --upload-pack --config --jobs --depth --reference --template --separate-git-dir --filter",
  init: "-b --initial-branch --template --object-format --separate-git-dir",
  worktree: "-b -B --reason --orphan",
  config: "-f --file --blob --type --default",
};

function writesOf(name: string, args: readonly Word[]): WriteTargets {
  const given = programOperands(args, valuedOf[name] ?? outputs);
  const { operands, flags } = given;
  const has = (pattern: RegExp) => flags.some(({ text }) => pattern.test(text));
  switch (name) {
    case "diff":
    case "show":
    case "log":
    case "archive":
    case "format-patch":
    case "shortlog":
    case "whatchanged":
    case "range-diff":
      return { files: valuesOf(given, outputs) };
    case "stash":
      return /^(pop|apply|branch)$/.test(operands[0]?.text ?? "") ? { unnamed: inside } : {};
    case "bundle":
      return { files: operands.slice(1, 2) };
    case "rm":
    case "restore":
    case "checkout-index":
      return pathspecs(operands, flags);
    case "checkout":
      return checkoutWrites(args, given);
    case "mv": {
      const to = operands.at(-1);
      const from = operands.slice(0, -1);
      return to === undefined ? {} : { trees: from, copies: [{ from, to }] };
    }
    case "apply":
      return has(/^--(check|stat|numstat|summary)$/) ? {} : { unnamed: inside };
    case "am":
      return { unnamed: inside };
    case "clone":
      return cloneWrites(operands);
    case "init":
      return { files: [...operands, ...valuesOf(given, "--separate-git-dir")] };
    case "worktree":
      return operands[0]?.text === "add" ? { files: operands.slice(1, 2) } : {};
    case "config":
      return configWrites(given);
    default:
      return {};
  }
}

function checkoutWrites(args: readonly Word[], { operands, flags }: ProgramOperands): WriteTargets {
  // The first may be a branch, unless `--` says otherwise.
  const dashes = args.findIndex(({ text }) => text === "--");
  if (dashes >= 0) return pathspecs(args.slice(dashes + 1), flags);
  const [first, ...others] = operands;
  if (first === undefined || first.text.startsWith(":")) return pathspecs(operands, flags);
  const isRevision = /^[\w.-]+[~^][\d~^]*$/.test(first.text);
  return { perhaps: isRevision ? [] : [first], ...pathspecs(others, flags) };
}

/** Returns the folder that a clone makes: the one that is named, or the last part of the address. */
function cloneWrites([address, folder]: readonly Word[]): WriteTargets {
  if (folder !== undefined) return { files: [folder] };
  const [, last] = /(?<![^/:])([^/:]+?)(?:\.git)?\/?$/.exec(address?.text ?? "") ?? [];
  return last === undefined ? {} : { files: [{ kind: address?.kind ?? "unknown", text: last }] };
}

/** Returns the file that `git config` writes, unless it only reads. Settings can run programs. */
function configWrites(given: ProgramOperands): WriteTargets {
  const { operands, flags } = given;
  const has = (pattern: RegExp) => flags.some(({ text }) => pattern.test(text));
  const reads =
    has(/^(--get.*|-l|--list|--show-.*)$/) || /^(get|list)$/.test(operands[0]?.text ?? "");
  if (reads || (operands.length === 1 && flags.length === 0)) return {};
  const file = has(/^--(global|system)$/) ? "/etc/gitconfig" : ".git/config";
  return { files: [{ kind: "literal", text: file }, ...valuesOf(given, "-f --file")] };
}

/**
 * Returns the files that git's pathspecs name as plain paths. The files that fit a pattern are not
 * looked up.
 */
function pathspecs(paths: readonly Word[], flags: readonly Word[]): WriteTargets {
  const isPattern = ({ kind, text }: Word) => kind === "literal" && /^:|[*?[\\]/.test(text);
  const isListed = flags.some(({ text }) => text.startsWith("--pathspec-f"));
  const unnamed = isListed || paths.some(isPattern) ? { unnamed: magic } : {};
  return { trees: paths.filter((word) => !isPattern(word)), ...unnamed };
}

function joined(folder: Word, word: Word): Word {
  if (folder.kind !== "literal" || word.text.startsWith("/"))
    return folder.kind === "literal" ? word : folder;
  return { ...word, text: `${folder.text}/${word.text}` };
}
