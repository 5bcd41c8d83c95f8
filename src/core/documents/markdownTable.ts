import MarkdownIt, { type Token } from "markdown-it";
import type { TextLines } from "./textLines.js";

/** A cell: what stands between two pipes of a row. */
interface TableCell {
  /** Offset in the row at which the cell begins. */
  readonly start: number;
  /** Exclusive end offset in the row. */
  readonly end: number;
  /** The cell's characters, with the spaces around its text. */
  readonly source: string;
}

/** A row of a table. `row` is 0-based, as everywhere in {@link TextLines}. */
export interface TableRow {
  readonly row: number;
  readonly cells: readonly TableCell[];
}

export interface MarkdownTable {
  readonly header: TableRow;
  /** The dashes below the header. */
  readonly delimiter: TableRow;
  readonly rows: readonly TableRow[];
}

export interface TablesRead {
  /** The tables in the document's order, without those within a quote or a list. */
  readonly tables: readonly MarkdownTable[];
  /** Rows that begin like a table's row but belong to no table. */
  readonly strays: readonly number[];
}

// Only blocks are parsed, including those that may end a table.
const markdown = new MarkdownIt("zero", { html: true, maxNesting: 60 })
  .enable(["blockquote", "code", "fence", "heading", "hr", "html_block", "list", "table"])
  .disable(["inline", "text_join"]);

// Cells are read from their rows, since their places are needed: a catalog of thousands of rows would make
// hundreds of thousands of tokens for them.
markdown.block.State = class extends markdown.block.State {
  private spare: Token | undefined;
  private isInCell = false;

  override push(type: string, tag: string, nesting: Token["nesting"]): Token {
    const isCell = tag === "td" || tag === "th";
    if (isCell) this.isInCell = nesting > 0;
    if (!isCell && !this.isInCell) return super.push(type, tag, nesting);
    // A cell's token is never read: the parser only needs an object to write to.
    return (this.spare ??= new this.Token(type, tag, nesting));
  }
};

/** Reads a document's tables; linear in its length. */
export function readTables(lines: TextLines): TablesRead {
  const tables: { header: TableRow; delimiter: TableRow; rows: TableRow[] }[] = [];
  const strays: number[] = [];
  const rowAt = (row: number): TableRow => ({ row, cells: cellsOf(lines.row(row)) });
  for (const { type, level, map } of markdown.parse(lines.text.replace(/^\uFEFF/, ""), {})) {
    const [row = 0, end = 0] = map ?? [];
    if (type === "tr_open" && level === 2) {
      const table = tables.at(-1);
      // The header's row and the others have the same depth in the tree.
      if (table?.header.row === row || table === undefined) continue;
      table.rows.push(rowAt(row));
    } else if (type === "table_open" && level === 0) {
      tables.push({ header: rowAt(row), delimiter: rowAt(row + 1), rows: [] });
    } else if (level === 0 && (type === "paragraph_open" || type === "code_block")) {
      for (let at = row; at < end; at++) {
        if (lines.row(at).trimStart().startsWith("|")) strays.push(at);
      }
    }
  }
  return { tables, strays };
}

/**
 * Splits a row into cells as GitHub's Markdown does: a pipe behind a backslash separates nothing, not even
 * within code.
 */
function cellsOf(text: string): TableCell[] {
  const cells: TableCell[] = [];
  const end = text.trimEnd().length;
  const first = text.length - text.trimStart().length;
  let start = first;
  const add = (to: number): void => {
    const isEdge = start === to && (start === first || to === end);
    if (!isEdge) cells.push({ start, end: to, source: text.slice(start, to) });
    start = to + 1;
  };
  for (let at = first; at < end; at++) {
    if (text[at] === "|" && (at === first || text[at - 1] !== "\\")) add(at);
  }
  add(end);
  return cells;
}
