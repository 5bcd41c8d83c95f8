import { jsonValueEnd } from "../../documents/jsonValueEnd.js";
import { callsInJson } from "./callsInJson.js";
import { matchAt, readUnits, type Unit } from "./readUnits.js";
import type { TextStyle } from "./writtenCall.js";

const open =
  /<(?:tool_calls?|tool_use|function_calls?|functioncall)>|<\|(?:tool_calls?|tool_call_start|tool_call_begin|python_tag|python_start)\|>|\[TOOL_CALLS?\]/i;
const close =
  /<\/(?:tool_calls?|tool_use|function_calls?|functioncall|s)>|<\|(?:\/tool_calls?|tool_call_end|python_end|eom_id|eot_id|im_end|end|endoftext)\|>|\[\/TOOL_CALLS?\]|[;,]/i;

/** `<tool_call>{"name": …, "arguments": …}</tool_call>`, `[TOOL_CALLS][{…}]` and their like. */
export const jsonTags: TextStyle = {
  isMarked: true,
  begin: new RegExp(`^([^\\n]*?)(?:${open.source})\\s*[[{]`, "im"),
  read: (text) => readUnits(text, (at) => tagged(text, at), new RegExp(close.source)),
};

function* tagged(text: string, at: number): Generator<Unit> {
  const opening = matchAt(new RegExp(`(?:(?:${open.source})\\s*)*`, "i"), text, at)?.[0] ?? "";
  const start = at + opening.length;
  const end = jsonValueEnd(text, start);
  const calls = end === undefined ? undefined : callsInJson(text.slice(start, end));
  if (end !== undefined && calls !== undefined) yield { calls, end };
}
