import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import { splitLines, usualEnd, withEnds } from "../../text/lines.js";
import { decodeText, encodeText, sameBytes } from "../../text/textFile.js";
import { failed } from "../calls/failed.js";
import { resolvePath } from "../calls/resolvePath.js";
import { preparedWrite } from "./preparedWrite.js";
import { staleWrite } from "./staleWrite.js";
import { currentBytes, isAscii, notAscii } from "./textToEdit.js";

const parameters = z.object({
  path: z.string(),
  content: z.string().describe("The whole file"),
});
type Arguments = z.infer<typeof parameters>;

export const writeToFile: Tool<Arguments> = {
  kind: "action",
  name: "write_to_file",
  description: "Create a file or replace all of it. Makes folders. Prefer edits to existing files.",
  parameters,
  access: "write",
  title: ({ path }) => path,

  async prepare({ path, content }, context) {
    const resolved = await resolvePath(path, context.guard);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const stat = await context.files.stat(location);
    if (stat && stat.kind !== "file") return failed(`${path} is a folder. Name a file.`);
    const { bytes: before, unsaved } = await currentBytes(location, context);
    const after = inItsManner(content, before);
    if (after === undefined) return notAscii(path);
    // Writing what is there already loses nothing, as after a write that was interrupted.
    if (before !== undefined && before.length > 0 && !sameBytes(before, after)) {
      // A binary file cannot be read.
      const needs = decodeText(before) === undefined ? "nothing" : "all";
      const stale = await staleWrite(location, before, needs, context);
      if (stale) return stale;
    }
    const lines = splitLines(content).length;
    const count = lines === 1 ? "1 line" : `${lines} lines`;
    const done = `${before ? "Replaced" : "Created"} ${location.path} (${count}).`;
    return preparedWrite({ location, before, unsaved, after, done, isWhole: true }, context);
  },
};

/**
 * Encodes new content in the manner of the file that it replaces: with its encoding, its usual CRLF
 * and its last line break, which models rarely write. Returns `undefined` when the file's encoding
 * is unknown and may not have the characters to be written.
 */
function inItsManner(content: string, before: Uint8Array | undefined): Uint8Array | undefined {
  const old = before && decodeText(before);
  if (!old) return encodeText(content, "utf-8");
  if (old.encoding === "unknown" && !isAscii(content)) return undefined;
  const crlf = usualEnd(old.text) === "\r\n" && !content.includes("\r");
  const open = old.text.endsWith("\n") && content !== "" && !content.endsWith("\n");
  const whole = open ? `${content}\n` : content;
  return encodeText(crlf ? withEnds(whole, "\r\n") : whole, old.encoding);
}
