import type {
  EntryView,
  JobOverview,
  JobQuestion,
  JobState,
  RoadmapView,
  RunnerView,
} from "../../core/jobs/jobOverview.js";
import { shorten } from "../shorten.js";
import {
  icons,
  joined,
  problemRow,
  type Row,
  RowCollection,
  type Rows,
  spoken,
  type StateLook,
  type TooltipBlock,
  type Translate,
} from "../work/row.js";

type PhaseView = Extract<RoadmapView, { kind: "phase" }>;
type JobTask = Extract<RoadmapView, { kind: "task" }>;

/** The maximum length of a label that leaves room for the description beside it. */
const besides = 24;

/** Facts about this window. */
interface Here {
  /** The id of the window's process. */
  readonly pid: number;
  /** Ids of the work units in this window that wait for an approval. */
  readonly waiting: ReadonlySet<string>;
  readonly t: Translate;
}

/**
 * Returns the rows of all jobs; each has questions, planners, roadmap, work log and problems, in this
 * order.
 */
export function jobRows(jobs: readonly JobOverview[], here: Here): Rows {
  const rows = new RowCollection();
  for (const job of jobs) addJob(rows, job, here);
  return rows;
}

function addJob(rows: RowCollection, job: JobOverview, here: Here): void {
  const { stem, entryCount, entries, problems, roadmap } = job;
  const { t } = here;
  const row = rows.add("", jobRow(job, here));
  for (const question of job.questions) rows.add(row, questionRow(job, question, t));
  for (const runner of job.runners.filter(({ role }) => role === "Planner")) {
    rows.add(row, plannerRow(stem, runner, here));
  }
  if (roadmap.length > 0) {
    const { done, total } = job.tasks;
    const all = rows.add(row, {
      id: `roadmap:${stem}`,
      subject: { of: stem },
      label: t("Roadmap"),
      description: `${done}/${total}`,
      icon: { name: "list-tree" },
      spoken: t("Roadmap, {0} of {1} tasks done", done, total),
      context: "jobRoadmap",
      folding: "open",
    });
    for (const item of roadmap) addItem(rows, all, job, item, here);
  }
  if (entryCount > 0) {
    const log = rows.add(row, {
      id: `log:${stem}`,
      subject: { of: stem },
      label: t("Work Log"),
      description: String(entryCount),
      icon: { name: "history" },
      spoken: t("Work Log, {0} entries", entryCount),
      context: "jobLog",
      folding: "folded",
    });
    for (const [index, entry] of entries.entries()) {
      // New entries come first in the list; numbered from the oldest, each entry keeps its id.
      rows.add(log, entryRow(job, entryCount - index, entry, t));
    }
    const older = entryCount - entries.length;
    if (older > 0) {
      rows.add(log, {
        id: `older:${stem}`,
        subject: { of: stem },
        label: t("{0} older entries…", older),
        context: "jobOlder",
        command: { id: "rooroo.openJobLog" },
        folding: "leaf",
      });
    }
  }
  if (problems.length > 0) {
    const all = rows.add(row, {
      id: `problems:${stem}`,
      subject: { of: stem },
      label: t("Problems"),
      description: String(problems.length),
      icon: icons.warning,
      spoken: t("Problems, {0}", problems.length),
      context: "jobProblems",
      folding: "folded",
    });
    for (const [index, problem] of problems.entries()) {
      const id = `problem:${stem}:${index}`;
      rows.add(all, problemRow(id, stem, problem, "rooroo.openJobLog", t));
    }
  }
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
  for (const child of item.children) addItem(rows, phase, job, child, here);
}

export function jobStateLook(state: JobState, t: Translate): StateLook {
  switch (state) {
    case "running":
      return { text: t("Running"), icon: icons.running };
    case "needsYou":
      return { text: t("Needs You"), icon: icons.needsYou };
    case "left":
      return { text: t("Not Running"), icon: icons.paused };
    case "done":
      return { text: t("Done"), icon: icons.done };
    case "stuck":
      return { text: t("Blocked"), icon: icons.failed };
  }
}

function jobRow(job: JobOverview, { waiting, t }: Here): Row {
  const { stem, name, title, state, progress, tasks, next, jobPath, logPath } = job;
  const runners = job.runners.length;
  const questions = job.questions.filter(({ answer }) => answer === null).length;
  const isWaiting = job.runners.some(({ taskId }) => waiting.has(taskId));
  const isNew = state === "left" && logPath === null;
  const { text, icon } = isNew
    ? { text: t("New"), icon: icons.pending }
    : jobStateLook(isWaiting ? "needsYou" : state, t);
  const percent = t("{0}%", progress);
  const atWork = runners === 0 ? "" : runners === 1 ? t("1 runner") : t("{0} runners", runners);
  const activity = isWaiting
    ? awaitingApproval(t)
    : atWork !== ""
      ? atWork
      : state === "done"
        ? ""
        : text.toLowerCase();
  const facts = [
    text,
    tasks.total > 0 ? t("{0} of {1} tasks done", tasks.done, tasks.total) : "",
    atWork,
  ];
  const asks =
    questions === 0 ? "" : questions === 1 ? t("1 question") : t("{0} questions", questions);
  return {
    id: `job:${stem}`,
    subject: { of: stem },
    label: name,
    description: joined(isNew ? "" : percent, activity),
    icon,
    tooltip: [
      title ?? name,
      joined(...facts, asks),
      ...(state === "done" ? [] : [t("Next: {0}", next.slice(0, 500))]),
      { code: jobPath },
    ],
    spoken: spoken(t("Job {0}", name), ...facts, percent, asks),
    context: [
      "job",
      state === "running" ? "running" : "idle",
      ...(questions > 0 ? ["answerable"] : []),
      ...(logPath === null ? [] : ["hasLog"]),
    ].join(" "),
    folding: state === "done" ? "folded" : "open",
  };
}

function questionRow({ stem, jobPath }: JobOverview, question: JobQuestion, t: Translate): Row {
  const { id, text, answer, line } = question;
  const row = {
    id: `question:${stem}:${id}`,
    subject: { of: stem, path: jobPath, line, questionId: id },
    label: shorten(text, 80) || id,
    folding: "leaf" as const,
  };
  if (answer === null) {
    return {
      ...row,
      icon: { name: "question", color: "list.warningForeground" },
      tooltip: [
        text,
        { below: t("Work continues without an answer, on the runner's best assumption.") },
      ],
      spoken: t("Question: {0}", shorten(text, 200)),
      context: "jobQuestion answerable",
      command: { id: "rooroo.answerJob" },
    };
  }
  return {
    ...row,
    description: shorten(answer, 60),
    icon: { name: "comment-discussion" },
    tooltip: [text, { below: t("Answered. The next runner applies the answer.") }, answer],
    spoken: t("Question: {0}, answered: {1}", shorten(text, 200), shorten(answer, 200)),
    context: "jobQuestion",
    command: { id: "rooroo.openJobFile" },
  };
}

function plannerRow(stem: string, runner: RunnerView, here: Here): Row {
  const { t } = here;
  const { objective } = runner;
  return {
    id: `planner:${stem}:${runner.runner}`,
    subject: { of: stem },
    label: shorten(objective, besides) || t("Planner"),
    description: activityOf(runner, here),
    icon: here.waiting.has(runner.taskId) ? icons.needsYou : icons.running,
    tooltip: [objective, ...runnerTooltip(runner, t)],
    spoken: spoken(t("Planner"), shorten(objective, 200), spokenTurn(runner, t)),
    context: "jobPlanner",
    folding: "leaf",
  };
}

function phaseRow({ stem, logPath }: JobOverview, phase: PhaseView, t: Translate): Row {
  const { id, title, line, done, total, isOver } = phase;
  return {
    id: `phase:${stem}:${id}`,
    subject: { of: stem, ...(logPath === null ? {} : { path: logPath }), line },
    label: shorten(title, besides),
    description: `${done}/${total}`,
    icon: isOver ? icons.done : { name: "milestone" },
    tooltip: [title],
    spoken: t("Phase {0}, {1} of {2} tasks done", shorten(title, 200), done, total),
    context: "jobPhase",
    folding: isOver ? "folded" : "open",
  };
}

function taskRow({ stem, logPath }: JobOverview, task: JobTask, here: Here): Row {
  const { t } = here;
  const { id, title, line, runner, isStale } = task;
  const isWaiting = runner !== null && here.waiting.has(runner.taskId);
  const { text, icon } = isWaiting ? jobStateLook("needsYou", t) : taskLook(task, t);
  const about = runner === null ? (isStale ? t("interrupted") : "") : activityOf(runner, here);
  const stale = t("The runner of this task is gone. The next run of the job resumes the task.");
  return {
    id: `task:${stem}:${id}`,
    subject: { of: stem, ...(logPath === null ? {} : { path: logPath }), line },
    label: shorten(title, about === "" ? 80 : besides) || id,
    ...(about === "" ? {} : { description: about }),
    icon,
    tooltip: [
      title,
      text,
      ...(isStale ? [stale] : []),
      ...(runner === null ? [] : runnerTooltip(runner, t)),
    ],
    spoken: spoken(text, shorten(title, 200), runner === null ? "" : spokenTurn(runner, t)),
    context: "jobTask",
    command: { id: isWaiting ? "rooroo.focusChat" : "rooroo.openJobLog" },
    folding: "leaf",
  };
}

function taskLook({ status, runner, isStale }: JobTask, t: Translate): StateLook {
  switch (status) {
    case "Pending":
      return { text: t("Pending"), icon: icons.pending };
    case "Locked":
      if (runner !== null) return { text: t("Running"), icon: icons.running };
      return isStale
        ? { text: t("Interrupted"), icon: icons.paused }
        : { text: t("Locked"), icon: { name: "lock", color: "charts.blue" } };
    case "Completed":
      return { text: t("Completed"), icon: icons.done };
    case "Failed":
      return { text: t("Failed"), icon: icons.failed };
    case "Cancelled":
      return { text: t("Cancelled"), icon: icons.cancelled };
    case null:
      return { text: t("Unknown Status"), icon: icons.warning };
  }
}

function entryRow({ stem, logPath }: JobOverview, place: number, entry: EntryView, t: Translate) {
  const { objective, role, summary, number, time, line } = entry;
  const { text, icon } = resultLook(entry, t);
  return {
    id: `entry:${stem}:${place}`,
    subject: { of: stem, ...(logPath === null ? {} : { path: logPath }), line },
    label: shorten(objective, 80) || t("Entry {0}", number ?? ""),
    description: shorten(summary, 80),
    icon,
    tooltip: [objective, joined(text, role ?? "", timeText(time)), { below: summary }],
    spoken: [text, shorten(objective, 200), shorten(summary, 200)].join(", "),
    context: "jobEntry",
    command: { id: "rooroo.openJobLog" },
    folding: "leaf",
  } satisfies Row;
}

function resultLook({ result }: EntryView, t: Translate): StateLook {
  switch (result) {
    case "Succeeded":
      return { text: t("Succeeded"), icon: icons.done };
    case "Failed":
      return { text: t("Failed"), icon: icons.failed };
    case "Pending":
      return { text: t("Pending"), icon: icons.paused };
    case "Cancelled":
      return { text: t("Cancelled"), icon: icons.cancelled };
    case null:
      return { text: t("Unknown Result"), icon: { name: "question" } };
  }
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

/** Formats a time as local time; returns it unchanged if it cannot be parsed. */
function timeText(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : date.toLocaleString();
}
