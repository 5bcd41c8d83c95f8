import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import { parseJson } from "../../documents/parseJson.js";
import { words } from "../../text/words.js";
import { failed } from "../../tools/calls/failed.js";
import { writeToFile } from "../../tools/editing/writeToFile.js";

const escapeParameters = z.object({ text: z.string() });
const unescapeParameters = z.object({ text: z.string(), path: z.string() });

/** R-ENV-14: Returns a text as a JSON string. */
export const escapeCommand: Tool<z.infer<typeof escapeParameters>> = {
  kind: "action",
  name: "escape_string",
  description: "Write a text as a JSON string.",
  parameters: escapeParameters,
  access: "none",
  title: ({ text }) =>
    words("{n, plural, one {# character} other {# characters}}", { n: text.length }),
  prepare: ({ text }) =>
    Promise.resolve({
      action: undefined,
      run: () => Promise.resolve({ ok: true, content: JSON.stringify(text) }),
    }),
};

/** R-ENV-14: Writes the text that a JSON string stands for to a file. */
export const unescapeCommand: Tool<z.infer<typeof unescapeParameters>> = {
  kind: "action",
  name: "unescape_string",
  description: "Write what a JSON string says to a file.",
  parameters: unescapeParameters,
  access: "write",
  title: ({ path }) => path,

  prepare({ text, path }, context) {
    const json = parseJson(text);
    if (!json.ok) {
      return Promise.resolve(
        failed(
          `text is not a JSON string (${json.reason}). Write it with its quotes, as escape_string does.`,
        ),
      );
    }
    if (typeof json.value !== "string") {
      return Promise.resolve(failed("text is JSON, but not a string. Write it in quotes."));
    }
    return writeToFile.prepare({ path, content: json.value }, context);
  },
};
