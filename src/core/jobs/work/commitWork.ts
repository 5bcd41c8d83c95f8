import type { ChangeSummary } from "../../changes/changeSummary.js";
import { CannotEdit } from "../../documents/editDocument.js";
import { UserError } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import type { Ids } from "../../ports/system.js";
import {
  addSpending,
  type Limit,
  limitText,
  readTotals,
  type SpendTotals,
  totalsText,
} from "../../spending/spendTotals.js";
import { visibleLine } from "../../text/visibleText.js";
import { spoken } from "../../text/words.js";
import type { NewClarification } from "../documents/clarification.js";
import { editJobLog, type LogEdit } from "../documents/editJobLog.js";
import { type FileChange, type FileChanges, withChange } from "../documents/fileChange.js";
import type { Job } from "../documents/jobFolder.js";
import type { JobLog } from "../documents/jobLog.js";
import type { JobStore } from "../documents/jobStore.js";
import { oneLine } from "../documents/outline.js";
import type { Task } from "../documents/roadmap.js";
import { fieldText, type Reason, type Result, type Role } from "../documents/workLog.js";
import type { LifecycleContext } from "./jobPrompt.js";
import {
  askedAbout,
  mostAttempts,
  planEdits,
  planItems,
  readPlan,
  readWork,
  type WorkReport,
} from "./jobReport.js";
import type { PlannerObjective, Work } from "./objective.js";
import {
  causeWords,
  type QuestionWords,
  questionWords,
  triedOftenQuestion,
  noPlanQuestion,
} from "./questionWords.js";
import {
  approvalUnder,
  attemptsAt,
  isPlannedFor,
  mostPlans,
  nextCycle,
  plannedFor,
  plansInVain,
} from "./triage.js";
import type { UnitEnd, UnitInterrupted } from "./unitOfWork.js";

/** The record of a lifecycle that the log now has. */
export interface Committed {
  readonly result: Result;
  readonly summary: string;
  /** The question that was added to the job file. */
  readonly asked?: { readonly id: string; readonly text: string };
  /** The reason why the job file could not be changed. */
  readonly problem?: string;
}

/** The details of a lifecycle's session that the log has besides its result. */
export interface SessionRecord {
  readonly session: TaskId;
  readonly changes: ChangeSummary;
  /** What the user said to the agent while it worked; empty if nothing. */
  readonly said: string;
  /** The outcomes of the job's check and of the task's review. Absent: there was none. */
  readonly check?: string;
  readonly review?: string;
  readonly spent: SpendTotals;
  /** The usage, in words for people. */
  readonly usage: string;
  /** The most that the job may use in all. */
  readonly budget: Limit;
}

/** Everything that a commit is made from. */
interface Commit {
  readonly next: Work;
  readonly end: UnitEnd;
  readonly context: LifecycleContext;
  readonly record: SessionRecord;
  /** The rights of the session, as `Situation.rights` has them. */
  readonly rights: string;
  /** The id of the question that it asks, if it asks one. */
  readonly questionId: string;
}

interface Outcome {
  readonly role: Role;
  readonly result: Result;
  readonly reason?: Reason;
  readonly summary: string;
  /** Edits besides the new entry. */
  readonly edits: readonly LogEdit[];
}

/**
 * Makes the final commit: status, progress and the new entry in one write (R-JIXO-21, 22). Only then are
 * answered questions removed from the job file, and new ones added to it (R-JIXO-23, 24).
 */
export async function commitWork(
  made: Omit<Commit, "questionId">,
  { store, changes }: { store: JobStore; changes: FileChanges },
  ids: Ids,
): Promise<Committed> {
  const commit = { ...made, questionId: `Q-${ids.hex(8)}` };
  const change = fileChange(commit);
  if (change !== undefined) await changes.prepare(change);
  const { isOutdated, ...committed } = await store.changeLog((job) => {
    const { log, ...result } = written(job, outcomeOf(commit, job, change), commit);
    return Promise.resolve({ log, result });
  });
  if (change === undefined) return committed;
  const problem = await changes.finish(change).catch((error: unknown) => {
    if (error instanceof UserError) return error.message;
    throw error;
  });
  if (problem !== undefined) return { ...committed, problem };
  const { asked } = change;
  return {
    ...committed,
    ...(asked !== undefined && !isOutdated
      ? { asked: { id: asked.id, text: asked.question } }
      : {}),
  };
}

/** Returns the change of the job file, or `undefined` if it stays as it is. */
function fileChange(commit: Commit): FileChange | undefined {
  const { next, end, context, questionId: id } = commit;
  const { runner, time } = context;
  const answered =
    end.type === "submitted" && next.type === "plan" && next.objective.type === "answers"
      ? next.objective.clarifications.map((one) => one.id)
      : [];
  const asked = questionOf(commit);
  if (answered.length === 0 && asked === undefined) return undefined;
  const objective = fieldText(context.objective);
  return { runner, time, objective, answered, ...(asked ? { asked: { id, ...asked } } : {}) };
}

/** Returns the question that a lifecycle asks: its own, or that of a task that is set aside. */
function questionOf(commit: Commit): Omit<NewClarification, "id"> | undefined {
  const { next, end, context } = commit;
  const { file } = context.job;
  const own = questionWords(file.goal);
  if (next.type === "run" && isParked(commit)) {
    // It waits for the question that is open already.
    if (askedAbout(next.task, file) !== undefined) return undefined;
    const { id } = next.task;
    const tries = attemptsAt(next.task) + 1;
    const reason = end.type === "interrupted" ? why(own, end) : whyUnfinished(readWork(end.args));
    return {
      question: triedOftenQuestion(own, { task: id, tries, why: reason }),
      toUser: own.setAside,
      placeholder: own.placeholder,
    };
  }
  if (next.type === "plan" && end.type === "interrupted" && isParked(commit)) {
    const tasks = parkedBy(next.objective).map(({ id }) => id);
    return {
      question: noPlanQuestion(own, {
        task: tasks.join(", "),
        tries: mostPlans,
        why: why(own, end),
      }),
      toUser: own.setAside,
      placeholder: own.placeholder,
    };
  }
  if (end.type === "interrupted") return undefined;
  const { clarification } = next.type === "plan" ? readPlan(end.args) : readWork(end.args);
  if (!clarification) return undefined;
  return {
    question: clarification.question,
    toUser: clarification.to_user ?? own.defaultPlan,
    placeholder: clarification.placeholder ?? own.placeholder,
  };
}

/** Returns why a lifecycle was interrupted, for the person who is asked about its task. */
function why(own: QuestionWords, end: UnitInterrupted): string {
  return causeWords(own, end) ?? visibleLine(spoken(end.reason), 500);
}

/** Returns what a runner says is in the way of its task, and else what it says of it. */
function whyUnfinished({ summary, blocked_by: blockedBy }: WorkReport): string {
  const blocker = blockedBy?.trim() ?? "";
  return blocker === "" ? summary : blocker;
}

/** Returns the tasks that are set aside if planners find no plan for this. */
function parkedBy(objective: PlannerObjective): readonly Task[] {
  return objective.type === "failedTasks" ? objective.tasks : [];
}

/**
 * Returns whether the task is set aside until the user says more: it was tried often enough, or has failed and was planned
 * anew in vain.
 */
function isParked({ next, end, record, context }: Commit): boolean {
  if (next.type === "plan") {
    const { objective } = next;
    const isInVain = end.type === "interrupted" && countsAsAttempt(end.cause);
    const tried = plansInVain(objective, context.job.log) + 1;
    return isInVain && tried >= mostPlans && parkedBy(objective).length > 0;
  }
  const isLast = attemptsAt(next.task) + 1 >= mostAttempts && record.changes.files === 0;
  if (end.type === "interrupted") {
    return countsAsAttempt(end.cause) && isLast;
  }
  const { result, clarification } = readWork(end.args);
  // Of a Failed task, version 2 makes a new plan; version 1 never tries it again.
  return result === "Pending" && !clarification && isLast;
}

/**
 * Returns whether an interrupted lifecycle counts as a try of its task: a stop or a failing model says nothing
 * about it.
 */
function countsAsAttempt(cause: UnitInterrupted["cause"]): boolean {
  return cause === "turns" || cause === "noProgress" || cause === "refused";
}

/** Returns why a runner's task is left Pending, and what the entry says of it. */
function unfinished({ end }: Commit): { reason: Reason; summary: string } {
  if (end.type === "interrupted") return { reason: causes[end.cause], summary: end.summary };
  const { summary, blocked_by: blockedBy } = readWork(end.args);
  const isBlocked = (blockedBy?.trim() ?? "") !== "";
  return isBlocked
    ? { reason: "blocked", summary: `Blocked by: ${blockedBy?.trim() ?? ""}\n${summary}` }
    : { reason: "unfinished", summary };
}

const causes: Readonly<Record<UnitInterrupted["cause"], Reason>> = {
  turns: "out of turns",
  noProgress: "no progress",
  refused: "refused",
  stopped: "stopped",
  model: "model failed",
  approval: "needs approval",
  day: "stopped",
};

/** Returns what a lifecycle with this end does to the log as it is now. */
function outcomeOf(commit: Commit, job: Job, change: FileChange | undefined): Outcome {
  const { next } = commit;
  return next.type === "plan"
    ? outcomeOfPlan(next, commit, job, change)
    : outcomeOfTask(next, commit, job);
}

function outcomeOfPlan(
  { objective }: Extract<Work, { type: "plan" }>,
  commit: Commit,
  job: Job,
  change: FileChange | undefined,
): Outcome {
  const { end, context, questionId } = commit;
  const role = "Planner";
  if (end.type === "interrupted") {
    const edits = isParked(commit)
      ? parkedBy(objective).map(({ id }): LogEdit => {
          return { type: "park", task: id, question: questionId };
        })
      : [];
    return { role, result: "Pending", reason: causes[end.cause], summary: end.summary, edits };
  }
  const report = readPlan(end.args);
  const asks = report.clarification ? ` Asked ${questionId}.` : "";
  const summary = `${report.summary}${asks}${decisions(objective)}`;
  const edits = [
    ...planEdits(report, questionId),
    ...notes(objective.type, context),
    ...notesOfAnswers(job, change),
  ];
  return { role, result: "Succeeded", summary, edits };
}

function outcomeOfTask(
  { task }: Extract<Work, { type: "run" }>,
  commit: Commit,
  { log }: Job,
): Outcome {
  const { end, context, questionId } = commit;
  const role = "Runner";
  const { id } = task;
  const now = log.tasks.find((one) => one.id === id);
  if (now?.status !== "Locked" || now.runner !== context.runner) {
    const done = end.type === "interrupted" ? end.summary : readWork(end.args).summary;
    const summary = `The task was taken from this runner, or changed by hand, while it worked. ${done}`;
    return { role, result: "Cancelled", reason: "taken over", summary, edits: [] };
  }
  const becomes = (
    status: "Completed" | "Failed" | "Pending",
    attempts: number,
    waitsFor?: string,
  ): LogEdit => ({
    type: "setStatus",
    task: id,
    status,
    fields: {
      attempts: attempts === 0 ? undefined : String(attempts),
      ...(waitsFor === undefined ? {} : { "waits for": waitsFor }),
    },
  });
  const tried = attemptsAt(task);
  if (isParked(commit)) {
    const { reason, summary } = unfinished(commit);
    const question = askedAbout(task, context.job.file) ?? questionId;
    const edits: LogEdit[] = [{ type: "park", task: id, question }];
    return {
      role,
      result: "Pending",
      reason,
      summary: `Set aside until ${question} is answered. ${summary}`,
      edits,
    };
  }
  if (end.type === "interrupted") {
    const attempts = countsAsAttempt(end.cause) ? tried + 1 : tried;
    const waitsFor = end.cause === "approval" ? approvalUnder(commit.rights) : undefined;
    return {
      role,
      result: "Pending",
      ...unfinished(commit),
      edits: [becomes("Pending", attempts, waitsFor)],
    };
  }
  const { result, summary, clarification } = readWork(end.args);
  if (clarification) {
    const items = planItems(clarification.default_plan, questionId);
    return {
      role,
      result: "Pending",
      reason: "asked",
      summary: `Asked ${questionId}; work is continued by a default plan. ${summary}`,
      edits: [becomes("Pending", 0), { type: "replaceItem", item: id, items }],
    };
  }
  if (result === "Pending") {
    return { role, result, ...unfinished(commit), edits: [becomes("Pending", tried + 1)] };
  }
  if (result === "Failed") {
    return { role, result, summary, edits: [becomes("Failed", tried + 1)] };
  }
  const fields = { attempts: undefined, asked: undefined };
  const done: LogEdit = { type: "setStatus", task: id, status: "Completed", fields };
  return { role, result, summary, edits: [done] };
}

/**
 * Returns the notes of a plan for the whole goal: the goal that the planner was shown, and the next cycle.
 */
function notes(
  why: Extract<Work, { type: "plan" }>["objective"]["type"],
  { job: { file }, time }: LifecycleContext,
): LogEdit[] {
  const begins = why === "emptyRoadmap" || why === "newCycle";
  const cycle = begins && file.every !== undefined ? [nextCycle(file.every, new Date(time))] : [];
  return begins || why === "planAstray" ? [plannedFor(file), ...cycle] : cycle;
}

/**
 * Returns the notes of a plan that works in answers. These become a part of the job file's goal; if the roadmap
 * was for the goal without them, it is for the goal with them now, and no model need judge that.
 */
function notesOfAnswers({ log, file }: Job, change: FileChange | undefined): LogEdit[] {
  if (change === undefined || change.answered.length === 0 || !isPlannedFor(log, file)) return [];
  try {
    return [plannedFor(withChange(file, change))];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [];
  }
}

/** Returns what the user has answered, for the entry of the plan that works it in; empty if nothing. */
function decisions(objective: Extract<Work, { type: "plan" }>["objective"]): string {
  if (objective.type !== "answers") return "";
  return objective.clarifications
    .map(
      ({ question, answer = "" }) =>
        `\nThe user decided: ${oneLine(question)} → ${oneLine(answer)}`,
    )
    .join("");
}

/**
 * Returns the log with the outcome's edits and entry. If the log has changed so that the edits no longer fit,
 * they are left out, and the task is freed.
 */
function written(
  job: Job,
  outcome: Outcome,
  { next, context, record }: Commit,
): Pick<Outcome, "result" | "summary"> & { readonly log: JobLog; readonly isOutdated: boolean } {
  const { objective, time } = context;
  const logOf = ({ edits, ...fields }: Outcome): JobLog => {
    const { session, changes, said, check, review, usage } = record;
    const own = { session, said, changes: changes.text, check, review, usage };
    const entry = { jobName: job.name, time, objective, ...fields, ...own };
    const total = addSpending(readTotals(job.log.notes.spent ?? ""), record.spent);
    const spentNote: LogEdit = { type: "note", key: "spent", value: totalsText(total) };
    const all: LogEdit[] = [
      ...edits,
      spentNote,
      ...budgetNote(job.log, record.budget),
      { type: "updateProgress" },
      { type: "addEntry", entry },
    ];
    return editJobLog(job.log, all, job.version);
  };
  const { result, summary } = outcome;
  try {
    checkStillEmpty(next, outcome, job);
    return { result, summary, log: logOf(outcome), isOutdated: false };
  } catch (error) {
    const isIllegal = error instanceof UserError && !(error instanceof CannotEdit);
    if (!isIllegal || outcome.edits.length === 0) throw error;
    const freed: LogEdit[] =
      next.type === "run" ? [{ type: "setStatus", task: next.task.id, status: "Pending" }] : [];
    const outdated = {
      role: outcome.role,
      edits: freed,
      result: next.type === "run" ? "Pending" : "Failed",
      reason: "outdated",
      summary: `What was submitted does not fit the log any more, and work will be resumed: ${error.message} ${summary}`,
    } as const;
    return {
      result: outdated.result,
      summary: outdated.summary,
      log: logOf(outdated),
      isOutdated: true,
    };
  }
}

/** Returns the note of the budget that the job works under, if the log does not say it yet. */
function budgetNote({ notes }: JobLog, budget: Limit): LogEdit[] {
  const value = limitText(budget);
  return value === (notes.budget ?? "none") ? [] : [{ type: "note", key: "budget", value }];
}

/**
 * Throws a {@link UserError} if a first plan would be added to a roadmap that is no longer empty: the log may
 * have been empty only while an editor saved it.
 */
function checkStillEmpty(next: Work, { edits }: Outcome, { log }: Job): void {
  const isFirst = next.type === "plan" && next.objective.type === "emptyRoadmap";
  if (isFirst && edits.length > 0 && log.tasks.length > 0) {
    throw new UserError("roadmapNotEmpty", "The roadmap is no longer empty.");
  }
}
