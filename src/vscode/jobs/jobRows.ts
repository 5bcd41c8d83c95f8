import { costText } from "../../core/agent/costText.js";
import { readChanges } from "../../core/changes/changeSummary.js";
import { readUsage } from "../../core/jobs/documents/usageField.js";
import { reasonWords } from "../../core/jobs/facts/factWords.js";
import type {
  EntryView,
  JobOverview,
  JobQuestion,
  RoadmapView,
  RunnerView,
} from "../../core/jobs/facts/jobOverview.js";
import { saidObjective } from "../../core/jobs/work/objective.js";
import { tasksDoneText } from "../../core/text/tasksDoneText.js";
import { translatable, type Translate } from "../../core/text/translator.js";
import { spoken as said } from "../../core/text/words.js";
import { shorten } from "../text/shorten.js";
import {
  joined,
  questionsText,
  type Row,
  type RowPages,
  type Rows,
  spoken,
  type TooltipBlock,
} from "../work/row.js";
import { RowCollection } from "../work/rowCollection.js";
import {
  endedText,
  foreignMark,
  linesText,
  problemRow,
  stateLook,
  timeText,
  tookText,
  warningIcon,
  workBlocks,
  type WorkState,
} from "../work/rowLooks.js";
import type { JobTask } from "./roadmapTasks.js";

type PhaseView = Extract<RoadmapView, { kind: "phase" }>;

/** The maximum length of a label that leaves room for the description beside it. */
const besides = 24;

/** Facts about this window. */
interface Here {
  /** The id of the window's process. */
  readonly pid: number;
  /** Ids of the work units in this window that wait for an approval. */
  readonly waiting: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly t: Translate;
  readonly paging?: RowPages | undefined;
}

/**
 * Returns the rows of all jobs; each has questions, planners, roadmap, work log and problems, in this
 * order. First are those that need the user, then those that run, and last those that are done.
 */
export function jobRows(jobs: readonly JobOverview[], here: Here): Rows {
  const rows = new RowCollection(here.t, here.paging);
  const first = (job: JobOverview) =>
    needsYou(job, here) ? 0 : job.state === "running" ? 1 : job.state === "done" ? 3 : 2;
  const sorted = jobs.toSorted((a, b) => first(a) - first(b));
  rows.addPage(
    "",
    sorted,
    (job) => {
      addJob(rows, job, here);
    },
    "jobs",
  );
  return rows;
}

/** Returns whether a job waits for an answer or an approval of the user. */
function needsYou({ state, runners }: JobOverview, { waiting }: Here): boolean {
  return state === "needsYou" || runners.some(({ taskId }) => waiting.has(taskId));
}

function addJob(rows: RowCollection, job: JobOverview, here: Here): void {
  const { stem } = job;
  const { t } = here;
  const row = rows.add("", jobRow(job, here));
  for (const question of job.questions) rows.add(row, questionRow(job, question, t));
  for (const runner of job.runners) {
    if (runner.role === "Planner") rows.add(row, plannerRow(job, runner, here));
  }
  if (job.roadmap.length > 0) {
    const { done, total } = job.tasks;
    const roadmap = rows.add(row, {
      id: `roadmap:${stem}`,
      of: stem,
      label: t("Roadmap"),
      description: `${done}/${total}`,
      icon: { name: "list-tree" },
      spoken: spoken(t("Roadmap"), tasksDoneText(done, total, t)),
      context: "jobRoadmap",
      folding: "open",
    });
    rows.addPage(roadmap, job.roadmap, (item) => {
      addItem(rows, roadmap, job, item, here);
    });
  }
  if (job.entryCount > 0) addLog(rows, row, job, t);
  if (job.problems.length > 0) addProblems(rows, row, job, t);
}

function addItem(
  rows: RowCollection,
  parent: string,
  job: JobOverview,
  item: RoadmapView,
  here: Here,
): void {
  if (item.kind === "task") {
    rows.add(parent, taskRow(job, item, here));
    return;
  }
  const phase = rows.add(parent, phaseRow(job, item, here.t));
  rows.addPage(phase, item.children, (child) => {
    addItem(rows, phase, job, child, here);
  });
}

function addLog(rows: RowCollection, parent: string, job: JobOverview, t: Translate): void {
  const { stem, entryCount, entries } = job;
  const log = rows.add(parent, {
    id: `log:${stem}`,
    of: stem,
    label: t("Work Log"),
    description: t("{0, number}", entryCount),
    icon: { name: "history" },
    spoken: t("Work Log, {0, plural, one {# entry} other {# entries}}", entryCount),
    context: "jobLog",
    folding: "folded",
  });
  for (const [index, entry] of entries.entries()) {
    // New entries come first in the list; numbered from the oldest, each entry keeps its id.
    rows.add(log, entryRow(job, entryCount - index, entry, t));
  }
  const older = entryCount - entries.length;
  if (older === 0) return;
  rows.add(log, {
    id: `older:${stem}`,
    of: stem,
    label: t("{0, number} older entries…", older),
    context: "jobOlder",
    command: "rooroo.openJobLog",
  });
}

function addProblems(
  rows: RowCollection,
  parent: string,
  { stem, problems }: JobOverview,
  t: Translate,
): void {
  const all = rows.add(parent, {
    id: `problems:${stem}`,
    of: stem,
    label: t("Problems"),
    description: t("{0, number}", problems.length),
    icon: warningIcon,
    spoken: t("Problems, {0, number}", problems.length),
    context: "jobProblems",
    folding: "folded",
  });
  rows.addPage(all, problems, (problem, index) => {
    rows.add(all, problemRow(`problem:${stem}:${index}`, stem, problem, "rooroo.openJobLog", t));
  });
}

function jobRow(job: JobOverview, { waiting, t }: Here): Row {
  const { stem, name, title, state, progress, tasks, next, jobPath, logPath } = job;
  const runners = job.runners.length;
  const questions = job.questions.filter(({ answer }) => answer === null).length;
  const isWaiting = job.runners.some(({ taskId }) => waiting.has(taskId));
  const isNew = state === "left" && logPath === null;
  const { text, icon } = stateLook(isNew ? "new" : isWaiting ? "needsYou" : state, t);
  const mark = foreignMark(job, t);
  const external = mark?.text ?? "";
  const percent = t("{0}%", progress);
  const atWork = runners === 0 ? "" : t("{0, plural, one {# runner} other {# runners}}", runners);
  const atRest = state === "done" ? "" : text.toLowerCase();
  const asks = questions === 0 ? "" : questionsText(questions, t);
  const done = tasks.total === 0 ? "" : tasksDoneText(tasks.done, tasks.total, t);
  const context = ["job", state === "running" ? "running" : "idle"];
  if (questions > 0) context.push("answerable");
  if (logPath !== null) context.push("hasLog");
  if (job.sessions.length > 0) context.push("hasChanges");
  return {
    id: `job:${stem}`,
    of: stem,
    label: name,
    description: joined(
      isNew ? "" : percent,
      isWaiting ? awaitingApproval(t) : atWork || atRest,
      external.toLowerCase(),
    ),
    icon: state === "running" ? icon : (mark?.icon ?? icon),
    tooltip: [
      title ?? name,
      joined(text, done, atWork, asks, external),
      ...(mark === undefined ? [] : [mark.explained]),
      ...(state === "done" ? [] : [t("Next: {0}", said(next.objective, t).slice(0, 500))]),
      { code: jobPath },
    ],
    spoken: spoken(t("Job {0}", name), external, text, done, atWork, percent, asks),
    context: context.join(" "),
    folding: state === "done" ? "folded" : "open",
  };
}

function questionRow(job: JobOverview, question: JobQuestion, t: Translate): Row {
  const { stem, jobPath } = job;
  const { id, text, answer, line } = question;
  const row = {
    id: `question:${stem}:${id}`,
    of: stem,
    path: jobPath,
    line,
    questionId: id,
    label: shorten(text, 80) || id,
  };
  if (answer === null) {
    const below = isAwaited(job.roadmap, id)
      ? t("Its task is set aside until you answer. All other tasks go on.")
      : t("Work continues without an answer, on the runner's best assumption.");
    return {
      ...row,
      icon: { name: "question", color: "list.warningForeground" },
      tooltip: [text, { below }],
      spoken: t("Question: {0}", shorten(text, 200)),
      context: "jobQuestion answerable",
      needsYou: { description: job.name },
      command: "rooroo.showJob",
    };
  }
  return {
    ...row,
    description: shorten(answer, 60),
    icon: { name: "comment-discussion" },
    tooltip: [text, { below: t("Answered. The next runner applies the answer.") }, answer],
    spoken: t("Question: {0}, answered: {1}", shorten(text, 200), shorten(answer, 200)),
    context: "jobQuestion",
    command: "rooroo.openJobFile",
  };
}

/** Returns whether a task waits for the answer to a question. */
function isAwaited(items: readonly RoadmapView[], questionId: string): boolean {
  return items.some((item) =>
    item.kind === "task" ? item.waitsFor === questionId : isAwaited(item.children, questionId),
  );
}

function plannerRow({ stem, name }: JobOverview, runner: RunnerView, here: Here): Row {
  const { t, waiting } = here;
  const { taskId } = runner;
  const objective = said(saidObjective(runner.objective), t);
  return {
    ...waitingIn(name, waiting.has(taskId), t),
    id: `planner:${stem}:${runner.runner}`,
    of: stem,
    label: shorten(objective, besides) || t("Planner"),
    description: activityOf(runner, here),
    icon: stateLook(waiting.has(taskId) ? "needsYou" : "running", t).icon,
    tooltip: [objective, ...runnerTooltip(runner, t)],
    spoken: spoken(t("Planner"), shorten(objective, 200), spokenTurn(runner, t)),
    context: "jobPlanner",
  };
}

function phaseRow({ stem, logPath }: JobOverview, phase: PhaseView, t: Translate): Row {
  const { id, title, line, done, total, isOver } = phase;
  return {
    id: `phase:${stem}:${id}`,
    of: stem,
    path: logPath ?? undefined,
    line,
    label: shorten(title, besides),
    description: `${done}/${total}`,
    icon: isOver ? stateLook("done", t).icon : { name: "milestone" },
    tooltip: [title],
    spoken: spoken(t("Phase {0}", shorten(title, 200)), tasksDoneText(done, total, t)),
    context: "jobPhase",
    folding: isOver ? "folded" : "open",
  };
}

/** Returns what says that a unit of a job waits for an approval. */
function waitingIn(
  job: string,
  isWaiting: boolean,
  t: Translate,
): Pick<Row, "needsYou" | "command"> {
  if (!isWaiting) return {};
  return { needsYou: { description: joined(job, awaitingApproval(t)), command: "rooroo.showJob" } };
}

function taskRow({ stem, name, logPath }: JobOverview, task: JobTask, here: Here): Row {
  const { t, waiting } = here;
  const { id, title, line, runner, isStale, status } = task;
  const isWaiting = runner !== null && waiting.has(runner.taskId);
  const { text, icon } = stateLook(isWaiting ? "needsYou" : stateOf(task), t);
  const { attempts, waitsFor, sessions } = task;
  const asks = waitsFor === null ? "" : t("waits for your answer");
  const tried = attempts > 0 && status !== "Completed" ? t("tried {0}×", attempts) : "";
  const stale = isStale ? t("interrupted") : asks || tried || undefined;
  const lines = linesText(task.work.changes);
  const took = tookText(task.work.workedMs, t);
  const cost = costText(task.work.cost ?? undefined);
  const ended =
    status === "Completed" || status === "Failed" ? endedText(task.work.to, here.now, t) : "";
  const worked = joined(ended, cost, lines);
  const atRest = stale ?? (worked === "" ? undefined : worked);
  const description = runner === null ? atRest : activityOf(runner, here);
  const tooltip: TooltipBlock[] = [
    title,
    joined(text, asks, tried),
    ...workBlocks({ ...task.work, costUsd: task.work.cost ?? undefined }, t),
  ];
  if (isStale) {
    tooltip.push(t("The runner of this task is gone. The next run of the job resumes the task."));
  }
  if (runner !== null) tooltip.push(...runnerTooltip(runner, t));
  return {
    ...waitingIn(name, isWaiting, t),
    id: `task:${stem}:${id}`,
    of: stem,
    path: logPath ?? undefined,
    line,
    label: shorten(title, description === undefined ? 80 : besides) || id,
    description,
    icon,
    tooltip,
    spoken: spoken(
      text,
      shorten(title, 200),
      asks || tried,
      runner === null ? spoken(ended, took, cost, lines) : spokenTurn(runner, t),
    ),
    context: sessions.length > 0 ? "jobTask hasChanges" : "jobTask",
    command: "rooroo.showJob",
  };
}

function stateOf({ status, runner, isStale }: JobTask): WorkState {
  switch (status) {
    case "Locked":
      return runner !== null ? "running" : isStale ? "interrupted" : "locked";
    case "Pending":
      return "pending";
    case "Completed":
      return "completed";
    case "Failed":
      return "failed";
    case "Cancelled":
      return "cancelled";
    case null:
      return "unknownStatus";
  }
}

function entryRow(
  { stem, logPath }: JobOverview,
  place: number,
  entry: EntryView,
  t: Translate,
): Row {
  const { role, result, summary, number, time, line, reason } = entry;
  const objective = said(saidObjective(entry.objective), t);
  const changes = changesText(entry.changes, t);
  const usage = usageText(entry.usage, t);
  const states = {
    Succeeded: "succeeded",
    Failed: "failed",
    Pending: "paused",
    Cancelled: "cancelled",
  } as const;
  const { text, icon } = stateLook(result === null ? "unknownResult" : states[result], t);
  return {
    id: `entry:${stem}:${place}`,
    of: stem,
    path: logPath ?? undefined,
    line,
    label: shorten(objective, 80) || t("Entry {0}", number ?? ""),
    description: shorten(summary, 80),
    icon,
    tooltip: [
      objective,
      joined(
        text,
        reason === null ? "" : t(reasonWords[reason]),
        role === null ? "" : t(roles[role]),
        timeText(time),
      ),
      ...(entry.said === "" ? [] : [t("You said: {0}", entry.said)]),
      ...(changes === "" ? [] : [changes]),
      ...(usage === "" ? [] : [usage]),
      { below: summary },
    ],
    spoken: spoken(text, shorten(objective, 200), shorten(summary, 200)),
    context: "jobEntry",
    command: "rooroo.openJobLog",
  };
}

const roles = { Planner: translatable("Planner"), Runner: translatable("Runner") };

/** Says what an entry's Changes say; what it does not understand, in the log's own words. */
function changesText(changes: string, t: Translate): string {
  const read = readChanges(changes);
  if (read === undefined) return changes;
  const files = t("{0, plural, one {# file} other {# files}}", read.files);
  const [, names = "", more] = /: (.*?)(?: and (\d+) more)?$/.exec(changes) ?? [];
  const named = more === undefined ? names : t("{0} and {1, number} more", names, Number(more));
  return joined(files, linesText(read), named);
}

/** Says what an entry's Usage says; what it does not understand, in the log's own words. */
function usageText(usage: string, t: Translate): string {
  const { ms, requests, tokens, cost } = readUsage(usage);
  const text = joined(
    tookText(ms, t),
    requests === null ? "" : t("{0, plural, one {# request} other {# requests}}", requests),
    tokens === null ? "" : t("{0, number} tokens", tokens),
    costText(cost ?? undefined),
  );
  return text === "" ? usage : text;
}

/** Says what a runner does now, and where, if that is not this window. */
function activityOf({ taskId, turn, quota, label, pid }: RunnerView, here: Here): string {
  const { t, waiting } = here;
  if (waiting.has(taskId)) return awaitingApproval(t);
  return joined(t("turn {0}/{1}", turn, quota), pid === here.pid ? "" : label);
}

function awaitingApproval(t: Translate): string {
  return t("awaiting approval");
}

function spokenTurn({ turn, quota }: RunnerView, t: Translate): string {
  return t("turn {0} of {1}", turn, quota);
}

function runnerTooltip(view: RunnerView, t: Translate): TooltipBlock[] {
  const { runner, turn, quota, since, pid, label } = view;
  const facts = joined(
    t("Turn {0} of {1}", turn, quota),
    t("since {0}", timeText(since)),
    t("{0} (process {1})", label, pid),
  );
  return [facts, { code: runner }];
}
