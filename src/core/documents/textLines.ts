/** The replacement of a span of a text. */
export interface Change {
  /** Offset of the span's beginning. */
  readonly start: number;
  /** Exclusive end offset; an insertion ends where it starts. */
  readonly end: number;
  readonly text: string;
}

const [lf, cr] = [10, 13];

function isLineEnd(code: number): boolean {
  return code === lf || code === cr;
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
    let [hasLf, hasLoneCr] = [false, false];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== lf && code !== cr) continue;
      const isPair = code === cr && text.charCodeAt(at + 1) === lf;
      hasLf ||= code === lf || isPair;
      hasLoneCr ||= code === cr && !isPair;
      if (isPair) at++;
      starts.push(at + 1);
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
    const start = this.rowStart(row);
    let end = this.offset(row + 1);
    while (end > start && isLineEnd(this.text.charCodeAt(end - 1))) end--;
    return this.text.slice(start, end);
  }

  /** Returns the offset where the characters of {@link row} begin. */
  rowStart(row: number): number {
    return this.offset(row) + (row === 0 && this.text.startsWith("\uFEFF") ? 1 : 0);
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
