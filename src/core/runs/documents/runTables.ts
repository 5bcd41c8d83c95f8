import { type KeyedTable, readKeyedTable, type Values } from "../../documents/keyedTable.js";

/**
 * The tables of runs, with their columns in order; the first column is the key (R-MV-29). The shared tables
 * come first, then those of each run. `left_out` names the failed parts that the run goes on without.
 */
export const runTables = {
  process_runs: [
    "run_id",
    "user_request",
    "status",
    "current_phase_id",
    "current_stage_id",
    "current_task_id",
  ],
  user_instructions: [
    "instruction_id",
    "run_id",
    "instruction_type",
    "content",
    "status",
    "superseded_by_id",
    "justification",
  ],
  knowledge_base_catalog: ["file_path", "run_id", "asset_type", "source_task_id", "summary"],
  phases: ["phase_id", "run_id", "phase_name", "phase_purpose", "status"],
  major_stages: [
    "stage_id",
    "run_id",
    "phase_id",
    "stage_name",
    "stage_goal",
    "execution_order",
    "status",
  ],
  tasks: [
    "task_id",
    "run_id",
    "stage_id",
    "task_name",
    "task_purpose",
    "related_references",
    "output_path",
    "pre_tool_purpose",
    "post_tool_purpose",
    "execution_order",
    "status",
  ],
  tool_tasks: [
    "tool_task_id",
    "run_id",
    "parent_task_id",
    "timing",
    "tool_type",
    "tool_task_name",
    "tool_task_purpose",
    "execution_order",
    "status",
  ],
  left_out: ["part_id", "run_id", "part_name", "reason"],
} as const;

export type TableName = keyof typeof runTables;
export type ColumnOf<Name extends TableName> = (typeof runTables)[Name][number];
export type RunRow<Name extends TableName> = Values<ColumnOf<Name>>;
export type RunTable<Name extends TableName> = KeyedTable<ColumnOf<Name>>;

/** Returns whether all runs share a table; the other tables contain rows of one run only. */
export function isShared(name: TableName): boolean {
  return ["process_runs", "user_instructions", "knowledge_base_catalog"].includes(name);
}

/** Never throws; `text` may be anything. */
export function readRunTable<Name extends TableName>(name: Name, text: string): RunTable<Name> {
  const columns = runTables[name] as unknown as readonly [ColumnOf<Name>, ...ColumnOf<Name>[]];
  return readKeyedTable(text, columns);
}

/** Returns whether a value can be an id in a table: it must be safe as part of a file name, too. */
export function isId(value: string): boolean {
  return /^[A-Za-z0-9][\w.-]{0,99}$/.test(value) && !value.includes("..");
}

/** Returns whether a run is not over yet. */
export function isOpen({ status }: { readonly status: string }): boolean {
  return status === "PENDING" || status === "AWAITING_CONFIRMATION";
}
