import { afterItem, pastSpace, pythonValue } from "./pythonValue.js";
import { matchAt, readUnits, type Unit } from "./readUnits.js";
import type { TextStyle, WrittenCall } from "./writtenCall.js";

/** `read_file(path="a.ts")`, `print(default_api.read_file(…))`, `[read_file(…), list_files(…)]`. */
export const pythonCalls: TextStyle = {
  isMarked: false,
  begin:
    /^([ \t]*)(?:<\|tool_call_start\|>|<\|python_tag\|>)?\[?(?:print\(\s*)?[A-Za-z_][\w.]*\(\s*(?:\w+\s*=|\))/m,
  read: (text, isTool) =>
    readUnits(
      text,
      (at) => statement(text, at, isTool),
      /<\|(?:tool_call_start|tool_call_end|python_tag)\|>|[;[\],]/,
    ),
};

function* statement(text: string, at: number, isTool: (name: string) => boolean): Generator<Unit> {
  const print = matchAt(/print\(\s*/, text, at)?.[0] ?? "";
  const found = call(text, at + print.length, isTool);
  if (found === undefined) return;
  const closing = print === "" ? "" : matchAt(/\s*\)/, text, found.end)?.[0];
  if (closing !== undefined) yield { calls: [found.call], end: found.end + closing.length };
}

function call(
  text: string,
  at: number,
  isTool: (name: string) => boolean,
): { call: WrittenCall; end: number } | undefined {
  const [opening, name = ""] = matchAt(/([A-Za-z_][\w.]*)\(/, text, at) ?? [];
  if (opening === undefined || !isTool(name)) return undefined;
  const given: Record<string, unknown> = {};
  let next = pastSpace(text, at + opening.length);
  while (!text.startsWith(")", next)) {
    const [start, key = ""] = matchAt(/(\w+)\s*=\s*/, text, next) ?? [];
    const value = start === undefined ? undefined : pythonValue(text, next + start.length);
    const after = value && afterItem(text, value.end, ")");
    if (value === undefined || after === undefined || Object.hasOwn(given, key)) return undefined;
    given[key] = value.value;
    next = after;
  }
  return { call: { name, json: JSON.stringify(given) }, end: next + 1 };
}
