import * as z from "zod";
import type { PreparedCall, Tool, ToolContext, ToolResult } from "../../agent/tool.js";
import { failed } from "../calls/failed.js";
import { replaceText } from "./editText.js";
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
    const places = replace_all === true ? "all" : 1;
    return preparedEdit({ path, old: old_text, now: new_text, places }, context);
  },
};

interface TextEdit {
  readonly path: string;
  readonly old: string;
  readonly now: string;
  /** The number of times that the old text has to occur; `all` for any number. */
  readonly places: number | "all";
}

/**
 * Prepares to replace a piece of a file's text. The call fails unless it occurs in as many places
 * as expected.
 */
export async function preparedEdit(
  { path, old, now, places }: TextEdit,
  context: ToolContext,
): Promise<PreparedCall | ToolResult> {
  const file = await textToEdit(path, context, now);
  if ("failure" in file) return file.failure;
  if ("missing" in file) return noSuchFile(path);
  const { location, bytes: before, unsaved } = file;
  const edited = replaceText(file.text, old, now, places !== 1);
  if (!edited.ok) {
    return failed(`Nothing was written to ${location.path}. The old text was ${edited.note}`);
  }
  if (places !== "all" && edited.places !== places) {
    return failed(
      `Nothing was written to ${location.path}. The old text is in ${edited.note}; ${places} were expected. Give more of the text around it, or ask for all places.`,
    );
  }
  if (edited.text === file.text) {
    return failed(`Nothing to write: the new text is what ${location.path} says already. Go on.`);
  }
  const done = `Edited ${location.path}: ${edited.note}.`;
  return preparedWrite(
    { location, before, unsaved, after: file.encode(edited.text), done },
    context,
  );
}
