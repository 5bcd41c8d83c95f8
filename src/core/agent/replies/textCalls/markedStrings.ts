import { parseJson } from "../../../documents/parseJson.js";
import { type Groups, matchAt, type Reading } from "./style.js";

/** A part of an object in Gemma's writing: its keys are bare, and its strings stand between marks. */
const token =
  /\s+|(?<mark><\|"\|>|<escape>)(?<text>[^]*?)\k<mark>|(?<key>[A-Za-z_][\w-]*)\s*:|(?<word>true|false|null)\b|(?<number>-?\d+(?:\.\d+)?)(?![\w.])|(?<sign>[[\]{},:])/y;

/**
 * Reads arguments that are one object with bare keys and with strings between marks, in which nothing is
 * escaped, by writing it as JSON: `{path:<|"|>a.ts<|"|>,line:3}` becomes `{"path":"a.ts","line":3}`.
 */
export function markedStrings(
  source: string,
  start: number,
  { name = "" }: Groups,
): Reading | undefined {
  const json: string[] = [];
  const keys = new Set<string>();
  let depth = 0;
  let end = start;
  do {
    const match = matchAt(token, source, end);
    if (match === null) return undefined;
    end += match[0].length;
    const { text, key, word, number, sign } = match.groups ?? {};
    if (key !== undefined) {
      if (depth === 1 && keys.has(key)) return undefined;
      if (depth === 1) keys.add(key);
      json.push(JSON.stringify(key), ":");
    } else if (text !== undefined) json.push(JSON.stringify(text));
    else json.push(word ?? number ?? sign ?? "");
    if (sign === "{" || sign === "[") depth++;
    else if (sign === "}" || sign === "]") depth--;
  } while (depth > 0);
  const parsed = parseJson(json.join(""));
  if (!parsed.ok) return undefined;
  return { calls: [{ name, json: JSON.stringify(parsed.value) }], end };
}
