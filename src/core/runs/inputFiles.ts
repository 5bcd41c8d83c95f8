import type { FileSystem } from "../ports.js";
import { HiddenFiles } from "../tools/hiddenFiles.js";
import { WorkspaceGuard } from "../tools/workspaceGuard.js";

/** Files at most, of each folder: what is beyond is left out of the catalog. */
const most = 2_000;
/** Bytes of each that are looked at. */
const lookedAt = 4_000;

/** A file that people have put there, and what it is about, as far as its beginning says. */
export interface InputFile {
  readonly path: string;
  readonly summary: string;
}

/** What a folder holds, by path; nothing of what is hidden from experts. */
export async function inputFiles(files: FileSystem, folder: string): Promise<InputFile[]> {
  const guard = new WorkspaceGuard(files, new HiddenFiles(files).once());
  const found: InputFile[] = [];
  const look = async (path: string): Promise<void> => {
    for (const { name, kind } of await files.readDirectory(path)) {
      if (name.startsWith(".") || found.length >= most) continue;
      const below = `${path}/${name}`;
      const { inside, hidden, secret } = await guard.look(below);
      if (!inside || hidden) continue;
      if (kind === "folder") await look(below);
      else if (kind === "file") {
        found.push({ path: below, summary: secret ? "" : await summaryOf(files, below) });
      }
    }
  };
  await look(folder);
  return found;
}

/** Its first heading, else its first line. */
export async function summaryOf(files: FileSystem, path: string): Promise<string> {
  const size = (await files.stat(path))?.size ?? 0;
  const bytes = await files.readRange(path, 0, lookedAt);
  const text = new TextDecoder().decode(bytes);
  if (text.includes("\0")) return `binary, ${size} bytes`;
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const heading = lines.find((line) => /^#{1,6}\s+\S/.test(line));
  const first = heading?.replace(/^#+\s*/, "") ?? lines.find((line) => line !== "") ?? "";
  return Array.from(first).slice(0, 120).join("");
}
