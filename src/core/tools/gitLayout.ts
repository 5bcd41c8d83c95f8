import type { FileSystem } from "../ports.js";

/**
 * Returns why writing a path always needs approval where git would take a folder above it for a
 * repository; `undefined` otherwise. A folder with `HEAD`, `objects` and `refs` is one, whatever
 * its name is, and its `config` and `hooks` are programs to run.
 *
 * @param path canonical, in the workspace
 */
export async function gitLayout(path: string, files: FileSystem): Promise<string | undefined> {
  const names = path.split("/");
  for (let depth = names.length - 1; depth >= 0; depth--) {
    const folder = names
      .slice(0, depth)
      .map((name) => `${name}/`)
      .join("");
    if ((await files.stat(`${folder}HEAD`)) === undefined) continue;
    const parts = ["objects", "refs"].map((name) => files.stat(folder + name));
    const found = await Promise.all(parts);
    if (found.every((part) => part?.kind === "folder")) {
      return `Git takes ${folder === "" ? "the workspace" : folder} for a repository's own folder.`;
    }
  }
  return undefined;
}
