import * as z from "zod";
import type { Tool } from "../../../agent/tool.js";
import { failed } from "../../../tools/calls/failed.js";
import { preparedEdit } from "../../../tools/editing/editFile.js";
import { inRunNames } from "./inRunNames.js";

const parameters = z.object({
  path: z.string(),
  old_string: z.string().describe("With enough around it to be the one meant"),
  new_string: z.string(),
  expected_replacements: z.int().min(1).nullish().describe("Default 1"),
});
type Arguments = z.infer<typeof parameters>;

export const replaceFunction: Tool<Arguments> = {
  kind: "action",
  name: "replace",
  description: "Replace a piece of a file's text.",
  parameters,
  access: "write",
  title: ({ path }) => path,

  async prepare({ path, old_string: old, new_string: now, expected_replacements }, context) {
    if (old === "") return failed("old_string is empty. Write a whole file with write_file.");
    const places = expected_replacements ?? 1;
    return inRunNames(await preparedEdit({ path, old, now, places }, context));
  },
};
