import type * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import { countText } from "../../text/countText.js";
import { encodeText } from "../../text/textFile.js";
import { spoken } from "../../text/words.js";
import { failed } from "../../tools/calls/failed.js";
import { preparedWrite } from "../../tools/editing/preparedWrite.js";
import { staleWrite } from "../../tools/editing/staleWrite.js";
import { textToEdit } from "../../tools/editing/textToEdit.js";
import { payloads, type TextEdit } from "../envelope.js";
import { editsProblem } from "../envelopeProblems.js";
import { isUtf8, onlyUtf8 } from "./readCommand.js";

type Arguments = z.infer<typeof payloads.edit>;

/** R-ENV-12: Replaces pieces of a file by their offsets in its current text; makes a missing file. */
export const editCommand: Tool<Arguments> = {
  kind: "action",
  name: "edit",
  description: "Replace pieces of a file by their offsets.",
  parameters: payloads.edit,
  access: "write",
  title: ({ path }) => path,

  async prepare({ path, encoding, edits }, context) {
    if (!isUtf8(encoding)) return failed(onlyUtf8(encoding));
    const wrong = editsProblem(edits);
    if (wrong !== undefined) {
      return failed(`${wrong.path} ${spoken(wrong.message)}. Nothing was written; correct that.`);
    }
    const added = edits.map(({ newText }) => newText).join("");
    const file = await textToEdit(path, context, added);
    if ("failure" in file) return file.failure;
    const missing = "missing" in file;
    const location = missing ? file.missing : file.location;
    const text = missing ? "" : file.text;
    const beyond = edits.findIndex(({ end }) => end > text.length);
    if (beyond >= 0) {
      return failed(
        `edits.${beyond} ends at ${edits[beyond]?.end ?? 0}, and ${missing ? "there is no such file yet" : `the file has ${text.length} characters`}. Nothing was written; read the file and count again.`,
      );
    }
    const edited = applied(text, edits);
    if (!missing && edited === text)
      return failed(`${path} says that already, so nothing was written. Go on.`);
    if (!missing && file.bytes.length > 0) {
      const needs = edits.some(({ start, end }) => end > start) ? "some" : "nothing";
      const stale = await staleWrite(file.location, file.bytes, needs, context);
      if (stale) return stale;
    }
    const count = countText(edits.length, "edit");
    return preparedWrite(
      {
        location,
        before: missing ? undefined : file.bytes,
        unsaved: !missing && file.unsaved,
        after: missing ? encodeText(edited, "utf-8") : file.encode(edited),
        done: `${missing ? "Created" : "Edited"} ${location.path} (${count}).`,
      },
      context,
    );
  },
};

/**
 * Applies the edits from the end, so that the offsets of earlier edits stay valid. Edits at the same
 * offset keep their order.
 */
function applied(text: string, edits: readonly TextEdit[]): string {
  const fromEnd = [...edits.entries()].sort(
    ([i, a], [j, b]) => b.start - a.start || b.end - a.end || j - i,
  );
  let result = text;
  for (const [, { start, end, newText }] of fromEnd) {
    result = result.slice(0, start) + newText + result.slice(end);
  }
  return result;
}
