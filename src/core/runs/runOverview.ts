import type { ProposalContent } from "../conversation/events.js";
import { isCancellation } from "./decideRun.js";
import { nextStep } from "./nextStep.js";
import { proposalContent, wantedChange } from "./proposal.js";
import type { RunLayout } from "./runLayout.js";
import { type RunRows, withEdits } from "./runState.js";
import type { RunRead } from "./runStore.js";
import { runView } from "./runView.js";
import type { Step } from "./step.js";

/**
 * `here`: this process runs it; `elsewhere`: another process does; `needsYou`: it awaits the user's
 * confirmation; `left`: it can be resumed; `broken`: its tables must be fixed first.
 */
export type RunProgress =
  "here" | "elsewhere" | "needsYou" | "left" | "done" | "failed" | "cancelled" | "broken";

/** A run as lists show it: plain data. Lines are 1-based, paths relative to the workspace. */
export interface RunOverview {
  readonly runId: string;
  readonly request: string;
  readonly state: RunProgress;
  /** The status in the table, as in `AWAITING_CONFIRMATION`. */
  readonly status: string;
  /** The other process that runs it, as in `rooroo run (process 7)`; `null` if there is none. */
  readonly holder: string | null;
  /** What comes next, in words. */
  readonly next: string;
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
  readonly tablePath: string;
  /** The line of the run's row in the table. */
  readonly tableLine: number;
  /** Why the run cannot continue, and all problems of its own tables. */
  readonly problems: readonly RunProblem[];
}

/** All runs of a workspace, the newest first. */
export interface RunsOverview {
  readonly runs: readonly RunOverview[];
  /** Problems of the tables that all runs share. */
  readonly problems: readonly RunProblem[];
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
  readonly message: string;
}

/** What an overview needs besides the run's tables. */
export interface RunFacts {
  readonly isHere: boolean;
  readonly holder: string | undefined;
  readonly tableLine: number;
  /** Problems of the run's own tables. */
  readonly problems: readonly RunProblem[];
  /** The document's text, or `""` if there is none. */
  readonly proposal: string;
  /** The proposals that the user wanted changed, oldest first. */
  readonly earlier: readonly string[];
  readonly report: string;
  readonly failure: string;
}

const mostText = 20_000;

export function runOverview(read: RunRead, facts: RunFacts, layout: RunLayout): RunOverview {
  const { runId, rows } = read.state;
  const view = runView(read, layout);
  const next = nextStep(read.state);
  const { rows: now } = withEdits(read.state, next.edits);
  const at = placesOf(now, next.step);
  const text = (path: string, content: string): RunText | null =>
    content === "" ? null : { path, text: content.slice(0, mostText) };
  const proposalPath = layout.proposal(runId);
  const isCancelled = isCancellation(runId, facts.failure);
  const state =
    view.problem !== null && view.status !== "COMPLETED" && view.status !== "FAILED"
      ? "broken"
      : facts.isHere
        ? "here"
        : facts.holder !== undefined
          ? "elsewhere"
          : view.status === "FAILED"
            ? isCancelled
              ? "cancelled"
              : "failed"
            : view.status === "COMPLETED"
              ? "done"
              : view.proposal === null
                ? "left"
                : "needsYou";
  return {
    runId,
    request: view.user_request,
    state,
    status: view.status,
    next: view.next,
    outputsPath: layout.outputs(runId),
    holder: state === "elsewhere" ? (facts.holder ?? null) : null,
    tasks: { total: view.tasks.planned, done: view.tasks.completed },
    proposal:
      state === "needsYou"
        ? {
            id: proposalId(runId, facts.earlier.length),
            content: proposalContent(runId, proposalPath, facts.proposal),
          }
        : null,
    changes: facts.earlier.map(wantedChange),
    proposalPath: facts.proposal === "" ? null : proposalPath,
    parts: partsOf(now, at),
    outputs: handedOver(rows, layout.outputs(runId)),
    report: text(layout.report(runId), facts.report),
    failure: text(layout.failure(runId), facts.failure),
    tablePath: layout.table("process_runs", runId),
    tableLine: facts.tableLine,
    problems: [
      ...facts.problems,
      // The problem may be in the run's rows of shared tables, or between tables.
      ...(view.problem === null || facts.problems.length > 0
        ? []
        : [problemNamed(view.problem, layout.table("process_runs", runId), facts.tableLine)]),
    ],
  };
}

/** @param text a problem's message, which may begin with its path and line */
function problemNamed(text: string, table: string, tableLine: number): RunProblem {
  const [, path = table, line, message = text] = /^(\S+\.md):(\d+): ([^]*)$/.exec(text) ?? [];
  const rule = "R-MV-29";
  return { path, rule, message, line: line === undefined ? tableLine : Number(line) };
}

/** @param earlier how many proposals of the run were answered before */
function proposalId(runId: string, earlier: number): string {
  return `proposal:${runId}:${earlier + 1}`;
}

/** Returns the ids of the rows that the run is at. */
function placesOf({ process_runs: [run] }: RunRows, step: Step): ReadonlySet<string> {
  const tool =
    step.type === "execute" && step.work.type === "tool" ? step.work.tool.tool_task_id : "";
  const places = [run?.current_phase_id, run?.current_stage_id, run?.current_task_id, tool];
  return new Set(places.flatMap((id) => (id === undefined || id === "" ? [] : [id])));
}

function partsOf(rows: RunRows, at: ReadonlySet<string>): RunPart[] {
  const made = (id: string, path?: string) =>
    rows.knowledge_base_catalog.find(
      ({ source_task_id: source, file_path: file }) =>
        source === id && (path === undefined || path === file),
    )?.file_path ?? null;
  const base = (id: string, title: string, purpose: string, status: string) => {
    const known = (["PENDING", "COMPLETED", "FAILED"] as const).find((one) => one === status);
    const state = { status: known ?? null, isCurrent: at.has(id) && known === "PENDING" };
    return { id, title: title === "" ? id : title, purpose, ...state };
  };
  const tools = (taskId: string, timing: string): RunPart[] =>
    rows.tool_tasks
      .filter((row) => row.parent_task_id === taskId && row.timing === timing)
      .toSorted(byOrder)
      .map((row) => ({
        kind: "tool",
        ...base(row.tool_task_id, row.tool_task_name, row.tool_task_purpose, row.status),
        output: made(row.tool_task_id),
        children: [],
      }));
  const tasks = (stageId: string): RunPart[] =>
    rows.tasks
      .filter((row) => row.stage_id === stageId)
      .toSorted(byOrder)
      .map((row) => ({
        kind: "task",
        ...base(row.task_id, row.task_name, row.task_purpose, row.status),
        output: row.output_path === "" ? null : made(row.task_id, row.output_path),
        children: [...tools(row.task_id, "PRE"), ...tools(row.task_id, "POST")],
      }));
  const stages = (phaseId: string): RunPart[] =>
    rows.major_stages
      .filter((row) => row.phase_id === phaseId)
      .toSorted(byOrder)
      .map((row) => ({
        kind: "stage",
        ...base(row.stage_id, row.stage_name, row.stage_goal, row.status),
        output: null,
        children: tasks(row.stage_id),
      }));
  const preparing = tasks("0");
  const isLeft = preparing.every(({ status }) => status === "COMPLETED");
  const isFailed = preparing.some(({ status }) => status === "FAILED");
  const prepared = isFailed ? "FAILED" : isLeft ? "COMPLETED" : "PENDING";
  const preparation: RunPart = {
    ...base("0", "", "", prepared),
    kind: "preparation",
    output: null,
    children: preparing,
  };
  return [
    ...(preparing.length === 0 ? [] : [preparation]),
    ...rows.phases
      .toSorted((a, b) => numerically(a.phase_id, b.phase_id))
      .map((row): RunPart => ({
        kind: "phase",
        ...base(row.phase_id, row.phase_name, row.phase_purpose, row.status),
        output: null,
        children: stages(row.phase_id),
      })),
  ];
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
