import * as z from "zod";
import type { Tool } from "../agent/tool.js";
import { applyBlocks } from "./editText.js";
import { failed } from "./failed.js";
import { preparedWrite } from "./preparedWrite.js";
import { blockFormat, parseBlocks } from "./searchReplaceBlocks.js";
import { noSuchFile, textToEdit } from "./textToEdit.js";

const parameters = z.object({
  path: z.string(),
  diff: z.string(),
});
type Arguments = z.infer<typeof parameters>;

export const applyDiff: Tool<Arguments> = {
  kind: "action",
  name: "apply_diff",
  description: `Edit a file with one or more blocks, all or none; :start_line: is optional:\n${blockFormat}`,
  parameters,
  access: "write",
  title: ({ path }) => path,

  async prepare({ path, diff }, context) {
    const parsed = parseBlocks(diff);
    if ("problem" in parsed) {
      return failed(
        `The diff cannot be read. ${parsed.problem} Write it like this:\n${blockFormat}`,
      );
    }
    const file = await textToEdit(path, context.files);
    if ("failure" in file) return file.failure;
    if ("missing" in file) return noSuchFile(path);
    const edited = applyBlocks(file.text, parsed.blocks);
    const notes = edited.notes.join("\n");
    if (!edited.ok) return failed(`Nothing was written to ${file.location.path}.\n${notes}`);
    if (edited.text === file.text) {
      return failed(`${file.location.path} already is as the diff would make it.\n${notes}`);
    }
    return preparedWrite(
      {
        location: file.location,
        before: file.bytes,
        after: file.encode(edited.text),
        done: `Edited ${file.location.path}.\n${notes}`,
      },
      context,
    );
  },
};
