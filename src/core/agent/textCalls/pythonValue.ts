import { matchAt } from "./readUnits.js";

export interface PythonValue {
  readonly value: unknown;
  /** Exclusive end offset. */
  readonly end: number;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "\n": "",
};

/** Reads a Python literal that JSON can express as well; returns `undefined` for anything else. */
export function pythonValue(text: string, at: number): PythonValue | undefined {
  const word = matchAt(/(?:True|False|None|true|false|null)\b/, text, at)?.[0];
  if (word !== undefined) {
    const value = /^n/i.test(word) ? null : word.toLowerCase() === "true";
    return { value, end: at + word.length };
  }
  const number = matchAt(/-?\d+(?:\.\d+)?(?![\w.])/, text, at)?.[0];
  if (number !== undefined) return { value: Number(number), end: at + number.length };
  if (text.startsWith("[", at)) return list(text, at);
  if (text.startsWith("{", at)) return dictionary(text, at);
  return string(text, at);
}

/** Returns the offset of the first character from `at` on that is not white space. */
export function pastSpace(text: string, at: number): number {
  return at + (matchAt(/\s*/, text, at)?.[0].length ?? 0);
}

function string(text: string, at: number): PythonValue | undefined {
  const pattern = /(r?)("""|''')((?:(?!\2)[^\\]|\\[^])*)\2|(r?)(["'])((?:(?!\5)[^\\\n]|\\[^])*)\5/;
  const match = matchAt(pattern, text, at);
  if (match === null) return undefined;
  const body = match[3] ?? match[6] ?? "";
  const isRaw = (match[1] ?? match[4] ?? "") !== "";
  const end = at + match[0].length;
  if (isRaw) return { value: body, end };
  const escaped = [...body.matchAll(/\\([^])/g)].map(([, character = ""]) => character);
  // It is uncertain whether the backslash of an unknown escape such as `\d` is meant.
  if (!escaped.every((character) => Object.hasOwn(escapes, character))) return undefined;
  const value = body.replace(/\\([^])/g, (_, character: string) => escapes[character] ?? "");
  return { value, end };
}

function list(text: string, start: number): PythonValue | undefined {
  const value: unknown[] = [];
  let at = pastSpace(text, start + 1);
  while (!text.startsWith("]", at)) {
    const item = pythonValue(text, at);
    if (item === undefined) return undefined;
    value.push(item.value);
    const next = afterItem(text, item.end, "]");
    if (next === undefined) return undefined;
    at = next;
  }
  return { value, end: at + 1 };
}

function dictionary(text: string, start: number): PythonValue | undefined {
  const value: Record<string, unknown> = {};
  let at = pastSpace(text, start + 1);
  while (!text.startsWith("}", at)) {
    const key = string(text, at);
    const colon = key && pastSpace(text, key.end);
    if (colon === undefined || !text.startsWith(":", colon)) return undefined;
    const item = pythonValue(text, pastSpace(text, colon + 1));
    if (item === undefined) return undefined;
    value[String(key?.value)] = item.value;
    const next = afterItem(text, item.end, "}");
    if (next === undefined) return undefined;
    at = next;
  }
  return { value, end: at + 1 };
}

/** Returns the offset of the next item, or of the closing character; `undefined` if neither follows. */
export function afterItem(text: string, end: number, closing: string): number | undefined {
  const at = pastSpace(text, end);
  if (text.startsWith(",", at)) return pastSpace(text, at + 1);
  return text.startsWith(closing, at) ? at : undefined;
}
