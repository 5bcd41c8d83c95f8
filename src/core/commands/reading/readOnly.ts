import { isWords, words } from "../../text/words.js";
import { gitReadOnly } from "./gitReadOnly.js";
import { readOnlyPrograms } from "./readOnlyPrograms.js";
import { grepReadOnly, ripgrepReadOnly } from "./searchPrograms.js";
import { sedReadOnly } from "./sedReadOnly.js";
import { smallPrograms } from "./smallPrograms.js";
import { readArguments, type ReadOnlyAnswer } from "./usage.js";

const others: ReadonlyMap<string, (args: readonly string[]) => ReadOnlyAnswer> = new Map([
  ...smallPrograms,
  ["find", findReadOnly],
  ["git", gitReadOnly],
  ["grep", grepReadOnly],
  ["egrep", grepReadOnly],
  ["fgrep", grepReadOnly],
  ["rg", ripgrepReadOnly],
  ["sed", sedReadOnly],
]);

/**
 * Returns what a program with these arguments looks at, or why it may do more. Names are compared
 * as they are: a path as a name is a program that the workspace may have brought along.
 */
export function readOnly(argv: readonly string[]): ReadOnlyAnswer {
  const [name = "", ...args] = argv;
  if (isVersionQuery(name, args)) return [];
  const special = others.get(name);
  if (special !== undefined) return special(args);
  const plain = readOnlyPrograms.get(name);
  if (plain === undefined) return words("{name} may change things.", { name });
  const given = readArguments(plain, args);
  return isWords(given) ? given : given.reads;
}

/**
 * Expressions without an argument. Left out are -delete, -exec, -ok, -fls and -fprint, which write
 * or run programs.
 */
const alone = new Set(
  "( ) ! , -not -a -and -o -or -print -print0 -ls -prune -quit -empty -true -false -depth -d -xdev -mount -follow -daystart -readable -writable -executable -nouser -nogroup -noleaf -warn -nowarn -ignore_readdir_race".split(
    " ",
  ),
);
const withText = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newermt -perm -user -group -uid -gid -links -inum -maxdepth -mindepth -printf -fstype -used".split(
    " ",
  ),
);
const withPath = new Set(["-newer", "-anewer", "-cnewer", "-samefile"]);

/** Returns what `find` looks at, which is names only, or why it may do more. */
function findReadOnly(args: readonly string[]): ReadOnlyAnswer {
  const paths: string[] = [];
  let at = 0;
  while (/^-[HLP]+$/.test(args[at] ?? "")) at++;
  while (at < args.length && !/^[-(!,)]/.test(args[at] ?? "")) paths.push(args[at++] ?? "");
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (alone.has(arg)) continue;
    const value = args[at + 1];
    if (withText.has(arg) && value !== undefined) at++;
    else if (withPath.has(arg) && value !== undefined) {
      paths.push(value);
      at++;
    } else
      return words("{program}'s {argument} may change things.", { program: "find", argument: arg });
  }
  return (paths.length === 0 ? ["."] : paths).map((path) => ({ path, how: "name" }));
}

/**
 * Programs that look at nothing in the folder when they are asked for their version. Left out are
 * those that find out from the project's files which version to be, and run or fetch that: cargo,
 * go, yarn, pnpm, mvn, gradle, dotnet.
 */
const programs = new Set(
  "node npm npx python python3 pip pip3 ruby gem perl java javac gcc g++ cc clang make cmake git docker tsc deno bun bash zsh curl wget rg jq sqlite3 psql ffmpeg".split(
    " ",
  ),
);

function isVersionQuery(name: string, args: readonly string[]): boolean {
  if (args.length !== 1 || !programs.has(name)) return false;
  return (
    args[0] === "--version" ||
    (args[0] === "-v" && /^(node|npm|npx|tsc)$/.test(name)) ||
    (args[0] === "-version" && /^javac?$/.test(name))
  );
}
