import type { DocumentProblem } from "../../documents/documentProblem.js";
import type { RunId } from "../../ids.js";
import { joined } from "../../text/joined.js";
import { type Words, words } from "../../text/words.js";
import { phaseNames } from "./runLayout.js";
import {
  type ColumnOf,
  isId,
  isShared,
  type RunRow,
  type RunTable,
  type TableName,
} from "./runTables.js";

/** A condition on a value, which may depend on its row. */
interface Check<Name extends TableName> {
  /** The requirement that a wrong value breaks. */
  readonly rule: string;
  readonly column: ColumnOf<Name>;
  readonly isValid: (value: string, row: RunRow<Name>) => boolean;
  /** The sentence that follows what the value is. */
  readonly must: Words;
}

/** The id of the stage and phase of the tasks that prepare a run. */
const preparation = "0";

const idMust = words("It must have letters, digits, dots, - and _ only, 100 at most.");
const isOrder = (value: string) => /^\d{1,9}$/.test(value);
const orderMust = words("It must be a whole number.");
const oneOf = (known: readonly string[]) => ({
  isValid: (value: string) => known.includes(value),
  must: words("It must be one of {known}.", { known: known.join(", ") }),
});
const status = oneOf(["PENDING", "COMPLETED", "FAILED"]);
const isThere = (value: string) => value !== "";
const isInside = (value: string) =>
  value !== "" && !/^\/|^[A-Za-z]:|\\|(^|\/)\.\.(\/|$)/.test(value);
const insideMust = words("It must be a path in the workspace, as in assets/report.md.");

const checks: { readonly [Name in TableName]: readonly Check<Name>[] } = {
  process_runs: [
    { rule: "R-MV-5", column: "run_id", isValid: isId, must: idMust },
    {
      rule: "R-MV-30",
      column: "status",
      ...oneOf(["PENDING", "AWAITING_CONFIRMATION", "COMPLETED", "FAILED"]),
    },
    {
      rule: "R-MV-27",
      column: "status",
      isValid: (value, row) =>
        value !== "COMPLETED" ||
        row.current_phase_id + row.current_stage_id + row.current_task_id === "",
      must: words("It says that the run is over: nothing may be current any more."),
    },
  ],
  user_instructions: [
    { rule: "R-MV-12", column: "instruction_id", isValid: isId, must: idMust },
    {
      rule: "R-MV-12",
      column: "content",
      isValid: isThere,
      must: words("It must say what holds."),
    },
    { rule: "R-MV-12", column: "status", ...oneOf(["ACTIVE", "SUPERSEDED"]) },
    {
      rule: "R-MV-12",
      column: "superseded_by_id",
      isValid: (value, row) => (row.status === "SUPERSEDED") === (value !== ""),
      must: words(
        "It must name the newer instruction where the status is SUPERSEDED, and nothing otherwise.",
      ),
    },
  ],
  knowledge_base_catalog: [
    { rule: "R-MV-35", column: "file_path", isValid: isInside, must: insideMust },
    {
      rule: "R-MV-31",
      column: "asset_type",
      isValid: isThere,
      must: words("It must say what the file is."),
    },
  ],
  phases: [
    { rule: "R-MV-14", column: "phase_id", isValid: isId, must: idMust },
    { rule: "R-MV-13", column: "phase_name", ...oneOf(phaseNames) },
    { rule: "R-MV-30", column: "status", ...status },
  ],
  major_stages: [
    { rule: "R-MV-15", column: "stage_id", isValid: isId, must: idMust },
    {
      rule: "R-MV-15",
      column: "phase_id",
      isValid: isThere,
      must: words("It must name the phase."),
    },
    { rule: "R-MV-16", column: "execution_order", isValid: isOrder, must: orderMust },
    { rule: "R-MV-30", column: "status", ...status },
  ],
  tasks: [
    { rule: "R-MV-17", column: "task_id", isValid: isId, must: idMust },
    {
      rule: "R-MV-17",
      column: "stage_id",
      isValid: isThere,
      must: words("It must name the stage."),
    },
    {
      rule: "R-MV-17",
      column: "task_purpose",
      isValid: isThere,
      must: words("It must say what is to be done."),
    },
    {
      rule: "R-MV-17",
      column: "related_references",
      isValid: (value, row) => value !== "" || row.stage_id === preparation,
      must: words("It must name at least one file that the task begins from."),
    },
    {
      rule: "R-MV-17",
      column: "output_path",
      isValid: (value, row) =>
        isOutput(value, row.run_id) || (value === "" && row.stage_id === preparation),
      must: words("It must lie in a phase's folder of the run's workspace, or in its outputs."),
    },
    { rule: "R-MV-18", column: "execution_order", isValid: isOrder, must: orderMust },
    { rule: "R-MV-30", column: "status", ...status },
  ],
  tool_tasks: [
    { rule: "R-MV-19", column: "tool_task_id", isValid: isId, must: idMust },
    {
      rule: "R-MV-19",
      column: "parent_task_id",
      isValid: isThere,
      must: words("It must name the task."),
    },
    { rule: "R-MV-19", column: "timing", ...oneOf(["PRE", "POST"]) },
    { rule: "R-MV-19", column: "execution_order", isValid: isOrder, must: orderMust },
    { rule: "R-MV-30", column: "status", ...status },
  ],
  left_out: [{ rule: "R-MV-24", column: "part_id", isValid: isId, must: idMust }],
};

/** Returns the problems of a table, in the order of its lines. */
export function tableProblems<Name extends TableName>(
  name: Name,
  table: RunTable<Name>,
): DocumentProblem[] {
  const structure = table.problems.map((problem) => ({ ...problem, rule: "R-MV-29" }));
  const rows = table.rows.flatMap(({ values, source: { row }, problem }) =>
    problem === undefined
      ? rowProblems(name, values, table).map((found) => ({ ...found, row }))
      : [{ row, rule: "R-MV-29", message: problem }],
  );
  const runs = isShared(name) ? [] : strangers(table);
  return [...structure, ...rows, ...runs].sort((a, b) => a.row - b.row);
}

function rowProblems<Name extends TableName>(
  name: Name,
  values: RunRow<Name>,
  { places }: RunTable<Name>,
): Omit<DocumentProblem, "row">[] {
  const own: readonly Check<Name>[] = checks[name];
  return own
    .filter(({ column, isValid }) => places.has(column) && !isValid(values[column], values))
    .map(({ rule, column, must }) => {
      const given: string = values[column];
      const said =
        given === ""
          ? words("{column} is empty.", { column })
          : words("{column} says {value}.", { column, value: JSON.stringify(given.slice(0, 80)) });
      return { rule, message: joined(said, " ", must) };
    });
}

function strangers<Name extends TableName>({ rows }: RunTable<Name>): DocumentProblem[] {
  const runIdOf = (row: Readonly<Record<string, string>> | undefined) => row?.["run_id"];
  const run = runIdOf(rows[0]?.values);
  return rows
    .filter(({ values }) => runIdOf(values) !== run)
    .map(({ source: { row } }) => {
      const message = words(
        "run_id is not the one of the first row. The table belongs to one run.",
      );
      return { row, rule: "R-MV-35", message };
    });
}

function isOutput(path: string, runId: RunId): boolean {
  const parts = path.split("/");
  const at = parts.findIndex(
    (part, index) => (part === "runs" || part === "outputs") && parts[index + 1] === runId,
  );
  const [folder, , below, phase] = at < 0 ? [] : parts.slice(at);
  if (!isInside(path) || below === undefined) return false;
  if (folder === "outputs") return true;
  return below === "workspace" && phaseNames.some((known) => known === phase);
}
