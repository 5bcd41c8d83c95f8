import { isWords, type Words, words } from "../../text/words.js";
import {
  type Arguments,
  type Read,
  readArguments,
  type ReadOnlyAnswer,
  type Usage,
  usage,
} from "./usage.js";

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
  if (name.startsWith("-"))
    return words("Git's own flag {flag} is not known to be harmless.", { flag: name });
  const known = gitCommands.get(name);
  if (known === undefined) return mayChange(name);
  const given = readArguments(known, args.slice(at + 1));
  if (isWords(given)) return given;
  const problem = problemOf(name, given);
  if (problem !== undefined) return problem;
  const reads = [...given.reads, ...searched(name, given)].flatMap(pathsOf);
  const inFolder = reads.map((read) => ({ ...read, path: inside(folder, read.path) }));
  const looksInside = given.flags.has("--submodule");
  const compares = comparing.has(name) || looksInside;
  const how = compares ? "work tree" : "repository";
  return [
    ...inFolder,
    {
      path: folder ?? ".",
      how,
      looksInside,
      showsAddresses: name === "remote" && (given.operands.length > 0 || given.flags.size > 0),
      ...shown(name, given, args, folder),
    },
  ];
}

const patched = new Set(
  "log whatchanged show reflog diff diff-tree diff-index diff-files stash".split(" "),
);
const patches =
  "-p -u -c -L -U --patch --patch-with-stat --unified --cc --word-diff --color-words --check";
const summaries =
  "-s -q --no-patch --quiet --stat --shortstat --numstat --name-only --name-status --dirstat --summary --raw --compact-summary";

/** Returns whether a command prints what is in files, whichever these are. */
function showsContents(name: string, { flags, operands }: Arguments): boolean {
  const has = (names: string) => names.split(" ").some((flag) => flags.has(flag));
  if (name === "grep") return true;
  if (name === "cat-file") return !has("-t -s -e");
  // It then shows what `git diff --cached` does, and twice given, what `git diff` does.
  if (name === "status") return has("-v");
  if (!patched.has(name)) return false;
  // A file of a commit that is named with its path is judged by that.
  if (name === "show" && operands.length > 0 && operands.every(isFileOfCommit)) return false;
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
): Pick<Read, "shows" | "within" | "past" | "objects"> {
  const shows = showsContents(name, given);
  const dashes = args.indexOf("--");
  const paths = dashes < 0 ? [] : args.slice(dashes + 1);
  const operands = given.operands.slice(0, given.operands.length - paths.length);
  const past = shows && showsPast(name, operands, given);
  // A blob that is named is shown, whatever else is to be left out.
  const objects = past || name === "show" ? operands.flatMap(objectsIn) : [];
  const more = { shows, past, objects };
  // A file's earlier name can be anything, and patterns of git's own are not read.
  const isPlain = !given.flags.has("--follow") && !paths.some((path) => /^:|[*?[\\]/.test(path));
  return paths.length > 0 && isPlain
    ? { ...more, within: paths.map((path) => inside(folder, path)) }
    : more;
}

/** Returns whether a command that shows the contents of files may show those of commits, and not only of the index. */
function showsPast(name: string, operands: readonly string[], { flags }: Arguments): boolean {
  switch (name) {
    case "diff-files":
      return false;
    case "diff":
      // What is staged is compared with the last commit.
      return operands.length > 0 || flags.has("--cached") || flags.has("--staged");
    case "grep":
      return operands.length > (flags.has("-e") ? 0 : 1);
    default:
      return true;
  }
}

/** Returns whether an operand is a commit with a path in it, as in `HEAD~1:src/a.js`; `HEAD^{/a:b}` searches for a message. */
function isFileOfCommit(operand: string): boolean {
  return /^[^:{]+:[^:]/.test(operand);
}

/**
 * Returns the names in an operand that may stand for what no branch leads to: hashes, and what git calls `FETCH_HEAD` and the
 * like. A file's path behind a colon is judged by itself.
 */
function objectsIn(operand: string): string[] {
  if (isFileOfCommit(operand)) return [];
  return operand
    .split(/\.{2,3}/)
    .map((part) => part.replace(/^\^+/, "").split(/[~^@]/, 1)[0] ?? "")
    .flatMap((part) => {
      const [, hash] = /^(?:.*-g)?([0-9a-f]{4,64})$/i.exec(part) ?? [];
      const isOther = /^[A-Z_]+_HEAD$/.test(part) && part !== "ORIG_HEAD";
      return hash !== undefined ? [hash.toLowerCase()] : isOther ? [part] : [];
    });
}

function mayChange(command: string): Words {
  return words("{name} may change things.", { name: `git ${command}` });
}

function problemOf(name: string, { flags, operands }: Arguments): Words | undefined {
  const formats = ["--format", "--pretty", "--sort"].flatMap((flag) => flags.get(flag) ?? []);
  if (formats.some((format) => /%G|signature/i.test(format))) {
    return words("It would check signatures with gpg.");
  }
  const [first = ""] = operands;
  const isOneOf = (...names: string[]) => operands.length === 0 || names.includes(first);
  switch (name) {
    case "branch":
    case "tag":
      return operands.length === 0 || flags.has("--list")
        ? undefined
        : words("{command} would make {name}.", { command: `git ${name}`, name: first });
    case "stash":
      if (flags.has("-u")) return words("It would show files that were not committed.");
      return operands.length > 0 && isOneOf("list", "show")
        ? undefined
        : words("It would put changes away.");
    case "worktree":
      return operands.length === 1 && first === "list"
        ? undefined
        : words("It would change worktrees.");
    case "remote":
      return isOneOf("get-url") ? undefined : mayChange(`remote ${first}`);
    case "reflog":
      return isOneOf("show", "HEAD") ? undefined : mayChange(`reflog ${first}`);
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
    .map((part) => part.replace(/(?<![\d~^])(\d*)[~^][\d~^]*$/, "$1"))
    .filter((part) => part !== "")
    .map((part) => ({ path: part, how: "file" }));
}

function inside(folder: string | undefined, path: string): string {
  return folder === undefined || path.startsWith("/") ? path : `${folder}/${path}`;
}

/** Flags that choose commits; none of them names a file that is written or run. */
const choosing =
  "-# -n:number -i -E -F -P -S:text -G:text -L:text --all --max-count:number --skip:number --author:text --committer:text --grep:text --since:text --until:text --after:text --before:text --first-parent --merges --no-merges --reverse --follow --branches? --tags? --remotes? --glob? --exclude? --topo-order --date-order --author-date-order --left-right --left-only --right-only --cherry-pick --cherry-mark --boundary --simplify-merges --full-history --ancestry-path? --regexp-ignore-case --all-match --invert-grep --pickaxe-regex --pickaxe-all --no-walk --reflog --walk-reflogs -g";
/**
 * Flags for how commits are printed. Left out are --output, --ext-diff, --textconv, and
 * --show-signature, which runs gpg.
 */
const printing =
  "-p -u -s -z -w -b -a -c -m -R -W -D -M? -C? -B? -U:number --oneline --graph --decorate? --no-decorate --pretty? --format? --abbrev? --abbrev-commit --no-abbrev-commit --patch --no-patch --patch-with-stat --stat? --shortstat --numstat --name-only --name-status --dirstat? --summary --raw --compact-summary --unified? --find-renames? --find-copies? --no-renames --diff-filter:text --word-diff? --color? --no-color --color-words? --color-moved? --relative? --text --check --minimal --patience --histogram --diff-algorithm? --full-index --no-ext-diff --no-textconv --no-prefix --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-submodules? --submodule? --inter-hunk-context:number --function-context --cc --source --parents --children --no-notes --date? --relative-date --exit-code --quiet -q --cached --staged --merge-base --encoding?";
const listing =
  "--sort:text --format:text --contains:text --no-contains:text --merged:text --no-merged:text --points-at:text --column? --color? --no-color --ignore-case -i";

const log = usage(`${choosing} ${printing}`, "name");
const diff = usage(printing, "name");

/** Returns whether git has a command of this name that only reads, with some arguments. */
export function readsOnly(name: string): boolean {
  return gitCommands.has(name);
}

/** Git's commands that only read. Operands are revisions as well as paths. */
const gitCommands: ReadonlyMap<string, Usage> = new Map(
  Object.entries({
    log,
    whatchanged: log,
    show: log,
    reflog: log,
    diff,
    "diff-tree": usage(`${printing} -r -t --root --no-commit-id`, "name"),
    "diff-index": diff,
    "diff-files": diff,
    "rev-list": usage(`${choosing} --count --objects --parents --abbrev-commit --oneline`, "name"),
    shortlog: usage(
      "-sne --numbered --summary --email --all --no-merges --since:text --until:text",
      "name",
    ),
    status: usage(
      "-sbvz -u? --short --branch --porcelain? --long --ignored? --untracked-files? --show-stash --ahead-behind --renames --no-renames --ignore-submodules?",
      "name",
    ),
    blame: usage(
      "-wesltpfnbc -L:text -M? -C? --porcelain --line-porcelain --since:text --date:text --abbrev? --show-name --show-number --show-email --root",
      "file",
    ),
    grep: usage(
      "-nilLcwEFGPvhHozpWI -e:text -A:number -B:number -C:number -# --name-only --files-with-matches --files-without-match --count --line-number --column --ignore-case --word-regexp --extended-regexp --fixed-strings --perl-regexp --only-matching --invert-match --untracked --cached --heading --break --color? --no-color --and --or --not --all-match --max-depth:number --function-context --show-function -q --quiet",
      "text",
    ),
    "rev-parse": usage(
      "--show-toplevel --abbrev-ref? --short? --verify -q --quiet --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-bare-repository --is-inside-git-dir --show-prefix --show-cdup --symbolic --symbolic-full-name --all --branches --tags --remotes",
      "name",
    ),
    "ls-files": usage(
      "-cdmoiuskvtz --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --exclude:text -x:text --eol --deduplicate",
      "name",
    ),
    "ls-tree": usage(
      "-drtlz --name-only --name-status --full-name --full-tree --abbrev? --long",
      "name",
    ),
    "cat-file": usage("-tpse", "name"),
    describe: usage(
      "--tags --always --dirty? --long --abbrev? --all --exact-match --first-parent --match:text --contains",
      "name",
    ),
    "merge-base": usage("--is-ancestor --all --octopus --fork-point --independent", "name"),
    "name-rev": usage("--name-only --tags --refs:text --always", "name"),
    "for-each-ref": usage(`${listing} --count:number --omit-empty`, "text"),
    "show-ref": usage(
      "-sdq --head --heads --tags --verify --hash? --abbrev? --dereference --quiet",
      "text",
    ),
    "show-branch": usage("-a --all --current --list", "name"),
    "check-ignore": usage("-qvnz --quiet --verbose --non-matching --no-index", "name"),
    "count-objects": usage("-vH --verbose --human-readable", "none"),
    cherry: usage("-v --abbrev?", "name"),
    version: usage("--build-options", "none"),
    // With an operand that is not a pattern, these commands create something.
    branch: usage(`-avrl --all --remotes --list --verbose --show-current ${listing}`, "text"),
    tag: usage(`-l -n? --list ${listing}`, "text"),
    stash: usage(printing, "text"),
    worktree: usage("-v --porcelain", "text"),
    remote: usage("-v --verbose --all --push", "text"),
  }),
);
