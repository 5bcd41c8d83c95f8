import type { FileSystem, Location } from "../ports.js";
import type { ToolResult } from "../agent/tool.js";
import { failed } from "./failed.js";
import { resolvePath } from "./resolvePath.js";
import { decodeText, encodeText, formatSize } from "./textFile.js";

const maxBytes = 10_000_000;

export interface TextToEdit {
  readonly location: Location;
  readonly bytes: Uint8Array;
  readonly text: string;
  /** The file's bytes if it held another text. */
  encode(text: string): Uint8Array;
}

/** A file that can be edited as text without harm to what is not edited. */
export async function textToEdit(
  path: string,
  files: FileSystem,
): Promise<TextToEdit | { failure: ToolResult } | { missing: Location }> {
  const resolved = await resolvePath(path, files);
  if ("failure" in resolved) return resolved;
  const { location } = resolved;
  const stat = await files.stat(location.path);
  if (!stat) return { missing: location };
  if (stat.kind !== "file") {
    return { failure: failed(`${path} is a folder, not a file. Name a file.`) };
  }
  if (stat.size > maxBytes) {
    return {
      failure: failed(
        `${path} is too big to edit (${formatSize(stat.size)}). Change it with a command.`,
      ),
    };
  }
  const bytes = await files.readFile(location.path);
  if (!bytes) return { missing: location };
  const decoded = decodeText(bytes);
  if (!decoded) {
    return { failure: failed(`${path} is a binary file and cannot be edited as text.`) };
  }
  if (!decoded.faithful) {
    return {
      failure: failed(
        `${path} is not encoded as UTF-8; editing it as text would damage it. Change it with a command that knows its encoding.`,
      ),
    };
  }
  return { location, bytes, text: decoded.text, encode: (text) => encodeText(text, decoded.bom) };
}

export function noSuchFile(path: string): ToolResult {
  return failed(`There is no file ${path}. Look with list_files, or make it with write_to_file.`);
}
