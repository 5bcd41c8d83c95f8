import type { RunId } from "../../ids.js";
import { visibleLine } from "../../text/visibleText.js";
import { filled, type WrittenLanguage, writtenLanguage } from "../../text/writtenLanguage.js";
import type { RunEdit, RunRows, RunState } from "../documents/runState.js";
import type { RunRow } from "../documents/runTables.js";
import { runWordsIn } from "../documents/runWords.js";
import { type Step, targetText } from "./step.js";

/** The most characters of a reason where it is told in one line. */
const mostReason = 300;

/** The parts of one kind that a failure concerns. */
interface Level {
  readonly table: "tool_tasks" | "tasks" | "major_stages" | "phases";
  readonly parts: readonly Part[];
}

interface Part {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** The id of the part that contains it. */
  readonly parent: string;
}

/**
 * Returns the edits that pass a failure on to everything that contains it, from the smallest part to the run.
 * They are written in this order, so that a process that is killed in between leaves only later ones to do
 * (R-MV-25). Returns none if nothing has failed. What was left out has failed, and nothing else with it.
 *
 * @param step the step that has just failed, if that is not written yet; a plan that was not made has no row
 */
export function failureEdits(state: RunState, step?: Step): RunEdit[] {
  const levels = failedParts(state.rows, step);
  const isWell = levels.every(({ parts }) => parts.length === 0);
  if (isWell && step === undefined) return [];
  const values = { status: "FAILED" };
  const ofRun: RunEdit = { table: "process_runs", edit: { type: "set", id: state.runId, values } };
  return [...statusEdits("FAILED", levels), ofRun];
}

function statusEdits(status: string, levels: readonly Level[]): RunEdit[] {
  return levels.flatMap(({ table, parts }) =>
    parts
      .filter((part) => part.status !== status)
      .map(({ id }): RunEdit => ({ table, edit: { type: "set", id, values: { status } } })),
  );
}

/** Returns all parts that have failed, or contain one that has, the smallest first; see {@link failureEdits}. */
function failedParts(rows: RunRows, step?: Step): Level[] {
  const leftOut = new Set(rows.left_out.map(({ part_id }) => part_id));
  const at = placeOf(step);
  let within: readonly (string | undefined)[] = [];
  return partsOf(rows).map(({ table, parts }) => {
    const failed = parts.filter(
      ({ id, status }) =>
        (status === "FAILED" && !leftOut.has(id)) || id === at[table] || within.includes(id),
    );
    within = failed.map(({ parent }) => parent);
    return { table, parts: failed };
  });
}

function partsOf({ tool_tasks, tasks, major_stages, phases }: RunRows): Level[] {
  return [
    {
      table: "tool_tasks",
      parts: tool_tasks.map((row) => ({
        id: row.tool_task_id,
        name: `${row.tool_task_name} (${row.tool_type})`,
        status: row.status,
        parent: row.parent_task_id,
      })),
    },
    {
      table: "tasks",
      parts: tasks.map((row) => ({
        id: row.task_id,
        name: row.task_name,
        status: row.status,
        parent: row.stage_id,
      })),
    },
    {
      table: "major_stages",
      parts: major_stages.map((row) => ({
        id: row.stage_id,
        name: row.stage_name,
        status: row.status,
        parent: row.phase_id,
      })),
    },
    {
      table: "phases",
      parts: phases.map((row) => ({
        id: row.phase_id,
        name: row.phase_name,
        status: row.status,
        parent: "",
      })),
    },
  ];
}

/** Returns the id of the row that a step is about, by its table. */
function placeOf(step: Step | undefined): Partial<Record<Level["table"], string>> {
  if (step?.type === "prepare") return { tasks: step.task };
  if (step?.type === "execute") {
    const { work } = step;
    return work.type === "tool"
      ? { tool_tasks: work.tool.tool_task_id }
      : { tasks: work.task.task_id };
  }
  if (step?.type !== "plan") return {};
  const { target } = step;
  if (target.type === "tools") return { tasks: target.id };
  if (target.type === "stage") return { major_stages: target.id };
  return target.type === "phase" ? { phases: target.id } : {};
}

/**
 * Returns the edits by which the run goes on without a helper that has failed after its task's work, or whose plan has;
 * `undefined` for all other steps: what a task needs before its own work fails the run (R-MV-19, R-MV-24), and only a person
 * goes on without it. The reason comes first: a failed part without one ends the run.
 */
export function skipHelperEdits(
  state: RunState,
  step: Step,
  reason: string,
): RunEdit[] | undefined {
  if (step.type === "execute" && step.work.type === "tool") {
    if (step.work.tool.timing === "PRE") return undefined;
    const { tool_task_id: id, tool_task_name: name, tool_type: type } = step.work.tool;
    const failed: RunEdit = {
      table: "tool_tasks",
      edit: { type: "set", id, values: { status: "FAILED" } },
    };
    return [leftOut(state, id, `${name} (${type})`, reason), failed];
  }
  if (step.type !== "plan" || step.target.type !== "tools") return undefined;
  const { timing, id: taskId } = step.target;
  if (timing === "PRE") return undefined;
  const task = state.rows.tasks.find(({ task_id }) => task_id === taskId);
  const purpose = task?.post_tool_purpose ?? "";
  const id = `${taskId}-${timing}1`;
  const values = {
    tool_task_id: id,
    run_id: state.runId,
    parent_task_id: taskId,
    timing,
    tool_type: "Helper",
    tool_task_name: purpose,
    tool_task_purpose: purpose,
    execution_order: "1",
    status: "FAILED",
  };
  return [
    leftOut(state, id, purpose, reason),
    { table: "tool_tasks", edit: { type: "add", values } },
  ];
}

function leftOut({ runId, rows }: RunState, id: string, name: string, reason: string): RunEdit {
  const values = { run_id: runId, part_name: name, reason: visibleLine(reason, mostReason) };
  const isKnown = rows.left_out.some(({ part_id }) => part_id === id);
  const edit = isKnown
    ? ({ type: "set", id, values } as const)
    : ({ type: "add", values: { part_id: id, ...values } } as const);
  return { table: "left_out", edit };
}

/**
 * Returns the parts that the run goes on without: helpers that failed, and what a person chose to leave out. A part that
 * was tried again and has not failed since is not among them.
 */
export function leftOutParts(rows: RunRows): RunRow<"left_out">[] {
  const failed = partsOf(rows).flatMap(({ parts }) =>
    parts.flatMap(({ id, status }) => (status === "FAILED" ? [id] : [])),
  );
  return rows.left_out.filter(({ part_id }) => failed.includes(part_id));
}

/** Returns the helpers of a task that were left out. */
export function leftOutOf({ task_id: id }: RunRow<"tasks">, rows: RunRows): RunRow<"left_out">[] {
  const own = rows.tool_tasks.filter(({ parent_task_id }) => parent_task_id === id);
  return leftOutParts(rows).filter(({ part_id }) =>
    own.some(({ tool_task_id }) => tool_task_id === part_id),
  );
}

/** Returns what people and agents are told of a part that was left out, in one line. */
export function leftOutNote(
  { part_name: name, reason }: RunRow<"left_out">,
  language: WrittenLanguage = "en",
): string {
  return filled(runWordsIn(language).leftOutNote, name, reason);
}

/**
 * Returns the edits by which a run that has failed is tried again, from the smallest part to the phase; the run itself
 * is to be set afterwards. Its failed parts are pending again, and with them what had helped a failed task in vain.
 */
export function retryEdits({ rows }: RunState): RunEdit[] {
  const levels = failedParts(rows);
  const failed = new Set(levels.slice(0, 2).flatMap(({ parts }) => parts.map(({ id }) => id)));
  // What was left out for a task counts as failed with that task only.
  const tools = partsOf(rows)[0]?.parts.filter(
    ({ id, status, parent }) => status === "FAILED" && (failed.has(id) || failed.has(parent)),
  );
  return statusEdits("PENDING", [{ table: "tool_tasks", parts: tools ?? [] }, ...levels.slice(1)]);
}

/**
 * Returns the edits by which a run that has failed goes on without the smallest part that has, as {@link retryEdits}
 * does it; `undefined` if what has failed is no part of its own, such as the proposal.
 */
export function skipEdits(state: RunState, reason: string): RunEdit[] | undefined {
  const levels = failedParts(state.rows);
  const at = levels.findIndex(({ parts }) => parts.length > 0);
  if (at < 0) return undefined;
  const left = levels[at]?.parts.map(({ id, name }) => leftOut(state, id, name, reason)) ?? [];
  // In this order the same part is the smallest one again if the process is killed in between.
  return [...statusEdits("PENDING", levels.slice(at + 1)), ...left];
}

/**
 * Returns the report of a failure: where the run failed, the purpose of the step, and the error log verbatim
 * (R-MV-26).
 *
 * @param tries how often the run was begun or had to go on, this time included
 */
export function failureText(
  { runId, rows }: RunState,
  step: Step,
  purpose: string,
  errorLog: string,
  tries: number,
): string {
  const run = rows.process_runs[0];
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["run_id", runId],
    ["current_phase_id", run?.current_phase_id],
    ["current_stage_id", run?.current_stage_id],
    ["current_task_id", run?.current_task_id],
    ["failed", pointOf(step)],
    ["try", tries === 1 ? "" : String(tries)],
    ["purpose", purpose.replace(/\s+/g, " ").trim()],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`- ${name}: ${value}`],
  );
  // The fence must be longer than any within the error log.
  const marks = [...errorLog.matchAll(/`{3,}/g)].map(([one]) => one.length + 1);
  const fence = "`".repeat(Math.max(3, ...marks));
  const say = runWordsIn(writtenLanguage(run?.user_request ?? ""));
  return [
    `# ${filled(say.failed, runId)}`,
    "",
    ...lines,
    "",
    `## ${say.errorLog}`,
    "",
    fence,
    errorLog.trimEnd(),
    fence,
    "",
  ].join("\n");
}

/** Returns whether a report of {@link failureText} is about this step. */
export function isAbout(report: string, step: Step): boolean {
  return report.includes(`\n- failed: ${pointOf(step)}\n`);
}

/** Returns why a run has failed, in one line, as in `task P2-S1-T1: no bees`; `""` if the report does not say. */
export function failureReason(report: string): string {
  const [, point = ""] = /^- failed: (.+)$/m.exec(report) ?? [];
  const [, , log = ""] = /^## [^\n]+\n\n(`{3,})\n([^]*?)\n\1$/m.exec(report) ?? [];
  return visibleLine([point, log].filter((part) => part !== "").join(": "), mostReason);
}

function pointOf(step: Step): string {
  if (step.type === "plan") return `plan_target ${targetText(step.target)}`;
  if (step.type === "prepare") return `task ${step.task}`;
  if (step.type !== "execute") return "";
  const { work } = step;
  return work.type === "tool" ? `tool task ${work.tool.tool_task_id}` : `task ${work.task.task_id}`;
}

/**
 * Returns whether a run's failure report says that the user cancelled the run: its first field does. The reports of
 * earlier versions have no such field, but a heading of their own.
 */
export function isCancellation(runId: RunId, report: string): boolean {
  return (
    /^# [^\n]*\n\n- end: CANCELLED\n/.test(report) ||
    report.startsWith(`# ${runId} was cancelled\n`)
  );
}
