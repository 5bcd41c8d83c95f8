import { gitCommands } from "./gitCommands.js";
import type { Read, ReadOnlyAnswer } from "./reads.js";
import { type Arguments, readArguments } from "./usage.js";

/** Returns what `git` with these arguments looks at, or why it may do more than look. */
export function gitReadOnly(args: readonly string[]): ReadOnlyAnswer {
  let at = 0;
  let folder: string | undefined;
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (/^(--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(arg)) continue;
    if (arg !== "-C" || folder !== undefined) break;
    folder = args[++at] ?? "";
  }
  const name = args[at] ?? "";
  if (name.startsWith("-")) return `Git's own flag ${name} is not known to be harmless.`;
  const known = gitCommands.get(name);
  if (known === undefined) return `git ${name} is not known to only read.`;
  const given = readArguments(known, args.slice(at + 1));
  if (typeof given === "string") return given;
  const problem = problemOf(name, given);
  if (problem !== undefined) return problem;
  const reads = [...given.reads, ...searched(name, given)].flatMap(pathsOf);
  const inFolder = reads.map((read) => ({ ...read, path: inside(folder, read.path) }));
  const looksInside = given.flags.has("--submodule");
  const compares = comparing.has(name) || looksInside;
  const how = compares ? "work tree" : "repository";
  return [
    ...inFolder,
    { path: folder ?? ".", how, looksInside, ...shown(name, given, args, folder) },
  ];
}

const patched = new Set(
  "log whatchanged show reflog diff diff-tree diff-index diff-files stash".split(" "),
);
const patches = "-p -u -c -L -U --patch --patch-with-stat --unified --cc --word-diff --color-words";
const summaries =
  "-s -q --no-patch --quiet --stat --shortstat --numstat --name-only --name-status --dirstat --summary --raw --compact-summary --check";

/** Returns whether a command prints what is in files, whichever these are. */
function showsContents(name: string, { flags, operands }: Arguments): boolean {
  const has = (names: string) => names.split(" ").some((flag) => flags.has(flag));
  if (name === "grep") return true;
  if (name === "cat-file") return flags.has("-p");
  if (!patched.has(name)) return false;
  if (has(patches)) return true;
  const byItself = name === "show" || name === "diff" || operands[0] === "show";
  return byItself && !has(summaries);
}

/**
 * Returns whether a command shows the contents of committed files and, where paths follow `--`, of
 * which ones.
 */
function shown(
  name: string,
  given: Arguments,
  args: readonly string[],
  folder: string | undefined,
): Pick<Read, "shows" | "within"> {
  const shows = showsContents(name, given);
  const dashes = args.indexOf("--");
  const paths = dashes < 0 ? [] : args.slice(dashes + 1);
  // A file's earlier name can be anything, and patterns of git's own are not read.
  const isPlain = !given.flags.has("--follow") && !paths.some((path) => /^:|[*?[\\]/.test(path));
  return paths.length > 0 && isPlain
    ? { shows, within: paths.map((path) => inside(folder, path)) }
    : { shows };
}

function problemOf(name: string, { flags, operands }: Arguments): string | undefined {
  const formats = [...(flags.get("--format") ?? []), ...(flags.get("--pretty") ?? [])];
  if (formats.some((format) => format.includes("%G"))) return "It would check signatures with gpg.";
  const [first = ""] = operands;
  const isOneOf = (...names: string[]) => operands.length === 0 || names.includes(first);
  switch (name) {
    case "branch":
    case "tag":
      return operands.length === 0 || flags.has("--list")
        ? undefined
        : `git ${name} would make ${first}.`;
    case "stash":
      if (flags.has("-u")) return "It would show files that were not committed.";
      return operands.length > 0 && isOneOf("list", "show")
        ? undefined
        : "It would put changes away.";
    case "worktree":
      return operands.length === 1 && first === "list" ? undefined : "It would change worktrees.";
    case "remote":
      return isOneOf("get-url") ? undefined : `git remote ${first} is not known to only read.`;
    case "reflog":
      return isOneOf("show", "HEAD") ? undefined : `git reflog ${first} is not known to only read.`;
    default:
      return undefined;
  }
}

/** Commands that look at the files as they are now, and into repositories that are among them. */
const comparing = new Set(
  "status diff diff-index diff-files describe ls-files grep blame stash".split(" "),
);

/**
 * Returns the paths behind the expression that `git grep` searches for, or behind the lines that
 * `-L` selects.
 */
function searched(name: string, { flags, operands }: Arguments): Read[] {
  const lines = name === "blame" ? [] : (flags.get("-L") ?? []);
  const files = lines.map((range): Read => ({ path: range.replace(/^[^]*:/, ""), how: "file" }));
  if (name !== "grep") return files;
  const paths = operands.slice(flags.has("-e") ? 0 : 1);
  if (!flags.has("--untracked")) return paths.map((path) => ({ path, how: "file" }));
  return (paths.length === 0 ? ["."] : paths).map((path) => ({ path, how: "tree" }));
}

/**
 * Returns the paths in an operand, which may be revisions, a path, or both, as in `HEAD~1..HEAD`
 * and `HEAD^:src/a.js`.
 */
function pathsOf({ path, how }: Read): Read[] {
  if (how === "tree") return [{ path, how }];
  return path
    .split(/:|(?<=[^/.])\.{2,3}(?=[^/.]|$)/)
    .map((part) => part.replace(/[~^][\d~^]*$/, ""))
    .filter((part) => part !== "")
    .map((part) => ({ path: part, how: "file" }));
}

function inside(folder: string | undefined, path: string): string {
  return folder === undefined || path.startsWith("/") ? path : `${folder}/${path}`;
}
