import { saidBy, UserError } from "../../errors.js";
import type { TaskId, JobName } from "../../ids.js";
import { joined } from "../../text/joined.js";
import { type Said, words } from "../../text/words.js";
import type { JobFile } from "../documents/jobFile.js";
import type { Job } from "../documents/jobFolder.js";
import { progressOf } from "../documents/jobLog.js";
import { logProblems } from "../documents/logProblems.js";
import { type Phase, type RoadmapItem, type Task, tasksOf } from "../documents/roadmap.js";
import { isOver, taskStatuses } from "../documents/taskStatus.js";
import { isTitlePlaceholder } from "../documents/titlePlaceholder.js";
import {
  type Entry,
  type FieldName,
  type Reason,
  reasonOf,
  runnerSessions,
  type Result,
  type Role,
  sessionOf,
  sessionsByTask,
} from "../documents/workLog.js";
import { objectiveWords } from "../work/objective.js";
import type { LiveRunner } from "../work/runnerRecords.js";
import { attemptsAt, needsApproval, type Next, openQuestion, triage } from "../work/triage.js";
import { type LifecycleFacts, lifecycleFacts, lifecyclesByTask } from "./lifecycleFacts.js";
import type { RoadmapView, RunnerView } from "./roadmapView.js";
import { taskWork } from "./taskFacts.js";

/**
 * `needsYou`: a question waits for the user, and no runner is at work; `left`: work is left, and the job can
 * be run; `stuck`: a run would end at once, with nothing done.
 */
type JobState = "running" | "needsYou" | "left" | "done" | "stuck";

/** A job as the editor and the command line show it: plain data. Lines are 1-based. */
export interface JobOverview {
  readonly name: JobName;
  /** The version of the protocol that the job file is written for. */
  readonly version: 1 | 2;
  /** The name of its files, unique among the jobs. */
  readonly stem: string;
  /** `null`: the log has none yet, or only a placeholder. */
  readonly title: string | null;
  readonly state: JobState;
  /** Whether nobody has taken it over here: it may have come with the folder, and does not run by itself. */
  readonly isForeign: boolean;
  readonly jobPath: string;
  /** `null` while there is no log. */
  readonly logPath: string | null;
  /** The progress in percent, computed from the tasks. */
  readonly progress: number;
  /** The number of tasks that are not cancelled, and how many of them are completed. */
  readonly tasks: { readonly total: number; readonly done: number };
  /** The number of tasks of each status that occurs. */
  readonly taskCounts: Readonly<Record<string, number>>;
  /** Ids of tasks whose runner is not known to be alive: the next lifecycle frees them. */
  readonly staleLocks: readonly string[];
  /** Whether the job begins anew after each cycle. */
  readonly isPeriodic: boolean;
  /** The work of the job's next lifecycle. */
  readonly next: JobNext;
  /** The runners at work, in any process. */
  readonly runners: readonly RunnerView[];
  readonly roadmap: readonly RoadmapView[];
  /** The newest entries. */
  readonly entries: readonly EntryView[];
  /** The number of all entries. */
  readonly entryCount: number;
  /**
   * The questions in the job file; one whose answer was worked in has been removed from it. A job that is done asks
   * nothing any more, unless it begins anew.
   */
  readonly questions: readonly JobQuestion[];
  /** The problems of both files. */
  readonly problems: readonly JobProblem[];
  /** The sessions of its runners that have an entry, the newest first. */
  readonly sessions: readonly TaskId[];
  /** The usage of all lifecycles that have an entry, as in `52 requests, 812,400 tokens`; `null` if there is none. */
  readonly spent: string | null;
  /** The number of all problems in the log. */
  readonly logProblemCount: number;
}

interface JobNext {
  readonly role: "Planner" | "Runner" | null;
  /** The next objective, or why there is none: one line for people. */
  readonly objective: Said;
  /** The id of the task that a runner takes. */
  readonly task: string | null;
  /** The exit code of the loop, if it ends. */
  readonly exitCode: 0 | 1 | 2 | null;
}

export type { RoadmapView, RunnerView };

export interface EntryView {
  readonly number: number | null;
  /** The time as the log has it. */
  readonly time: string;
  readonly role: Role | null;
  readonly result: Result | null;
  /** The reason why the work is Pending. */
  readonly reason: Reason | null;
  /** What the user said to the runner, the files that it changed, and what it used, for people; empty if the entry does not say. */
  readonly said: string;
  readonly changes: string;
  readonly usage: string;
  readonly session: TaskId | null;
  readonly objective: string;
  /** The summary, shortened if it is long. */
  readonly summary: string;
  readonly line: number;
}

export interface JobQuestion {
  readonly id: string;
  readonly text: string;
  /** `null` while the question is open. */
  readonly answer: string | null;
  /** The line of the answer's label in the job file. */
  readonly line: number;
}

interface JobProblem {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly message: Said;
}

const [mostEntries, mostProblems, mostWords] = [20, 200, 2_000];

export interface JobAtWork {
  /** The runners of the job that are alive, from their records. */
  readonly live: readonly LiveRunner[];
  /** Names of the live runners that hold tasks in the log. */
  readonly holders: ReadonlySet<string>;
  /** Whether this process runs the job, even if none of its runners is at work right now. */
  readonly isRun: boolean;
  /** Whether nobody has taken it over here. */
  readonly isForeign: boolean;
}

/** Returns a job's state as its next lifecycle would see it. */
export function jobOverview(
  job: Job,
  { live, holders, isRun, isForeign }: JobAtWork,
  now: Date,
): JobOverview {
  const { name, stem, version, jobPath, logPath, file, log } = job;
  const { staleLocks, progress, next } = nextOf(job, holders, now);
  const stale = new Set(staleLocks);
  const inLog = logProblems(log);
  const problems = [
    ...file.problems.map((problem) => ({ path: jobPath, ...problem })),
    ...inLog.map((problem) => ({ path: logPath, ...problem })),
  ];
  const sessions = sessionsByTask(log);
  const work = lifecyclesByTask(lifecycleFacts(log, live.map(runnerView), now));
  const isAsked = file.clarifications.some(({ answer }) => answer === undefined);
  const asks = isAsked || log.tasks.some((task) => needsApproval(task));
  const isRunning = isRun || live.length > 0 || holders.size > 0;
  const state = isRunning ? "running" : stateOf(next, asks);
  const isOver = state === "done" && file.every === undefined;
  return {
    name,
    stem,
    version,
    jobPath,
    title: log.title === undefined || isTitlePlaceholder(log.title) ? null : log.title,
    progress,
    logPath: log.lines.text === "" ? null : logPath,
    state,
    isForeign,
    tasks: countsOf(log.tasks),
    taskCounts: statusCounts(log.tasks),
    staleLocks,
    isPeriodic: file.every !== undefined,
    next,
    runners: live.map(runnerView),
    roadmap: log.roadmap.map((item) => roadmapView(item, { live, stale, file, sessions, work })),
    entries: log.entries.slice(0, mostEntries).map(entryView),
    entryCount: log.entries.length,
    questions: file.clarifications
      .filter(({ answer }) => answer !== undefined || !isOver)
      .map(({ id, question, answer, answerRow }) => ({
        id,
        text: question,
        line: answerRow + 1,
        answer: answer ?? null,
      })),
    problems: problems.slice(0, mostProblems).map(({ path, row, rule, message }) => {
      return { path, line: row + 1, rule, message };
    }),
    sessions: runnerSessions(log.entries),
    spent: log.notes.spent ?? null,
    logProblemCount: inLog.length,
  };
}

/** An overview makes no model call: it assumes that the plan serves a changed goal. */
const asIfFit = { judgement: { fits: true, reason: "" } };

/** Returns the result of the triage, or the reason why a lifecycle could not write its edits. */
function nextOf(
  { log, file, version }: Job,
  live: ReadonlySet<string>,
  now: Date,
): { staleLocks: string[]; progress: number; next: JobNext } {
  try {
    const found = triage({ log, job: file, version, runner: "", now, ...asIfFit, live });
    const staleLocks = found.edits.flatMap((edit) =>
      edit.type === "setStatus" ? [edit.task] : [],
    );
    return { staleLocks, progress: progressOf(found.log.tasks), next: nextView(found.next) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const next = { role: null, objective: saidBy(error), task: null, exitCode: 1 as const };
    return { staleLocks: [], progress: progressOf(log.tasks), next };
  }
}

function nextView(next: Next): JobNext {
  const base = { role: null, task: null, exitCode: null };
  if (next.type === "judge") {
    return { ...base, objective: words("Ask whether the plan serves the goal") };
  }
  if (next.type === "exit") return { ...base, objective: next.reason, exitCode: next.code };
  const objective = objectiveWords(next);
  if (next.type === "run") {
    const { task, resumes } = next;
    const role = "Runner";
    if (resumes === undefined) return { ...base, role, objective, task: task.id };
    const last = { objective, summary: resumes.summary };
    const left = resumes.isCertain
      ? words("{objective}, last result: {summary}", last)
      : words("{objective}, last result: {summary} (assumed to be paused)", last);
    return { ...base, role, objective: left, task: task.id };
  }
  const why = next.objective.type === "blockedTask" ? [": ", next.objective.summary] : [];
  return { ...base, role: "Planner", objective: joined(objective, ...why) };
}

/** @param asks whether a question of the job is open */
function stateOf({ exitCode }: JobNext, asks: boolean): JobState {
  if (exitCode === 1) return "stuck";
  if (exitCode === 0) return "done";
  return asks ? "needsYou" : "left";
}

function statusCounts(tasks: readonly Task[]): Record<string, number> {
  const counts = new Map<string, number>([
    ...taskStatuses.map((status) => [status, 0] as const),
    ["unreadable", 0],
  ]);
  for (const { status = "unreadable" } of tasks) counts.set(status, (counts.get(status) ?? 0) + 1);
  return Object.fromEntries([...counts].filter(([, count]) => count > 0));
}

function countsOf(tasks: readonly Task[]): { total: number; done: number } {
  const counted = tasks.filter(({ status }) => status !== "Cancelled");
  const done = counted.filter(({ status }) => status === "Completed").length;
  return { total: counted.length, done };
}

function runnerView({ holder, ...summary }: LiveRunner): RunnerView {
  const { runner, taskId, role, objective, turn, quota, since } = summary;
  const { pid, label } = holder;
  return { runner, taskId, role, objective, turn, quota, since, pid, label };
}

interface RoadmapState {
  readonly live: readonly LiveRunner[];
  /** Ids of tasks whose runner is not known to be alive. */
  readonly stale: ReadonlySet<string>;
  readonly file: JobFile;
  readonly sessions: ReadonlyMap<Task, readonly TaskId[]>;
  /** The lifecycles by the ids of their tasks. */
  readonly work: ReadonlyMap<string, readonly LifecycleFacts[]>;
}

function roadmapView(item: RoadmapItem, state: RoadmapState): RoadmapView {
  const { id, row } = item;
  const base = { id, title: titleOf(item), line: row + 1 };
  if (item.kind === "phase") {
    const tasks = tasksOf(item.children);
    return {
      kind: "phase",
      ...base,
      ...countsOf(tasks),
      isOver: tasks.every(({ status }) => isOver(status)),
      children: item.children.map((child) => roadmapView(child, state)),
    };
  }
  const { live, stale, file, sessions, work } = state;
  const runner = item.status === "Locked" && live.find((one) => one.runner === item.runner);
  return {
    kind: "task",
    ...base,
    status: item.status ?? null,
    isStale: stale.has(id),
    attempts: attemptsAt(item),
    waitsFor: openQuestion(item, file) ?? null,
    sessions: sessions.get(item) ?? [],
    work: taskWork(work.get(id) ?? []),
    runner: runner ? runnerView(runner) : null,
  };
}

function titleOf({ number, title, text }: Task | Phase): string {
  if (title === "") return text;
  return number === undefined ? title : `${number}. ${title}`;
}

function entryView(entry: Entry): EntryView {
  const { row, heading, role, result, fields } = entry;
  const text = (name: FieldName) => (fields.get(name)?.value ?? "").slice(0, mostWords);
  return {
    number: heading?.number ?? null,
    time: heading?.time ?? "",
    line: row + 1,
    role: role ?? null,
    result: result ?? null,
    reason: reasonOf(entry) ?? null,
    said: text("said"),
    changes: text("changes"),
    usage: text("usage"),
    session: sessionOf(entry) ?? null,
    objective: text("objective"),
    summary: text("summary"),
  };
}
