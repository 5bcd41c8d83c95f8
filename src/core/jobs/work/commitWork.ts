import { UserError } from "../../errors.js";
import type { Ids } from "../../ports/system.js";
import { CannotEdit } from "../../documents/editDocument.js";
import { editJobLog, type LogEdit } from "../documents/editJobLog.js";
import { type FileChange, type FileChanges, refusal, withChange } from "../documents/fileChange.js";
import type { Job } from "../documents/jobFolder.js";
import type { JobLog } from "../documents/jobLog.js";
import { planEdits, planItems, readPlan, readWork } from "./jobReport.js";
import type { LifecycleContext } from "./jobPrompt.js";
import type { JobStore } from "../documents/jobStore.js";
import { oneLine } from "../documents/outline.js";
import { isPlannedFor, nextCycle, plannedFor, type Work } from "./triage.js";
import type { SessionEnd } from "../../work/agentSession.js";
import { fieldText, type Result, type Role } from "../documents/workLog.js";

/** What the log now records of a lifecycle. */
export interface Committed {
  readonly result: Result;
  readonly summary: string;
  /** The question that was added to the job file. */
  readonly asked?: { readonly id: string; readonly text: string };
  /** Why the job file could not be changed. */
  readonly problem?: string;
}

interface Outcome {
  readonly role: Role;
  readonly result: Result;
  readonly summary: string;
  /** Edits besides the new entry. */
  readonly edits: readonly LogEdit[];
}

/**
 * Makes the final commit: status, progress and the new entry in one write (R-JIXO-21, 22). Only then are
 * answered questions removed from the job file, and new ones added to it (R-JIXO-23, 24).
 */
export async function commitWork(
  next: Work,
  end: SessionEnd,
  context: LifecycleContext,
  { store, changes }: { store: JobStore; changes: FileChanges },
  ids: Ids,
): Promise<Committed> {
  const id = `Q-${ids.hex(8)}`;
  const change = fileChange(next, end, id, context);
  if (change !== undefined) await changes.prepare(change);
  const { isRejected, ...committed } = await store.changeLog((job) => {
    const outcome = outcomeOf(next, end, id, context, job, change);
    const { log, ...result } = written(job, outcome, next, context);
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
    ...(asked !== undefined && !isRejected ? { asked: { id, text: asked.question } } : {}),
  };
}

/** Returns the change of the job file, or `undefined` if it stays as it is. */
function fileChange(
  next: Work,
  end: SessionEnd,
  id: string,
  { runner, time, objective: said }: LifecycleContext,
): FileChange | undefined {
  if (end.type === "interrupted") return undefined;
  const report = next.type === "plan" ? readPlan(end.args) : readWork(end.args);
  const answered =
    next.type === "plan" && next.objective.type === "answers"
      ? next.objective.clarifications.map((one) => one.id)
      : [];
  const { clarification } = report;
  if (answered.length === 0 && !clarification) return undefined;
  const asked = clarification && {
    id,
    question: clarification.question,
    toUser:
      clarification.to_user ?? "I need to know this, and go on with a default plan meanwhile.",
    placeholder: clarification.placeholder ?? "Write your answer here.",
  };
  const objective = fieldText(said);
  return { runner, time, objective, answered, ...(asked ? { asked } : {}) };
}

/** Returns what a lifecycle with this end does to the log as it is now. */
function outcomeOf(
  next: Work,
  end: SessionEnd,
  questionId: string,
  context: LifecycleContext,
  job: Job,
  change: FileChange | undefined,
): Outcome {
  if (next.type === "plan") {
    const role = "Planner";
    if (end.type === "interrupted")
      return { role, result: "Pending", summary: end.reason, edits: [] };
    const report = readPlan(end.args);
    const asks = report.clarification ? ` Asked ${questionId}.` : "";
    const summary = `${report.summary}${asks}${decisions(next.objective)}`;
    const edits = [
      ...planEdits(report),
      ...notes(next.objective.type, context),
      ...notesOfAnswers(job, change),
    ];
    return { role, result: "Succeeded", summary, edits };
  }
  const role = "Runner";
  const { id } = next.task;
  const task = job.log.tasks.find((one) => one.id === id);
  if (task?.status !== "Locked" || task.runner !== context.runner) {
    const said = end.type === "interrupted" ? end.reason : readWork(end.args).summary;
    const summary = `The task was taken from this runner, or changed by hand, while it worked. ${said}`;
    return { role, result: "Cancelled", summary, edits: [] };
  }
  const becomes = (status: "Completed" | "Failed" | "Pending"): LogEdit => ({
    type: "setStatus",
    task: id,
    status,
  });
  if (end.type === "interrupted") {
    return { role, result: "Pending", summary: end.reason, edits: [becomes("Pending")] };
  }
  const { result, summary, clarification } = readWork(end.args);
  if (clarification) {
    const items = planItems(clarification.default_plan);
    return {
      role,
      result: "Pending",
      summary: `Asked ${questionId}; work is continued by a default plan. ${summary}`,
      edits: [becomes("Pending"), { type: "replaceItem", item: id, items }],
    };
  }
  const status = result === "Succeeded" ? "Completed" : result;
  return { role, result, summary, edits: [becomes(status)] };
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
  next: Work,
  { objective, time }: LifecycleContext,
): Pick<Outcome, "result" | "summary"> & { readonly log: JobLog; readonly isRejected: boolean } {
  const logOf = ({ role, result, summary, edits }: Outcome): JobLog => {
    const entry = { jobName: job.name, time, role, objective, result, summary };
    const all = [...edits, { type: "updateProgress" }, { type: "addEntry", entry }] as const;
    return editJobLog(job.log, all, job.version);
  };
  const { result, summary } = outcome;
  try {
    checkStillEmpty(next, outcome, job);
    return { result, summary, log: logOf(outcome), isRejected: false };
  } catch (error) {
    const isIllegal = error instanceof UserError && !(error instanceof CannotEdit);
    if (!isIllegal || outcome.edits.length === 0) throw error;
    const freed: LogEdit[] =
      next.type === "run" ? [{ type: "setStatus", task: next.task.id, status: "Pending" }] : [];
    const refused = {
      role: outcome.role,
      edits: freed,
      result: next.type === "run" ? "Pending" : "Failed",
      summary: `${refusal}, and work will be resumed: ${error.message} ${summary}`,
    } as const;
    return {
      result: refused.result,
      summary: refused.summary,
      log: logOf(refused),
      isRejected: true,
    };
  }
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
