import type { FileSystem } from "../ports.js";

/**
 * Yields the paths below a folder, the nearest first, folders too. If there are more than `most`,
 * yields `undefined` after these and ends.
 */
export async function* folderTree(
  folder: string,
  files: FileSystem,
  most: number,
  enters: (name: string, path: string) => boolean | Promise<boolean>,
): AsyncGenerator<{ path: string; name: string } | undefined> {
  const waiting = [folder];
  let count = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const { name, kind } of await files.readDirectory(next)) {
      if (++count > most) {
        yield undefined;
        return;
      }
      const path = next === "" ? name : `${next}/${name}`;
      yield { path, name };
      if (kind === "folder" && (await enters(name, path))) waiting.push(path);
    }
  }
}
