import { type Words, words } from "../text/words.js";

/** Returns where a text is no JSON, for a sentence that says so in brackets; without the line if the text is only one. */
export function jsonFault(text: string): Words {
  const offset = faultOffset(text);
  if (offset === undefined) return words("its end is missing");
  const before = text.slice(0, offset).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return text.trimEnd().includes("\n")
    ? words("line {line}, column {column}", { line: before.length, column })
    : words("column {column}", { column });
}

/** Returns the offset of the first character with which a text is no JSON; `undefined` if only its end is missing. */
export function faultOffset(text: string): number | undefined {
  // Words are told at their first letter: the search below takes long for a file of a hundred thousand lines of them.
  const [blanks = ""] = /^[\t\n\r ]*/.exec(text) ?? [];
  const first = text.charAt(blanks.length);
  if (first !== "" && !/[[{"\-\dtfn]/.test(first)) return blanks.length;
  if (mayBegin(text)) return undefined;
  // The engine names the place of some faults only, but every beginning before the fault could still become JSON.
  let good = 0;
  let bad = text.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (mayBegin(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

/** Returns whether a text is JSON, or could become JSON by what follows. */
function mayBegin(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    const [, position] = /at position (\d+)/.exec(reason) ?? [];
    return position === undefined
      ? reason.startsWith("Unexpected end")
      : Number(position) >= text.length;
  }
}
