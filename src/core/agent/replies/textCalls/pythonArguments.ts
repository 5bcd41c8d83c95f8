import { parseJson } from "../../../documents/parseJson.js";
import { type Groups, matchAt, type Reading } from "./style.js";

/** A token of Python's keyword arguments whose values are literals that JSON can express as well. */
const token =
  /\s+|(?<key>\w+)\s*=|(?<word>True|False|None|true|false|null)\b|(?<number>-?\d+(?:\.\d+)?)(?![\w.])|(?<raw>r?)(?:(?<quotes>"""|''')(?<long>(?:(?!\k<quotes>)[^\\]|\\[^])*)\k<quotes>|(?<quote>["'])(?<short>(?:(?!\k<quote>)[^\\\n]|\\[^])*)\k<quote>)|(?<sign>[[\]{},:)])/y;

/**
 * Reads a call's keyword arguments up to the parenthesis that closes the call, by writing them as JSON:
 * `path="a.ts", line=None)` becomes `{"path":"a.ts","line":null}`. Anything but literals is not read.
 */
export function pythonArguments(
  text: string,
  start: number,
  { name = "" }: Groups,
): Reading | undefined {
  const json = ["{"];
  const keys = new Set<string>();
  let depth = 0;
  let end = start;
  while (depth >= 0) {
    const match = matchAt(token, text, end);
    if (match === null) return undefined;
    end += match[0].length;
    const { key, word, number, raw, long, short, sign } = match.groups ?? {};
    const string = long ?? short;
    if (key !== undefined) {
      if (depth > 0 || keys.has(key)) return undefined;
      keys.add(key);
      json.push(JSON.stringify(key), ":");
    } else if (word !== undefined) {
      json.push(word === "None" ? "null" : word.toLowerCase());
    } else if (number !== undefined) json.push(number);
    else if (string !== undefined) {
      const value = raw === "r" ? string : unescaped(string);
      if (value === undefined) return undefined;
      json.push(JSON.stringify(value));
    } else if (sign === "[" || sign === "{") {
      depth++;
      json.push(sign);
    } else if (sign === "]" || sign === "}" || sign === ")") {
      if (sign === ")" && depth > 0) return undefined;
      depth--;
      // Unlike JSON, Python allows a comma after the last item.
      if (json.at(-1) === "," && !["[", "{", ","].includes(json.at(-2) ?? "")) json.pop();
      json.push(sign === ")" ? "}" : sign);
    } else if (sign === "," || (sign === ":" && depth > 0)) json.push(sign);
    else if (sign === ":") return undefined;
  }
  const parsed = parseJson(json.join(""));
  if (!parsed.ok) return undefined;
  return { calls: [{ name, json: JSON.stringify(parsed.value) }], end };
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

/**
 * Returns what a string literal stands for; `undefined` if it has any other escape, such as `\d`, whose
 * backslash may be meant.
 */
function unescaped(literal: string): string | undefined {
  const characters = [...literal.matchAll(/\\([^])/g)].map(([, character = ""]) => character);
  if (!characters.every((character) => Object.hasOwn(escapes, character))) return undefined;
  return literal.replace(/\\([^])/g, (_, character: string) => escapes[character] ?? "");
}
