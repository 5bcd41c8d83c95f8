import type { ReadOnlyAnswer } from "./reads.js";

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
export function findReadOnly(args: readonly string[]): ReadOnlyAnswer {
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
    } else return `find's ${arg} is not known to only read.`;
  }
  return (paths.length === 0 ? ["."] : paths).map((path) => ({ path, how: "name" }));
}
