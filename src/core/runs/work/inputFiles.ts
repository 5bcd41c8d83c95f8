import type { FileSystem } from "../../ports/files.js";
import { type IgnoreSource, IgnoredFiles } from "../../access/ignoredFiles.js";
import { readNamedFile } from "../../access/namedFile.js";
import { WorkspaceGuard } from "../../access/locatedPath.js";

/** The most files of one folder; further ones are left out of the catalog. */
const most = 2_000;
/** The number of bytes of each file that are read for its summary. */
const lookedAt = 4_000;

/** A file that the user provided, with a summary from its beginning. */
export interface InputFile {
  readonly path: string;
  readonly summary: string;
}

/** Returns the files in a folder, without those that .rooignore hides from experts. */
export async function inputFiles(files: FileSystem, folder: string): Promise<InputFile[]> {
  const hiddenFiles = new IgnoredFiles(files).once();
  const guard = new WorkspaceGuard(files, hiddenFiles);
  const found: InputFile[] = [];
  const look = async (path: string): Promise<void> => {
    for (const { name, kind } of await files.readDirectory(path)) {
      if (name.startsWith(".") || found.length >= most) continue;
      const below = `${path}/${name}`;
      const { inside, ignored, secret } = await guard.locate(below);
      if (!inside || ignored !== undefined) continue;
      if (kind === "folder") await look(below);
      else if (kind === "file") {
        found.push({
          path: below,
          summary: secret ? "" : await summaryOf(files, below, hiddenFiles),
        });
      }
    }
  };
  await look(folder);
  return found;
}

/**
 * Returns a file's first heading, or else its first line; `""` if experts could not read the file without
 * approval.
 */
export async function summaryOf(
  files: FileSystem,
  path: string,
  hidden: IgnoreSource = new IgnoredFiles(files).once(),
): Promise<string> {
  const file = await readNamedFile(path, files, lookedAt, hidden);
  if (file.type !== "text") return "";
  const { text, size } = file;
  if (text.includes("\0")) return `binary, ${size} bytes`;
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line));
  const first = heading?.replace(/^#+\s*/, "") ?? lines.find((line) => line !== "") ?? "";
  return Array.from(first).slice(0, 120).join("");
}
