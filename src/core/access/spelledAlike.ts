import { FileError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import { plain } from "../text/typography.js";

/**
 * Returns the path of what is meant by a canonical path in the workspace at which nothing is, or, where a name in it is
 * spelled like several, these paths. Names of screenshots and of files of other systems have spaces that do not break,
 * typographic quotes or decomposed letters, which nobody types, and which a list shows as `⟨U+202F⟩`. What is at a path
 * exactly is always meant, and names that are spelled like none are returned as they are, for a file to be created.
 *
 * @param isHidden returns whether a path must not be told
 */
export async function spelledAlike(
  path: string,
  files: Pick<FileSystem, "stat" | "readDirectory">,
  isHidden: (path: string) => boolean,
): Promise<string | readonly string[]> {
  if (!/[ '"-]|[^\x00-\x7F]/.test(path)) return path;
  try {
    if ((await files.stat(path)) !== undefined) return path;
    const names = path.split("/");
    let folder = "";
    for (const [index, name] of names.entries()) {
      const exact = below(folder, name);
      if (index < names.length - 1 && (await files.stat(exact)) !== undefined) {
        folder = exact;
        continue;
      }
      const spelling = spellingOf(name);
      const alike = (await files.readDirectory(folder))
        .filter((entry) => spellingOf(entry.name) === spelling)
        .map((entry) => below(folder, entry.name))
        .filter((one) => !isHidden(one));
      const [only, ...more] = alike;
      if (more.length > 0) return alike;
      if (only === undefined) return below(folder, names.slice(index).join("/"));
      folder = only;
    }
    return folder;
  } catch (error) {
    // The read or write that follows says what is wrong.
    if (error instanceof FileError && error.code !== "EHIDDEN") return path;
    throw error;
  }
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Returns a name as it is typed. */
function spellingOf(name: string): string {
  const real = name.replace(/⟨U\+([0-9A-F]{4,5}|10[0-9A-F]{4})⟩/g, (_shown, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return plain(real.normalize("NFC")).replace(/\p{Zs}/gu, " ");
}
