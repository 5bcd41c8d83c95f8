import type { TableEdit } from "../../documents/editKeyedTable.js";
import type { RunId } from "../../ids.js";
import { type ColumnOf, type RunRow, runTables, type TableName } from "./runTables.js";

/** The rows of one run, by table, in the order of the files; of shared tables only the run's own rows. */
export type RunRows = { readonly [Name in TableName]: readonly RunRow<Name>[] };

/** The complete state that determines a run's next step. */
export interface RunState {
  readonly runId: RunId;
  readonly rows: RunRows;
  /** Whether there is a proposal, awaiting confirmation or confirmed. */
  readonly hasProposal: boolean;
  /** Whether the user has been told how the run ended. */
  readonly isReported: boolean;
}

/** An edit together with its table. */
export type RunEdit = {
  readonly [Name in TableName]: {
    readonly table: Name;
    readonly edit: TableEdit<ColumnOf<Name>>;
  };
}[TableName];

/** Returns the state after the edits. */
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
