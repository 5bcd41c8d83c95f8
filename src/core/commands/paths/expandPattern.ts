import { followPath } from "./followPath.js";
import type { ReviewedFiles } from "./reviewedFiles.js";

const most = 2000;

/**
 * Returns the words that the shell makes of a pattern: existing paths, or the pattern itself where
 * there are none. Returns `undefined` when they are too many, would have to be looked for outside
 * the workspace, or have names that are not text.
 */
export async function expandPattern(
  pattern: string,
  folder: string,
  files: ReviewedFiles,
): Promise<string[] | undefined> {
  if (pattern.startsWith("/") || pattern.includes("..")) return undefined;
  let found = [""];
  for (const [index, part] of pattern.split("/").entries()) {
    const join = (base: string, name: string) => (index === 0 ? name : `${base}/${name}`);
    if (!/[*?]/.test(part)) {
      found = found.map((base) => join(base, part));
      continue;
    }
    const fits = namePattern(part);
    const next: string[] = [];
    for (const base of found) {
      const place = await followPath(folder, base, files);
      if (place === undefined) continue;
      if (!place.inside) return undefined;
      for (const { name } of await files.readDirectory(place.place)) {
        if (!fits(name)) continue;
        // The name's bytes are not text, so it is unknown what a program would get.
        if (name.includes("\uFFFD")) return undefined;
        next.push(join(base, name));
      }
    }
    if (next.length > most) return undefined;
    found = next;
  }
  const there = await Promise.all(
    found.map(async (path) => {
      const at = await followPath(folder, path, files);
      return at === undefined ? undefined : files.stat(at.place);
    }),
  );
  const existing = found.filter((_, index) => there[index] !== undefined);
  return existing.length > 0 ? existing : [pattern];
}

/**
 * Returns a test for names that fit a pattern with `*` and `?`, as the shell takes one part of a
 * path.
 *
 * @param fitsDots whether a wildcard at the beginning may stand for a dot, as it may not in a shell
 */
export function namePattern(pattern: string, fitsDots = false): (name: string) => boolean {
  const wanted = Array.from(pattern.replace(/\*+/g, "*"));
  const showsDots = fitsDots || pattern.startsWith(".");
  return (name) => (showsDots || !name.startsWith(".")) && fits(wanted, Array.from(name));
}

/**
 * Returns whether a name fits. Other lengths are tried only for the last `*`: that is enough, and
 * never takes long.
 */
function fits(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let star = -1;
  let tried = 0;
  for (let index = 0; index < name.length;) {
    if (pattern[at] === "*") {
      star = at++;
      tried = index;
    } else if (pattern[at] === "?" || (at < pattern.length && pattern[at] === name[index])) {
      at++;
      index++;
    } else if (star >= 0) {
      at = star + 1;
      index = ++tried;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
