import type { TableEdit } from "../documents/editKeyedTable.js";
import { type ColumnOf, type RunRow, runTables, type TableName } from "./runTables.js";

/** A run's rows, by table, in the order of the files; of the global ones only those that are its own. */
export type RunRows = { readonly [Name in TableName]: readonly RunRow<Name>[] };

/** All that what a run does next depends on. */
export interface RunState {
  readonly runId: string;
  readonly rows: RunRows;
  /** What the person is to confirm, or has confirmed, is there. */
  readonly hasProposal: boolean;
  /** The person has been told how the run ended. */
  readonly isReported: boolean;
}

/** An edit and the table that it is of. */
export type RunEdit = {
  readonly [Name in TableName]: {
    readonly table: Name;
    readonly edit: TableEdit<ColumnOf<Name>>;
  };
}[TableName];

/** The state when the edits are written. */
export function withEdits(state: RunState, edits: readonly RunEdit[]): RunState {
  const rows: Record<TableName, readonly Readonly<Record<string, string>>[]> = { ...state.rows };
  for (const { table, edit } of edits) {
    const columns: readonly string[] = runTables[table];
    const [key = ""] = columns;
    const empty = Object.fromEntries(columns.map((column) => [column, ""]));
    rows[table] =
      edit.type === "add"
        ? [...rows[table], { ...empty, ...edit.values }]
        : rows[table].map((row) => (row[key] === edit.id ? { ...row, ...edit.values } : row));
  }
  return { ...state, rows: rows };
}
