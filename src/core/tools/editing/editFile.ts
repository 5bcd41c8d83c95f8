import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import { failed } from "../failed.js";
import { preparedEdit } from "./preparedEdit.js";

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
    const places = replace_all === true ? "all" : 1;
    return preparedEdit({ path, old: old_text, now: new_text, places }, context);
  },
};
