import type { Groups, Reading } from "./style.js";

const ends = /<end_function_call>|<tool_call\|>/;
const quotes = /<escape>|<\|"\|>/;

/** Reads Gemma's arguments: an object whose keys stand without quotes, and whose texts stand between marks. */
export function* escapedArguments(
  text: string,
  at: number,
  { name = "" }: Groups,
): Generator<Reading> {
  const end = ends.exec(text.slice(at));
  if (end === null) return;
  const parts = text.slice(at, at + end.index).split(quotes);
  const json = parts.map((part, index) =>
    index % 2 === 1
      ? JSON.stringify(part)
      : part.replace(/([{,]\s*)([A-Za-z_]\w*)\s*:/g, '$1"$2":'),
  );
  yield { calls: [{ name, json: json.join("") }], end: at + end.index + end[0].length };
}
