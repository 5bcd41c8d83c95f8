/** What a cell of data can hold. */
export type ChartCell = string | number | boolean | null;

/** Data as it was read: columns by their names, the rows in order. */
export interface ChartTable {
  readonly columns: readonly string[];
  /** Each as long as the columns. */
  readonly rows: readonly (readonly ChartCell[])[];
}

/** A cell that says nothing, however tables put that. */
export function isMissing(cell: ChartCell): boolean {
  if (cell === null) return true;
  return typeof cell === "string" && /^(|[-–—…?]|n\/?a|nan|null|none|k\. ?a\.)$/i.test(cell.trim());
}

/** For messages: which row, counted from 1 without the header, and what it says. */
export function quoted(row: number, cell: ChartCell): string {
  const text = JSON.stringify(cell);
  return `row ${row + 1} has ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
