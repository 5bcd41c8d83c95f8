export interface Line {
  readonly text: string;
  /** The line break; `""` only for a last line without one. */
  readonly end: "\n" | "\r\n" | "";
}

/**
 * Splits a text into lines without loss: {@link joinLines} gives back every byte. An empty text has
 * no lines.
 */
export function splitLines(text: string): Line[] {
  const pieces = text.split("\n");
  const last = pieces.pop() ?? "";
  const lines: Line[] = pieces.map((piece) =>
    piece.endsWith("\r") ? { text: piece.slice(0, -1), end: "\r\n" } : { text: piece, end: "\n" },
  );
  if (last !== "") lines.push({ text: last, end: "" });
  return lines;
}

export function joinLines(lines: readonly Line[]): string {
  return lines.map((line) => line.text + line.end).join("");
}

/** Returns the line break that most lines have. */
export function usualEnd(text: string): "\n" | "\r\n" {
  const all = count(text, "\n");
  return count(text, "\r\n") * 2 > all ? "\r\n" : "\n";
}

export function withEnds(text: string, end: "\n" | "\r\n"): string {
  return text.replace(/\r?\n/g, end);
}

/** Returns the 1-based numbers of the lines at these character indexes, which are in order. */
export function linesAt(text: string, indexes: readonly number[]): number[] {
  let from = 0;
  let line = 1;
  return indexes.map((index) => {
    line += count(text.slice(from, index), "\n");
    from = index;
    return line;
  });
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
  return found;
}
