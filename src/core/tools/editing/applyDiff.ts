import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import { applyBlocks } from "./editText.js";
import { failed } from "../failed.js";
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
  description: `Edit a file with one or more blocks; :start_line: is optional:\n${blockFormat}`,
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
    const added = parsed.blocks.flatMap((block) => block.replace).join("\n");
    const file = await textToEdit(path, context, added);
    if ("failure" in file) return file.failure;
    if ("missing" in file) return noSuchFile(path);
    const edited = applyBlocks(file.text, parsed.blocks);
    const notes = edited.notes.join("\n");
    const { path: real } = file.location;
    if (edited.applied === 0) return failed(`Nothing was written to ${real}.\n${notes}`);
    const partial = edited.refused > 0;
    if (edited.text === file.text) {
      return partial
        ? failed(`Nothing was written to ${real}.\n${notes}`)
        : failed(`${real} already is as the diff would make it.\n${notes}`);
    }
    const all = edited.applied + edited.refused;
    const done = partial
      ? `Edited ${real}, but only ${edited.applied} of ${all} blocks were applied. Send those that were not once more, corrected; leave the others out.`
      : `Edited ${real}.`;
    return preparedWrite(
      {
        location: file.location,
        before: file.bytes,
        unsaved: file.unsaved,
        after: file.encode(edited.text),
        done: `${done}\n${notes}`,
        partial,
      },
      context,
    );
  },
};
