import jsonlParseStringify from "jsonl-parse-stringify";

// The package is CommonJS with an ES default export, which Node's interop leaves one step deeper.
const jsonl = jsonlParseStringify.default;

export type JsonLine =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** One object as one line, without the newline. */
export function toJsonLine(value: object): string {
  return jsonl.stringify([value]);
}

/** Parses one line; parsing line by line keeps one bad line from spoiling its neighbours. */
export function parseJsonLine(line: string): JsonLine {
  try {
    const values = jsonl.parse<unknown>(line);
    return values.length === 1
      ? { ok: true, value: values[0] }
      : { ok: false, reason: "the line is empty" };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
