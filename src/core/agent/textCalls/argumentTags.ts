import { matchAt, readUnits, type Unit } from "./readUnits.js";
import { enclosed, taggedFields } from "./taggedFields.js";
import type { TextStyle } from "./writtenCall.js";

const fields = {
  open: /<arg_key>\s*([\w-]+)\s*<\/arg_key>\s*<arg_value>/,
  close: () => "</arg_value>",
};

/** `<tool_call>read_file<arg_key>path</arg_key><arg_value>a.ts</arg_value></tool_call>`, as GLM calls. */
export const argumentTags: TextStyle = {
  isMarked: true,
  begin: /^([ \t]*)<tool_call>\s*[\w.-]+\s*<arg_key>/m,
  read: (text) => readUnits(text, (at) => toolCall(text, at)),
};

function* toolCall(text: string, at: number): Generator<Unit> {
  const [opening, name] = matchAt(/<tool_call>\s*([\w.-]+)\s*(?=<arg_key>)/, text, at) ?? [];
  if (opening === undefined || name === undefined) return;
  yield* enclosed(text, at + opening.length, "</tool_call>", function* (body) {
    for (const given of taggedFields(body, fields)) yield [{ name, json: JSON.stringify(given) }];
  });
}
