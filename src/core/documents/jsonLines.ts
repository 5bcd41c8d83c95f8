import jsonlParseStringify from "jsonl-parse-stringify";
import type { Json } from "./parseJson.js";

// The package is CommonJS with an ES default export, which Node's interop leaves one step deeper.
const jsonl = jsonlParseStringify.default;

/** Writes one object as one line, without the newline. */
export function toJsonLine(value: object): string {
  return jsonl.stringify([value]);
}

/** Parses one line; parsing line by line keeps one bad line from spoiling its neighbours. */
export function parseJsonLine(line: string): Json {
  try {
    const values = jsonl.parse<unknown>(line);
    return values.length === 1
      ? { ok: true, value: values[0] }
      : { ok: false, reason: "the line is empty" };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
