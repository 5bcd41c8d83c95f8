import { type IgnoreSource, IgnoredFiles } from "../../access/ignoredFiles.js";
import { WorkspaceGuard } from "../../access/locatedPath.js";
import { readNamedFile } from "../../access/namedFile.js";
import type { FileSystem } from "../../ports/files.js";

/** The most files of one folder; further ones are left out of the catalog. */
const most = 2_000;
/** The number of bytes of each file that are read for its summary. */
const lookedAt = 4_000;

/** The most characters of a file's beginning. */
const mostBeginning = 400;

/** Facts about a file that can be known without reading all of it. */
interface FileGlance {
  /** The first heading, or else the first line. */
  readonly summary: string;
  /** The beginning of the text; `""` if it is no text. */
  readonly beginning: string;
}

/** A file that the user provided. */
export interface InputFile extends FileGlance {
  readonly path: string;
  /** The size in bytes. */
  readonly size: number;
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
        const size = (await files.stat(below))?.size ?? 0;
        const seen = secret ? nothing : await glanceAt(files, below, hiddenFiles);
        found.push({ path: below, size, ...seen });
      }
    }
  };
  await look(folder);
  return found;
}

const nothing: FileGlance = { summary: "", beginning: "" };

/** Returns a file's first heading, or else its first line; see {@link glanceAt}. */
export async function summaryOf(
  files: FileSystem,
  path: string,
  hidden: IgnoreSource = new IgnoredFiles(files).once(),
): Promise<string> {
  return (await glanceAt(files, path, hidden)).summary;
}

/** Looks at a file's beginning. Everything is `""` if experts could not read the file without approval. */
async function glanceAt(
  files: FileSystem,
  path: string,
  hidden: IgnoreSource,
): Promise<FileGlance> {
  const file = await readNamedFile(path, files, lookedAt, hidden);
  if (file.type !== "text") return nothing;
  const { text, size } = file;
  if (text.includes("\0")) return { ...nothing, summary: `binary, ${size} bytes` };
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line));
  const first = heading?.replace(/^#+\s*/, "") ?? lines.find((line) => line !== "") ?? "";
  return { summary: beginningOf(first, 120), beginning: beginningOf(text, mostBeginning) };
}

function beginningOf(text: string, most: number): string {
  return Array.from(text).slice(0, most).join("");
}
