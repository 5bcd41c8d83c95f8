import type { ToolContext } from "../agent/tool.js";

/** What a file says, for whoever reads or edits it: an editor's unsaved changes are a part of that. */
export async function currentBytes(
  path: string,
  { files, documents }: Pick<ToolContext, "files" | "documents">,
): Promise<{ readonly bytes: Uint8Array | undefined; readonly unsaved: boolean }> {
  const unsaved = await documents.unsaved(path);
  return { bytes: unsaved ?? (await files.readFile(path)), unsaved: unsaved !== undefined };
}
