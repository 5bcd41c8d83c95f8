import { matchAt, readUnits, type Unit } from "./readUnits.js";
import { enclosed, taggedFields } from "./taggedFields.js";
import type { TextStyle } from "./writtenCall.js";

/** The prefix of tag names: `antml:`, DeepSeek's `｜DSML｜`, or none. */
const prefix = /(?:[a-z]+:|[｜|]{1,2}DSML[｜|]{1,2})?/;
const wrapper = new RegExp(`</?${prefix.source}(?:function_calls|tool_calls?|tool_use|calls)>?`);

/** `<invoke name="read_file"><parameter name="path">a.ts</parameter></invoke>`. */
export const invokeTags: TextStyle = {
  isMarked: true,
  begin: new RegExp(`^([ \\t]*)(?:${wrapper.source}\\s*)?<${prefix.source}invoke name="`, "m"),
  read: (text) => readUnits(text, (at) => invoke(text, at), wrapper),
};

function* invoke(text: string, at: number): Generator<Unit> {
  const pattern = new RegExp(`<(${prefix.source})invoke name="([^"]+)"\\s*>`);
  const [opening, mark = "", name] = matchAt(pattern, text, at) ?? [];
  if (opening === undefined || name === undefined) return;
  const fields = {
    open: new RegExp(`<${escaped(mark)}parameter name="([^"]+)"(?: string="(?:true|false)")?\\s*>`),
    close: () => `</${mark}parameter>`,
  };
  yield* enclosed(text, at + opening.length, `</${mark}invoke>`, function* (body) {
    for (const given of taggedFields(body, fields)) yield [{ name, json: JSON.stringify(given) }];
  });
}

function escaped(text: string): string {
  return text.replace(/[|]/g, "\\$&");
}
