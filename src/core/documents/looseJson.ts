import parseJson5 from "json5/lib/parse.js";
import { type Json, parseJson } from "./parseJson.js";

/**
 * Reads JSON as models write it, if its meaning is certain: inside a code fence or prose, after `<think>`
 * text, with trailing commas, single quotes or comments (JSON5), with line breaks in its strings, with
 * Python's `True`, `False` and `None`. A missing end is not made up, and a text with an ambiguous backslash
 * is not read.
 */
export function parseLooseJson(text: string): Json {
  const whole = parseJson(text);
  if (whole.ok) return whole;
  const bare = text.replace(/^(?:\s*<(think(?:ing)?)>[\s\S]*?<\/\1>)+/i, "").trim();
  for (const candidate of candidates(bare)) {
    const strict = parseJson(candidate);
    if (strict.ok) return strict;
    const plain = asJson5(candidate);
    if (plain === undefined) continue;
    try {
      return { ok: true, value: parseJson5(plain) };
    } catch {
      // The reason to report is the one that strict JSON gave.
    }
  }
  return whole;
}

/**
 * Yields the text itself and, if it does not begin with the object, the content of its last fence and what
 * stands between its outermost braces. An object that begins the text and is broken may hold fences and
 * objects of its own, which must not be taken for it.
 */
function* candidates(text: string): Generator<string> {
  yield text;
  if (text.startsWith("{")) return;
  const fenced = lastFenced(text);
  if (fenced !== undefined) yield fenced;
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start >= 0 && end > start) yield text.slice(start, end + 1);
}

const words: ReadonlyMap<string, string> = new Map([
  ["True", "true"],
  ["False", "false"],
  ["None", "null"],
]);
const controls: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns the trimmed content of the last fence that has an end; `undefined` if there is none. */
function lastFenced(text: string): string | undefined {
  const opening = /```\w*\s*\n/y;
  let content: string | undefined;
  for (let at = text.indexOf("```"); at >= 0;) {
    opening.lastIndex = at;
    const start = opening.test(text) ? opening.lastIndex : undefined;
    const end = start === undefined ? at : text.indexOf("```", start);
    if (end < 0) break;
    if (start !== undefined) content = text.slice(start, end).trim();
    at = text.indexOf("```", start === undefined ? at + 1 : end + 3);
  }
  return content;
}

/**
 * Escapes line breaks in strings and replaces Python's words. Returns `undefined` for text that JSON5 would
 * read as something that nobody means: `"\d"` as `d`, `NaN`.
 */
function asJson5(text: string): string | undefined {
  const part =
    /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[A-Za-z_$][\w$]*|[^]/g;
  let plain = "";
  for (const [token] of text.matchAll(part)) {
    const isString = token.length > 1 && (token.startsWith('"') || token.startsWith("'"));
    if (isString) {
      if (/\\(?!["'\\/bfnrtu])/.test(token.replaceAll("\\\\", ""))) return undefined;
      plain += token.replace(/[\n\r\t]/g, (control) => controls[control] ?? control);
    } else if (token === '"' || token === "'") {
      // A string without an end; looking for one at each further quote would take for ever.
      return undefined;
    } else if (token === "NaN" || token === "Infinity") return undefined;
    else plain += words.get(token) ?? token;
  }
  return plain;
}
