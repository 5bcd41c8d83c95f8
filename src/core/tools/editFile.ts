import * as z from "zod";
import type { Tool } from "../agent/tool.js";
import { replaceText } from "./editText.js";
import { failed } from "./failed.js";
import { preparedWrite } from "./preparedWrite.js";
import { noSuchFile, textToEdit } from "./textToEdit.js";

const parameters = z.object({
  path: z.string(),
  old_text: z.string(),
  new_text: z.string(),
  replace_all: z.boolean().nullish(),
});
type Arguments = z.infer<typeof parameters>;

export const editFile: Tool<Arguments> = {
  kind: "action",
  name: "edit_file",
  description: "Replace a piece of text that occurs once in a file.",
  parameters,
  access: "write",
  title: ({ path }) => path,

  async prepare({ path, old_text, new_text, replace_all }, context) {
    if (old_text === "") {
      return failed("old_text is empty. Give the text to replace, or use insert_content.");
    }
    const file = await textToEdit(path, context, new_text);
    if ("failure" in file) return file.failure;
    if ("missing" in file) return noSuchFile(path);
    const edited = replaceText(file.text, old_text, new_text, replace_all ?? false);
    if (!edited.ok) {
      return failed(
        `Nothing was written to ${file.location.path}. The old text was ${edited.note}`,
      );
    }
    if (edited.text === file.text) {
      return failed(`Nothing to write: new_text is what ${file.location.path} says already.`);
    }
    return preparedWrite(
      {
        location: file.location,
        before: file.bytes,
        unsaved: file.unsaved,
        after: file.encode(edited.text),
        done: `Edited ${file.location.path}: ${edited.note}.`,
      },
      context,
    );
  },
};
