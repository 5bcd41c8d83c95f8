import * as z from "zod";
import type { Tool } from "../agent/tool.js";
import { failed } from "./failed.js";
import { splitLines, usualEnd, withEnds } from "./lines.js";
import { preparedWrite } from "./preparedWrite.js";
import { resolvePath } from "./resolvePath.js";
import { decodeText, encodeText } from "./textFile.js";

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
    const resolved = await resolvePath(path, context.files);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const stat = await context.files.stat(location.path);
    if (stat && stat.kind !== "file") return failed(`${path} is a folder. Name a file.`);
    const before = stat && (await context.files.readFile(location.path));
    const after = inItsManner(content, before);
    const lines = splitLines(content).length;
    const count = lines === 1 ? "1 line" : `${lines} lines`;
    const done = `${before ? "Replaced" : "Created"} ${location.path} (${count}).`;
    return preparedWrite({ location, before, after, done }, context);
  },
};

/** A file with a byte order mark or CRLF throughout keeps them, which models rarely write. */
function inItsManner(content: string, before: Uint8Array | undefined): Uint8Array {
  const old = before && decodeText(before);
  if (!old) return encodeText(content, false);
  const crlf = usualEnd(old.text) === "\r\n" && !content.includes("\r");
  return encodeText(crlf ? withEnds(content, "\r\n") : content, old.bom);
}
