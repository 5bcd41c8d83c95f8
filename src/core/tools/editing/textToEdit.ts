import type { LocatedPath } from "../../access/locatedPath.js";
import type { ToolContext, ToolResult } from "../../agent/tool.js";
import { isPdf } from "../../pdf/pdfAsText.js";
import { decodeText, encodeText, formatSize, type TextEncoding } from "../../text/textFile.js";
import { failed } from "../calls/failed.js";
import { resolvePath } from "../calls/resolvePath.js";

const maxBytes = 10_000_000;

export interface TextToEdit {
  readonly location: LocatedPath;
  readonly bytes: Uint8Array;
  readonly unsaved: boolean;
  readonly text: string;
  readonly encoding: TextEncoding;
  /** Returns the bytes of the file with another text. */
  encode(text: string): Uint8Array;
}

/**
 * Reads a file that can be edited as text without harm to what is not edited.
 *
 * @param added the text to be added; a file of unknown encoding takes ASCII only
 */
export async function textToEdit(
  path: string,
  context: ToolContext,
  added: string,
): Promise<TextToEdit | { failure: ToolResult } | { missing: LocatedPath }> {
  const { files } = context;
  const resolved = await resolvePath(path, context.guard);
  if ("failure" in resolved) return resolved;
  const { location } = resolved;
  const stat = await files.stat(location);
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
  const { bytes, unsaved } = await currentBytes(location, context);
  if (!bytes) return { missing: location };
  if (isPdf(bytes)) {
    return {
      failure: failed(
        `${path} is a PDF: its text can be read, and it cannot be edited as text. Change what it is made from, or make it anew with a command.`,
      ),
    };
  }
  const decoded = decodeText(bytes);
  if (!decoded) {
    return {
      failure: failed(
        `${path} is a binary file and cannot be edited as text. Change it with a command.`,
      ),
    };
  }
  const { text, encoding } = decoded;
  if (encoding === "unknown" && !isAscii(added)) return { failure: notAscii(path) };
  return { location, bytes, unsaved, text, encoding, encode: (now) => encodeText(now, encoding) };
}

export function isAscii(text: string): boolean {
  return /^[\x00-\x7F]*$/.test(text);
}

export function notAscii(path: string): ToolResult {
  return failed(
    `${path} is not encoded as UTF-8 or UTF-16, so only ASCII text can be written into it without damage. Leave other characters out, or change it with a command that knows its encoding.`,
  );
}

export function noSuchFile(path: string): ToolResult {
  return failed(`There is no file ${path}. Look with list_files, or make it with write_to_file.`);
}

/**
 * Returns the current content of a file for reading or editing it, with an editor's unsaved
 * changes.
 */
export async function currentBytes(
  location: LocatedPath,
  { files, documents }: Pick<ToolContext, "files" | "documents">,
): Promise<{ readonly bytes: Uint8Array | undefined; readonly unsaved: boolean }> {
  const unsaved = await documents.unsaved(location.path);
  return { bytes: unsaved ?? (await files.readFile(location)), unsaved: unsaved !== undefined };
}
