import type { ProposalContent } from "../conversation/events/events.js";
import { UserError } from "../errors.js";
import type { RunId, TaskId } from "../ids.js";
import type { Lock } from "../ports/locks.js";
import type { Signer } from "../ports/system.js";
import { type Said, words } from "../text/words.js";
import { proposalContent, wantedChange } from "./documents/proposal.js";
import { type RunRows, withEdits } from "./documents/runState.js";
import type { CheckedTable, RunRead, RunStore } from "./documents/runStore.js";
import { isId, type RunTable } from "./documents/runTables.js";
import { isRunTakenOver } from "./documents/takenOver.js";
import { totalWork, type UnitRecord, type UnitRecords } from "./documents/unitRecords.js";
import { runLock } from "./work/driveRun.js";
import { failureReason, skipEdits, isCancellation, leftOutParts } from "./work/failure.js";
import { nextStep } from "./work/nextStep.js";
import { runModes } from "./work/runServices.js";
import { runUnitId } from "./work/runUnit.js";
import { type Step, stepObjective, targetText, unitOfStep } from "./work/step.js";

/**
 * `here`: this process runs it; `elsewhere`: another process does; `needsYou`: it awaits the user's
 * confirmation; `left`: it can be resumed; `broken`: its tables must be fixed first.
 */
export type RunProgress =
  | "here"
  | "elsewhere"
  | "needsYou"
  | "left"
  | "done"
  | "failed"
  | "cancelled"
  | "broken";

/** A run as lists show it: plain data. Lines are 1-based, paths relative to the workspace. */
export interface RunOverview {
  readonly runId: RunId;
  readonly request: string;
  readonly state: RunProgress;
  /** Whether nobody has taken it over here: it may have come with the folder, and does not go on by itself. */
  readonly isForeign: boolean;
  /** The status in the table, as in `AWAITING_CONFIRMATION`. */
  readonly status: string;
  /** The agent at work for it; `null` if none is. */
  readonly unit: RunUnit | null;
  /** The other process that runs it, as in `rooroo run (process 7)`; `null` if there is none. */
  readonly holder: string | null;
  /** The ids of the phase, stage and task that the run is at, as in its row; `""` if there is none. */
  readonly place: { readonly phase: string; readonly stage: string; readonly task: string };
  /** The phases as the table has them. */
  readonly phases: readonly { readonly name: string; readonly status: string }[];
  /** The next step if the run is resumed, in words. */
  readonly next: Said;
  /** The reason why the run cannot continue; `null` if its tables are valid. */
  readonly problem: Said | null;
  /** The path of the proposal whose confirmation comes next; `null` if something else does. */
  readonly awaitedProposal: string | null;
  /** The number of tasks planned so far, and how many of them are done. */
  readonly tasks: { readonly total: number; readonly done: number };
  /** The proposal that awaits the user's confirmation. */
  readonly proposal: RunProposal | null;
  /** The changes that the user wanted of earlier proposals, oldest first. */
  readonly changes: readonly string[];
  /** The path of the proposal's document, awaiting confirmation or confirmed. */
  readonly proposalPath: string | null;
  /** The preparation, if it has been planned, then the phases. */
  readonly parts: readonly RunPart[];
  /** The paths of the outputs so far. */
  readonly outputs: readonly string[];
  readonly outputsPath: string;
  /** The message to the user at the end of the run. */
  readonly report: RunText | null;
  /** The report of where and why the run has failed. */
  readonly failure: RunText | null;
  /** The reason why the run has ended without its outputs, in one line; `null` if it has not. */
  readonly reason: string | null;
  /** The parts that the run goes on without, and why, in one line each. */
  readonly leftOut: readonly {
    readonly id: string;
    readonly name: string;
    readonly reason: string;
  }[];
  /** Whether the run has failed and can go on without what has. */
  readonly canSkip: boolean;
  /** The number of failures after which the user had the run go on. */
  readonly retries: number;
  /** The path of that report if the run has failed, even if there is no such file. */
  readonly failurePath: string | null;
  readonly tablePath: string;
  /** The line of the run's row in the table. */
  readonly tableLine: number;
  /** The work of all its agents; `null` if it is not known. */
  readonly work: UnitRecord | null;
  /** The problem that stops the run, if any, and all problems of its own tables. */
  readonly problems: readonly RunProblem[];
}

/** The runs of a workspace, the newest first. */
export interface RunsOverview {
  readonly runs: readonly RunOverview[];
  /** Problems of the tables that all runs share. */
  readonly problems: readonly RunProblem[];
}

/** The agent that works for a run. */
interface RunUnit {
  /** The id of its session. */
  readonly taskId: TaskId;
  /** The mode's slug. */
  readonly mode: string;
  /** The objective in one line. */
  readonly goal: string;
}

interface RunProposal {
  /** Stays the same until the user has answered the proposal. */
  readonly id: string;
  readonly content: ProposalContent;
}

export interface RunPart {
  readonly kind: "preparation" | "phase" | "stage" | "task" | "tool";
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
  /** `null` if the table has an unknown status. */
  readonly status: "PENDING" | "COMPLETED" | "FAILED" | null;
  /** Whether the run is at this part, even if no process runs it now. */
  readonly isCurrent: boolean;
  /** The path of its output, once that exists. */
  readonly output: string | null;
  /** The reason why the run goes on without it; `null` if it does not. */
  readonly leftOut: string | null;
  /** The sessions of the agents that have worked on it, the newest first. */
  readonly sessions: readonly TaskId[];
  /** What they have done; `null` if that is not known. */
  readonly work: UnitRecord | null;
  readonly children: readonly RunPart[];
}

interface RunText {
  readonly path: string;
  readonly text: string;
}

export interface RunProblem {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: Said;
}

/** The facts that an overview needs besides the run's tables. */
interface RunFacts {
  readonly isHere: boolean;
  /** The process that runs it, if any does. */
  readonly holder: string | undefined;
  readonly isForeign: boolean;
  readonly tableLine: number;
  /** The document's text, or `""` if there is none. */
  readonly proposal: string;
  /** The proposals that the user wanted changed, oldest first. */
  readonly earlier: readonly string[];
  readonly report: string;
  readonly failure: string;
  /** The number of failures after which the user had the run go on. */
  readonly retries: number;
  /** The work of its agents. */
  readonly units: ReadonlyMap<TaskId, UnitRecord>;
  /** The documents that must not be read. */
  readonly unreadable: readonly RunProblem[];
}

const mostText = 20_000;

/**
 * Reads a run as its files and its lock have it now. A document that must not be read counts as absent, and
 * is among the problems.
 *
 * @param row the run's row in the table of all runs
 * @param known `isHere`: whether this process runs it; `shared`: the shared tables, for a caller that reads many runs at
 *   once; `records`: the work of the runs' agents, for a caller that shows it
 * @throws {UserError} for a table that must not be read
 */
export async function readRunOverview(
  { values: { run_id: runId }, source }: RunTable<"process_runs">["rows"][number],
  store: RunStore,
  { lock, signer }: { readonly lock: Lock; readonly signer: Signer },
  {
    isHere = false,
    shared,
    records,
  }: {
    readonly isHere?: boolean;
    readonly shared?: readonly CheckedTable[];
    readonly records?: UnitRecords;
  } = {},
): Promise<RunOverview> {
  const { layout, files } = store;
  const unreadable: RunProblem[] = [];
  const read = async <T>(path: string, none: T, reading: () => Promise<T>): Promise<T> => {
    // A value that is no id must not become part of a path.
    if (!isId(runId)) return none;
    try {
      return await reading();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unreadable.push({ path, line: 1, rule: "R-MV-29", message: error.message });
      return none;
    }
  };
  const text = (path: string) => read(path, "", () => store.text(path));
  const [tables, holder, proposal, report, failure, earlier, failures] = await Promise.all([
    store.read(runId, shared),
    isId(runId) ? lock.holder(runLock(runId)) : undefined,
    text(layout.proposal(runId)),
    text(layout.report(runId)),
    text(layout.failure(runId)),
    read(layout.earlierProposal(runId, 1), [], () => store.earlierProposals(runId)),
    read(layout.earlierFailure(runId, 1), [], () => store.earlierFailures(runId)),
  ]);
  const label = holder && `${holder.label} (process ${holder.pid})`;
  const tableLine = source.row + 1;
  const retries = failures.length;
  const units = (await records?.read(runId)) ?? new Map<TaskId, UnitRecord>();
  const isForeign = !(await isRunTakenOver(runId, layout, { files, signer }));
  const documents = { proposal, report, failure, earlier, retries, unreadable, units, isForeign };
  return runOverview(tables, { isHere, holder: label, tableLine, ...documents }, store);
}

function runOverview(read: RunRead, facts: RunFacts, { layout }: RunStore): RunOverview {
  const { runId, rows } = read.state;
  const [run] = rows.process_runs;
  const { edits, step } = nextStep(read.state);
  const { rows: now } = withEdits(read.state, edits);
  const status = run?.status ?? "";
  const problem = read.problem ?? (step.type === "unclear" ? step.reason : null);
  const isAwaited = step.type === "await" && read.problem === undefined;
  const proposalPath = layout.proposal(runId);
  const awaitedProposal = isAwaited ? proposalPath : null;
  const state = progressOf({ runId, status, problem, awaitedProposal, ...facts });
  const isAtWork = state === "here" || state === "elsewhere";
  const unit = isAtWork ? unitOf(runId, step, now, facts) : null;
  const text = (path: string, content: string): RunText | null =>
    content === "" ? null : { path, text: content.slice(0, mostText) };
  const tablePath = layout.table("process_runs", runId);
  return {
    runId,
    request: run?.user_request ?? "",
    state,
    isForeign: facts.isForeign,
    status,
    place: {
      phase: run?.current_phase_id ?? "",
      stage: run?.current_stage_id ?? "",
      task: run?.current_task_id ?? "",
    },
    phases: rows.phases.map((row) => ({ name: row.phase_name, status: row.status })),
    next: read.problem === undefined ? nextText(step, state) : blockedText,
    problem,
    awaitedProposal,
    outputsPath: layout.outputs(runId),
    unit,
    holder: state === "elsewhere" ? (facts.holder ?? null) : null,
    tasks: {
      total: rows.tasks.length,
      done: rows.tasks.filter((row) => row.status === "COMPLETED").length,
    },
    proposal:
      state === "needsYou"
        ? {
            id: proposalId(runId, facts.earlier.length),
            content: proposalContent(runId, proposalPath, facts.proposal),
          }
        : null,
    changes: facts.earlier.map(wantedChange),
    proposalPath: facts.proposal === "" ? null : proposalPath,
    parts: new PartTree(now, placesOf(now, step), { runId, unit, ...facts }).parts(),
    work: totalWork([...facts.units.values()]) ?? null,
    outputs: handedOver(rows, layout.outputs(runId)),
    report: text(layout.report(runId), facts.report),
    failure: text(layout.failure(runId), facts.failure),
    reason: reasonOf(state, facts.failure),
    leftOut: leftOutParts(rows).map(({ part_id: id, part_name: name, reason }) => {
      return { id, name, reason };
    }),
    retries: facts.retries,
    canSkip: state === "failed" && skipEdits(read.state, "") !== undefined,
    failurePath: status === "FAILED" ? layout.failure(runId) : null,
    tablePath,
    tableLine: facts.tableLine,
    problems: [...problemsIn(read, problem, tablePath, facts), ...facts.unreadable],
  };
}

function progressOf(
  run: Pick<RunOverview, "runId" | "status" | "problem" | "awaitedProposal"> & RunFacts,
): RunProgress {
  const isOver = run.status === "COMPLETED" || run.status === "FAILED";
  if (run.problem !== null && !isOver) return "broken";
  if (run.isHere) return "here";
  if (run.holder !== undefined) return "elsewhere";
  if (run.status === "FAILED")
    return isCancellation(run.runId, run.failure) ? "cancelled" : "failed";
  if (run.status === "COMPLETED") return "done";
  return run.awaitedProposal === null ? "left" : "needsYou";
}

function unitOf(runId: RunId, step: Step, rows: RunRows, facts: RunFacts): RunUnit | null {
  if (step.type !== "plan" && step.type !== "execute") return null;
  const unit = unitOfStep(step, facts.earlier.length + 1);
  return {
    taskId: runUnitId(runId, unit, facts.retries),
    mode: runModes[step.type === "plan" ? "Planner" : "Executor"],
    goal: stepObjective(step, rows),
  };
}

function reasonOf(state: RunProgress, failure: string): string | null {
  if (state === "cancelled") return "You cancelled it.";
  return state === "failed" ? failureReason(failure) : null;
}

function nextText(step: Step, state: RunProgress): Said {
  switch (step.type) {
    case "plan":
      return words("a planner: {objective}", { objective: targetText(step.target) });
    case "execute": {
      const { work } = step;
      const objective =
        work.type === "tool"
          ? `${work.tool.tool_task_id}, ${work.tool.tool_task_name}`
          : `${work.task.task_id}, ${work.task.task_name}`;
      return words("an executor: {objective}", { objective });
    }
    case "prepare":
      return words("{task}, without a model", { task: step.task });
    case "await":
      return words("your confirmation of the proposal");
    case "report":
      return words("the final report");
    case "over":
      return state === "failed"
        ? words("your decision: try again, or go on without what has failed")
        : words("nothing, the run has ended");
    case "unclear":
      return blockedText;
  }
}

const blockedText = words("nothing until the problems in its tables are fixed");

/** Returns the problems of a run's tables, with their places. */
function problemsIn(
  { tables, origin }: RunRead,
  problem: Said | null,
  tablePath: string,
  { tableLine }: RunFacts,
): RunProblem[] {
  const problems = tables.flatMap(problemsOf);
  if (problem === null || problems.length > 0) return problems;
  // It may be in the run's rows of shared tables, or between tables.
  const place = { path: tablePath, line: tableLine, message: problem };
  return [{ rule: "R-MV-29", ...(origin ?? place) }];
}

/** Returns the problems of a table, with their places. */
export function problemsOf({ path, problems }: CheckedTable): RunProblem[] {
  return problems.map(({ row, rule, message }) => ({ path, line: row + 1, rule, message }));
}

/** @param earlier how many proposals of the run were answered before */
function proposalId(runId: RunId, earlier: number): string {
  return `proposal:${runId}:${earlier + 1}`;
}

/** Returns the ids of the rows that the run is at. */
function placesOf({ process_runs: [run] }: RunRows, step: Step): ReadonlySet<string> {
  const tool =
    step.type === "execute" && step.work.type === "tool" ? step.work.tool.tool_task_id : "";
  const places = [run?.current_phase_id, run?.current_stage_id, run?.current_task_id, tool];
  return new Set(places.flatMap((id) => (id === undefined || id === "" ? [] : [id])));
}

/** Of a part that consists of others. */
const nobody = { sessions: [], work: null };

/** The parts of a run, nested as its tables say. */
class PartTree {
  /** Reasons by the ids of the parts that were left out. */
  private readonly leftOut: ReadonlyMap<string, string>;

  /** @param at the ids of the rows that the run is at */
  constructor(
    private readonly rows: RunRows,
    private readonly at: ReadonlySet<string>,
    private readonly done: Pick<RunFacts, "units" | "retries"> &
      Pick<RunOverview, "runId" | "unit">,
  ) {
    const left = leftOutParts(rows).map(({ part_id, reason }) => [part_id, reason] as const);
    this.leftOut = new Map(left);
  }

  /** Returns the preparation, if it has been planned, then the phases. */
  parts(): RunPart[] {
    const phases = this.rows.phases
      .toSorted((a, b) => numerically(a.phase_id, b.phase_id))
      .map((row): RunPart => ({
        kind: "phase",
        ...this.base(row.phase_id, row.phase_name, row.phase_purpose, row.status),
        ...nobody,
        output: null,
        children: this.stages(row.phase_id),
      }));
    const preparing = this.tasks("0");
    return preparing.length === 0 ? phases : [this.preparation(preparing), ...phases];
  }

  private preparation(tasks: readonly RunPart[]): RunPart {
    const isFailed = tasks.some(({ status, leftOut }) => status === "FAILED" && leftOut === null);
    const isDone = tasks.every(({ status, leftOut }) => status === "COMPLETED" || leftOut !== null);
    const status = isFailed ? "FAILED" : isDone ? "COMPLETED" : "PENDING";
    return {
      ...this.base("0", "", "", status),
      kind: "preparation",
      ...nobody,
      output: null,
      children: tasks,
    };
  }

  private stages(phaseId: string): RunPart[] {
    return this.rows.major_stages
      .filter((row) => row.phase_id === phaseId)
      .toSorted(byOrder)
      .map((row) => ({
        kind: "stage",
        ...this.base(row.stage_id, row.stage_name, row.stage_goal, row.status),
        ...nobody,
        output: null,
        children: this.tasks(row.stage_id),
      }));
  }

  private tasks(stageId: string): RunPart[] {
    return this.rows.tasks
      .filter((row) => row.stage_id === stageId)
      .toSorted(byOrder)
      .map((row) => ({
        kind: "task",
        ...this.base(row.task_id, row.task_name, row.task_purpose, row.status),
        ...this.workOn(row.task_id, row.status),
        output: row.output_path === "" ? null : this.output(row.task_id, row.output_path),
        children: [...this.tools(row.task_id, "PRE"), ...this.tools(row.task_id, "POST")],
      }));
  }

  private tools(taskId: string, timing: string): RunPart[] {
    return this.rows.tool_tasks
      .filter((row) => row.parent_task_id === taskId && row.timing === timing)
      .toSorted(byOrder)
      .map((row) => ({
        kind: "tool",
        ...this.base(row.tool_task_id, row.tool_task_name, row.tool_task_purpose, row.status),
        ...this.workOn(row.tool_task_id, row.status),
        output: this.output(row.tool_task_id),
        children: [],
      }));
  }

  private base(id: string, title: string, purpose: string, status: string) {
    const known = (["PENDING", "COMPLETED", "FAILED"] as const).find((one) => one === status);
    return {
      id,
      title: title === "" ? id : title,
      purpose,
      status: known ?? null,
      isCurrent: this.at.has(id) && known === "PENDING",
      leftOut: this.leftOut.get(id) ?? null,
    };
  }

  /** Returns who has worked on a task or tool task, and what that took. */
  private workOn(id: string, status: string): Pick<RunPart, "sessions" | "work"> {
    const { runId, unit, units, retries } = this.done;
    const tries = Array.from({ length: retries + 1 }, (_, tried) => runUnitId(runId, id, tried));
    const known = tries.filter((one) => units.has(one) || unit?.taskId === one).reverse();
    const work = totalWork(known.flatMap((one) => units.get(one) ?? [])) ?? null;
    // What an earlier version has done has no records.
    const isOld = known.length === 0 && status !== "PENDING";
    return { sessions: isOld ? tries.slice(0, 1) : known, work };
  }

  /** Returns the path of what a task has made, once the catalog has it; any path, or the given one. */
  private output(taskId: string, path?: string): string | null {
    const entry = this.rows.knowledge_base_catalog.find(
      (row) => row.source_task_id === taskId && (path === undefined || path === row.file_path),
    );
    return entry?.file_path ?? null;
  }
}

function handedOver({ knowledge_base_catalog: catalog }: RunRows, folder: string): string[] {
  const own = catalog.filter(({ file_path: path }) => path.startsWith(`${folder}/`));
  return own.map(({ file_path }) => file_path);
}

interface Ordered {
  readonly execution_order: string;
}

const { compare: numerically } = new Intl.Collator("en", { numeric: true });

function byOrder(a: Ordered, b: Ordered): number {
  return numerically(a.execution_order, b.execution_order);
}
