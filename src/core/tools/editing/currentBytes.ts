import type { ToolContext } from "../../agent/tool.js";

/**
 * Returns the current content of a file for reading or editing it, with an editor's unsaved
 * changes.
 */
export async function currentBytes(
  path: string,
  { files, documents }: Pick<ToolContext, "files" | "documents">,
): Promise<{ readonly bytes: Uint8Array | undefined; readonly unsaved: boolean }> {
  const unsaved = await documents.unsaved(path);
  return { bytes: unsaved ?? (await files.readFile(path)), unsaved: unsaved !== undefined };
}
