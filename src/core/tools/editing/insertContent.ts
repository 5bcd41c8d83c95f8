import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import { countText } from "../../text/countText.js";
import { joinLines, splitLines, usualEnd, withEnds } from "../../text/lines.js";
import { encodeText } from "../../text/textFile.js";
import { failed } from "../calls/failed.js";
import { preparedWrite } from "./preparedWrite.js";
import { staleWrite } from "./staleWrite.js";
import { textToEdit } from "./textToEdit.js";

const parameters = z.object({
  path: z.string(),
  line: z.int().min(0).describe("Inserted before it; 0 = at the start, past the end = append"),
  content: z.string(),
});
type Arguments = z.infer<typeof parameters>;

export const insertContent: Tool<Arguments> = {
  kind: "action",
  name: "insert_content",
  description: "Insert whole lines into a file.",
  parameters,
  access: "write",
  title: ({ path, line }) => `${path}:${line}`,

  async prepare({ path, line, content }, context) {
    if (content === "") return failed("content is empty. Give the lines to insert.");
    const file = await textToEdit(path, context, content);
    if ("failure" in file) return file.failure;
    if ("missing" in file) {
      return preparedWrite(
        {
          location: file.missing,
          before: undefined,
          unsaved: false,
          after: encodeText(content.endsWith("\n") ? content : `${content}\n`, "utf-8"),
          done: `Created ${file.missing.path}, which did not exist.`,
        },
        context,
      );
    }
    // The start of a file is the start, whatever has changed below it.
    const stale = line > 1 && (await staleWrite(file.location, file.bytes, "nothing", context));
    if (stale) return stale;
    const { text, count, appended } = inserted(file.text, line, content);
    const lines = countText(count, "line");
    return preparedWrite(
      {
        location: file.location,
        before: file.bytes,
        unsaved: file.unsaved,
        after: file.encode(text),
        done: appended
          ? `Appended ${lines} to ${file.location.path}, which ends before line ${line}.`
          : `Inserted ${lines} into ${file.location.path} before line ${Math.max(1, line)}.`,
      },
      context,
    );
  },
};

function inserted(text: string, line: number, content: string) {
  const lines = splitLines(text);
  const end = usualEnd(text);
  const added = splitLines(withEnds(content, end));
  const at = Math.min(Math.max(0, line - 1), lines.length);
  const all = lines.toSpliced(at, 0, ...added);
  const open = lines.at(-1)?.end === "";
  const ended = all.map((each, index) => {
    const last = index === all.length - 1;
    // An append to a file without a last line break ends as the content does.
    if (last && (open || lines.length === 0)) return each;
    return each.end === "" ? { ...each, end } : each;
  });
  return { text: joinLines(ended), count: added.length, appended: line > lines.length };
}
