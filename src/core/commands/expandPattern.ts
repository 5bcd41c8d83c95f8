import type { FileSystem } from "../ports.js";
import { followPath } from "./followPath.js";
import { namePattern } from "./namePattern.js";

const most = 2000;

/**
 * Returns the words that the shell makes of a pattern: existing paths, or the pattern itself where
 * there are none. Returns `undefined` when they are too many, would have to be looked for outside
 * the workspace, or have names that are not text.
 */
export async function expandPattern(
  pattern: string,
  folder: string,
  files: FileSystem,
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
