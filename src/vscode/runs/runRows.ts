import { costText } from "../../core/agent/costText.js";
import type { RunId } from "../../core/ids.js";
import type {
  RunOverview,
  RunPart,
  RunProblem,
  RunProgress,
  RunsOverview,
} from "../../core/runs/runOverview.js";
import { lastPart } from "../../core/text/pathParts.js";
import { tasksDoneText } from "../../core/text/tasksDoneText.js";
import type { Translate } from "../../core/text/translator.js";
import { spoken as said } from "../../core/text/words.js";
import { shorten } from "../text/shorten.js";
import { joined, type Row, type RowPages, type Rows, spoken, type StateLook } from "../work/row.js";
import { RowCollection } from "../work/rowCollection.js";
import {
  endedText,
  foreignMark,
  linesText,
  problemRow,
  stateLook,
  tookText,
  workBlocks,
} from "../work/rowLooks.js";

/** The maximum length of a label that leaves room for the description beside it. */
const besides = 28;

const overStates: readonly RunProgress[] = ["done", "failed", "cancelled"];

/** What all rows are made with. */
interface Here {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly t: Translate;
  readonly paging?: RowPages | undefined;
}

/**
 * Returns the rows of all runs, first those that wait for the user and last those that are over. Order of a
 * run's rows: proposal, problems, report, outputs, phases.
 *
 * @param waiting ids of the runs that wait for the user
 */
export function runRows(
  { runs, problems }: RunsOverview,
  waiting: ReadonlySet<RunId>,
  here: Here,
): Rows {
  const { t } = here;
  const rows = new RowCollection(t, here.paging);
  addProblems(rows, "", "", problems, t);
  const first = ({ state }: RunOverview) =>
    state === "needsYou" ? 0 : overStates.includes(state) ? 2 : 1;
  const sorted = runs.toSorted((a, b) => first(a) - first(b));
  const add = (run: RunOverview) => {
    addRun(rows, run, waiting.has(run.runId), here);
  };
  rows.addPage("", sorted, add, "runs");
  return rows;
}

function addProblems(
  rows: RowCollection,
  parent: string,
  runId: RunId,
  problems: readonly RunProblem[],
  t: Translate,
): void {
  const add = (problem: RunProblem) => {
    const { path, line } = problem;
    const message = said(problem.message);
    const id = `problem:${parent}:${path}:${line}:${message}`;
    rows.add(parent, problemRow(id, runId, problem, "rooroo.openRunTable", t));
  };
  rows.addPage(parent, problems, add, `problems:${runId}`);
}

function addRun(rows: RowCollection, run: RunOverview, isWaiting: boolean, here: Here): void {
  const { t } = here;
  const { runId, outputs, report, failure } = run;
  const row = rows.add("", runRow(run, isWaiting, t));
  if (run.proposal !== null) rows.add(row, proposalRow(run, run.proposal.content, t));
  addProblems(rows, row, runId, run.problems, t);
  const told = report ?? failure;
  if (told !== null) rows.add(row, reportRow(runId, told.text, failure !== null, t));
  if (outputs.length > 0) {
    const all = rows.add(row, outputsRow(run, t));
    rows.addPage(all, outputs, (path) => {
      rows.add(all, outputRow(runId, path, t));
    });
  }
  const isAtWork = run.state === "here" || run.state === "elsewhere";
  rows.addPage(row, run.parts, (part) => {
    addPart(rows, row, runId, part, isAtWork, here);
  });
}

function addPart(
  rows: RowCollection,
  parent: string,
  runId: RunId,
  part: RunPart,
  isAtWork: boolean,
  here: Here,
): void {
  const row = rows.add(parent, partRow(runId, part, isAtWork, here));
  rows.addPage(row, part.children, (child) => {
    addPart(rows, row, runId, child, isAtWork, here);
  });
}

export function runStateLook(state: RunProgress, t: Translate): StateLook {
  if (state === "here") return stateLook("running", t);
  return stateLook(state === "needsYou" ? "awaitingConfirmation" : state, t);
}

function runRow(run: RunOverview, isWaiting: boolean, t: Translate): Row {
  const { runId, state, request, tasks, next, holder, report, proposalPath, reason, work } = run;
  // A run that works and waits has a unit that asks for an approval.
  const asks = isWaiting && state === "here";
  const { text, icon } = asks ? stateLook("needsYou", t) : runStateLook(state, t);
  const approval = asks ? t("awaiting approval") : "";
  const mark = foreignMark(run, t);
  const external = mark?.text ?? "";
  const isOver = overStates.includes(state);
  const problems = run.problems.length;
  const facts = [
    text,
    external,
    tasks.total === 0 ? "" : tasksDoneText(tasks.done, tasks.total, t),
    holder ?? "",
    problems === 0 ? "" : t("{0, plural, one {# problem} other {# problems}}", problems),
    run.leftOut.length === 0 ? "" : t("{0} left out", run.leftOut.length),
  ];
  const context = ["run", state, isOver ? "over" : "open"];
  if (run.outputs.length > 0) context.push("hasOutputs");
  if (report !== null) context.push("hasReport");
  if (proposalPath !== null) context.push("hasProposal");
  if (run.canSkip) context.push("canSkip");
  if (work?.changes !== undefined) context.push("hasChanges");
  const took = work === null ? [] : [tookText(work.workedMs, t), costText(work.costUsd)];
  const lines = linesText(work?.changes);
  const figures = joined(...took, lines);
  return {
    id: `run:${runId}`,
    of: runId,
    label: shorten(request, besides) || runId,
    description: joined(
      isOver || tasks.total === 0 ? "" : `${tasks.done}/${tasks.total}`,
      approval ||
        (state === "here" || (state === "done" && figures !== "") ? "" : text.toLowerCase()),
      isOver ? figures : "",
      external.toLowerCase(),
    ),
    icon: isOver || state === "here" || state === "elsewhere" ? icon : (mark?.icon ?? icon),
    tooltip: [
      request,
      ...(mark === undefined ? [] : [mark.explained]),
      joined(...facts),
      ...(work === null ? [] : workBlocks(work, t)),
      ...(reason === null ? [] : [reason]),
      ...(isOver ? [] : [t("Next: {0}", said(next, t).slice(0, 500))]),
      { code: runId },
    ],
    spoken: spoken(
      t("Run {0}", shorten(request, 60) || runId),
      ...facts,
      reason ?? "",
      ...took,
      lines,
    ),
    context: context.join(" "),
    ...(asks ? { needsYou: { description: approval, command: "rooroo.showRun" } } : {}),
    folding: isOver ? "folded" : "open",
  };
}

function proposalRow(
  { runId, request }: RunOverview,
  { summary, instructions }: NonNullable<RunOverview["proposal"]>["content"],
  t: Translate,
): Row {
  const count = t("{0, plural, one {# instruction} other {# instructions}}", instructions.length);
  return {
    id: `proposal:${runId}`,
    of: runId,
    label: t("Proposal"),
    description: shorten(summary, 80),
    icon: { name: "tasklist", color: "list.warningForeground" },
    tooltip: [summary, joined(count, t("Confirm it, request changes, or cancel the run."))],
    spoken: t("Proposal, awaiting confirmation, {0}: {1}", count, shorten(summary, 300)),
    context: "runProposal",
    needsYou: { description: shorten(request, 60), command: "rooroo.showRun" },
    command: "rooroo.openProposal",
  };
}

/** Returns the id of a part's row. */
export function partRowId(runId: RunId, { kind, id, status, children }: RunPart): string {
  // VS Code applies the initial folding only once per id, so a row that is to unfold when work reaches
  // it, or fold when it is done, gets a new id.
  const folding = children.length === 0 ? "" : status === "COMPLETED" ? "/done" : "/open";
  return `part:${runId}:${kind}:${id}${folding}`;
}

function partRow(runId: RunId, part: RunPart, isAtWork: boolean, { now, t }: Here): Row {
  const { kind, status, purpose, leftOut, sessions, work, children } = part;
  const output = work?.isUndone ? null : part.output;
  const title = partTitle(part, t);
  const { text, icon } = partLook(part, isAtWork, t);
  const isFolder = children.length > 0;
  const isDone = status === "COMPLETED";
  const undone = work?.isUndone ? t("undone") : "";
  const isOver = isDone || status === "FAILED";
  const ended = isOver ? endedText(work?.to ?? null, now, t) : "";
  const lines = linesText(work?.changes);
  const worked = joined(undone, ended, costText(work?.costUsd), lines);
  const shown = worked || (output === null ? "" : lastPart(output));
  const context = [`run${kind}`];
  if (output !== null) context.push("hasOutput");
  if (work?.changes !== undefined) context.push("hasChanges");
  const leads = sessions.length > 0 || output !== null;
  const kindText = {
    preparation: "",
    phase: t("Phase"),
    stage: t("Stage"),
    task: t("Task"),
    tool: t("Helper"),
  }[kind];
  return {
    id: partRowId(runId, part),
    of: runId,
    path: output ?? undefined,
    label: shorten(title, worked === "" ? 80 : besides),
    description: shown === "" ? undefined : shown,
    icon,
    tooltip: [
      title,
      text,
      ...(work === null ? [] : workBlocks(work, t)),
      ...(leftOut === null ? [] : [leftOut]),
      ...(purpose === "" ? [] : [purpose]),
      ...(output === null ? [] : [{ code: output }]),
    ],
    spoken: spoken(
      text,
      `${kindText} ${shorten(title, 200)}`.trim(),
      undone,
      spoken(ended, tookText(work?.workedMs ?? null, t), costText(work?.costUsd), lines),
    ),
    context: context.join(" "),
    command: leads ? "rooroo.showRun" : undefined,
    ...(isFolder ? { folding: isDone ? "folded" : "open" } : {}),
  };
}

function partTitle({ kind, title }: RunPart, t: Translate): string {
  if (kind === "preparation") return t("Preparation");
  const names: Readonly<Record<string, string>> = {
    ANALYZING: t("Analyzing"),
    STRATEGIZING: t("Strategizing"),
    REFINING_CONTENT: t("Refining Content"),
    GENERATING_OUTPUT: t("Generating Output"),
  };
  return names[title] ?? title;
}

function partLook(part: RunPart, isAtWork: boolean, t: Translate) {
  const { kind, status, isCurrent, leftOut } = part;
  if (leftOut !== null) return stateLook("leftOut", t);
  if (status === null) return stateLook("unknownStatus", t);
  if (status !== "PENDING") return stateLook(status === "COMPLETED" ? "completed" : "failed", t);
  if (isCurrent) return stateLook(isAtWork ? "running" : "next", t);
  return stateLook(kind === "tool" ? "pendingHelper" : "pending", t);
}

function outputsRow({ runId, outputs, outputsPath }: RunOverview, t: Translate): Row {
  return {
    id: `outputs:${runId}`,
    of: runId,
    label: t("Outputs"),
    description: t("{0, number}", outputs.length),
    icon: { name: "package" },
    tooltip: [{ code: outputsPath }],
    spoken: t("Outputs, {0, number}", outputs.length),
    context: "runOutputs",
    folding: "open",
  };
}

function outputRow(runId: RunId, path: string, t: Translate): Row {
  const label = lastPart(path);
  return {
    id: `output:${runId}:${path}`,
    of: runId,
    path,
    label,
    icon: { name: "file" },
    tooltip: [{ code: path }],
    spoken: t("Output {0}", label),
    context: "runOutput",
    command: "rooroo.openRunOutputs",
  };
}

function reportRow(runId: RunId, text: string, isFailure: boolean, t: Translate): Row {
  return {
    id: `report:${runId}`,
    of: runId,
    label: t("Report"),
    description: shorten(text, 80),
    icon: isFailure ? stateLook("failed", t).icon : { name: "output" },
    tooltip: [text],
    spoken: t("Report: {0}", shorten(text, 300)),
    context: "runReport",
    command: "rooroo.openRunReport",
  };
}
