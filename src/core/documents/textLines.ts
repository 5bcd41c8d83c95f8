/** The replacement of a span of a text. */
export interface Change {
  /** Offset of the span's beginning. */
  readonly start: number;
  /** Exclusive end offset; an insertion ends where it starts. */
  readonly end: number;
  readonly text: string;
}

/** Returns whether a character's code is LF or CR. */
function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}

/**
 * A text with the positions of its rows. A row is a line's 0-based index; lines end as Markdown's do, with
 * LF, CRLF or CR, and the text need not end with one.
 */
export class TextLines {
  /** Offsets of the rows' beginnings, and of the text's end. */
  private readonly starts: readonly number[];
  /** The line end for added lines: that of the first line, or CRLF where CR and LF are mixed. */
  readonly lineEnd: string;

  constructor(readonly text: string) {
    const starts = [0];
    let nextCr = text.indexOf("\r");
    let nextLf = text.indexOf("\n");
    const hasLf = nextLf >= 0;
    let hasLoneCr = false;
    while (nextCr >= 0 || nextLf >= 0) {
      const isCr = nextCr >= 0 && (nextLf < 0 || nextCr < nextLf);
      const isLone = isCr && nextLf !== nextCr + 1;
      hasLoneCr ||= isLone;
      const end = isLone ? nextCr + 1 : nextLf + 1;
      starts.push(end);
      if (isCr) nextCr = text.indexOf("\r", end);
      if (!isLone) nextLf = text.indexOf("\n", end);
    }
    if (starts.at(-1) !== text.length) starts.push(text.length);
    this.starts = starts;
    // Where CR and LF each end lines, neither may be put beside the other.
    this.lineEnd = hasLf && hasLoneCr ? "\r\n" : (/\r\n?|\n/.exec(text)?.[0] ?? "\n");
  }

  get count(): number {
    return this.starts.length - 1;
  }

  /** Returns the offset where a row begins; the text's end for the row after the last. */
  offset(row: number): number {
    return this.starts[row] ?? this.text.length;
  }

  /** Returns a row's characters without its line end and without the byte order mark. */
  row(row: number): string {
    return this.text.slice(this.rowStart(row), this.rowEnd(row));
  }

  /** Returns the offset where the characters of {@link row} begin. */
  rowStart(row: number): number {
    return this.offset(row) + (row === 0 && this.text.startsWith("\uFEFF") ? 1 : 0);
  }

  /** Returns the offset where the characters of {@link row} end. */
  rowEnd(row: number): number {
    const start = this.rowStart(row);
    let end = this.offset(row + 1);
    while (end > start && isLineEnd(this.text.charCodeAt(end - 1))) end--;
    return end;
  }

  isBlank(row: number): boolean {
    return this.row(row).trim() === "";
  }

  /**
   * Returns a change that replaces a part of a row.
   *
   * @param end exclusive
   */
  inRow(row: number, start: number, end: number, text: string): Change {
    const from = this.rowStart(row);
    return { start: from + start, end: from + end, text };
  }

  /**
   * Returns a change that inserts lines before a row. After the last row, a missing last line end stays
   * missing.
   */
  insert(row: number, lines: readonly string[]): Change {
    const at = row === 0 ? this.rowStart(0) : this.offset(row);
    const isTorn = row > 0 && row >= this.count && !/[\r\n]$/.test(this.text);
    const text = isTorn
      ? lines.map((line) => this.lineEnd + line)
      : lines.map((line) => line + this.lineEnd);
    return { start: at, end: at, text: text.join("") };
  }

  /**
   * Returns a change that replaces the rows from `row` to `end` by other lines, or by none.
   *
   * @param end exclusive
   */
  replace(row: number, end: number, lines: readonly string[]): Change {
    const [from, to] = [this.rowStart(row), this.offset(end)];
    const isTorn = !/[\r\n]$/.test(this.text.slice(from, to));
    const text = lines.join(this.lineEnd) + (isTorn || lines.length === 0 ? "" : this.lineEnd);
    return { start: from, end: to, text };
  }

  /** Returns the text with the changes made; see {@link withChanges}. */
  with(changes: readonly Change[]): string {
    return withChanges(this.text, changes);
  }
}

/**
 * Returns a text with the changes made. Changes must not overlap; several in one place keep their order.
 */
export function withChanges(text: string, changes: readonly Change[]): string {
  const ordered = [...changes].sort((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let at = 0;
  for (const change of ordered) {
    result += text.slice(at, change.start) + change.text;
    at = change.end;
  }
  return result + text.slice(at);
}
