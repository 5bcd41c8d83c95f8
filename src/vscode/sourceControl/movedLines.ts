/** Lines of a document, 0-based, both included. */
interface Lines {
  readonly from: number;
  readonly to: number;
}

/** A change of a document, as VS Code tells it: what it replaces, with 0-based positions, and by what. */
interface Edit {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly text: string;
}

interface Place {
  readonly line: number;
  readonly character: number;
}

/**
 * Returns where lines are after edits that were made at once; `undefined` if one of them has changed the lines
 * themselves. Lines that are inserted or removed above them move them.
 */
export function movedLines({ from, to }: Lines, edits: readonly Edit[]): Lines | undefined {
  let by = 0;
  for (const { range, text } of edits) {
    const { start, end } = range;
    // Whole lines that are put in or taken out before a line leave that line as it is.
    const isWhole = start.character === 0 && end.character === 0 && /(^|\n)$/.test(text);
    const last = isWhole ? end.line - 1 : end.line;
    if (start.line > to) continue;
    if (last >= from) return undefined;
    by += text.split("\n").length - 1 - (end.line - start.line);
  }
  return { from: from + by, to: to + by };
}
