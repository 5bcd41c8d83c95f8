/** The value of a cell of data. */
export type ChartCell = string | number | boolean | null;

/** Data as read from its source, with named columns and the rows in order. */
export interface ChartTable {
  readonly columns: readonly string[];
  /** The rows; each has as many cells as there are columns. */
  readonly rows: readonly (readonly ChartCell[])[];
}

/**
 * Returns whether a cell has no value, however tables write that (`-`, `n/a`, `null` and the like).
 */
export function isMissing(cell: ChartCell): boolean {
  if (cell === null) return true;
  return typeof cell === "string" && /^(|[-–—…?]|n\/?a|nan|null|none|k\. ?a\.)$/i.test(cell.trim());
}

/**
 * Describes a cell for a message by its row, counted from 1 without the header, and its value.
 *
 * @param row 0-based
 */
export function quoted(row: number, cell: ChartCell): string {
  const text = JSON.stringify(cell);
  return `row ${row + 1} has ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
