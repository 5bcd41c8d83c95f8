import { matchAt, readUnits, type Unit } from "./readUnits.js";
import { enclosed, taggedFields } from "./taggedFields.js";
import type { TextStyle, WrittenCall } from "./writtenCall.js";

const fields = { open: /<parameter=([\w-]+)>/, close: () => "</parameter>" };

/** `<function=read_file><parameter=path>a.ts</parameter></function>`, as Qwen and Llama call. */
export const functionTags: TextStyle = {
  isMarked: true,
  begin: /^([ \t]*)(?:<tool_call>\s*)?<function=[\w.-]+>/m,
  read: (text) => readUnits(text, (at) => functionTag(text, at), /<\/?tool_calls?>/),
};

function* functionTag(text: string, at: number): Generator<Unit> {
  const [opening, name] = matchAt(/<function=([\w.-]+)>/, text, at) ?? [];
  if (opening === undefined || name === undefined) return;
  yield* enclosed(text, at + opening.length, "</function>", (body) => calls(name, body));
}

function* calls(name: string, body: string): Generator<readonly WrittenCall[]> {
  if (body.trimStart().startsWith("{")) {
    yield [{ name, json: body.trim() }];
    return;
  }
  for (const given of taggedFields(body, fields)) yield [{ name, json: JSON.stringify(given) }];
}
