import { UserError } from "../../errors.js";
import { CannotEdit } from "../../documents/editDocument.js";
import { editJobLog, type LogEdit } from "../documents/editJobLog.js";
import type { Job } from "../documents/jobFolder.js";
import type { JobLog } from "../documents/jobLog.js";
import type { Task } from "../documents/roadmap.js";
import type { Version } from "../documents/taskStatus.js";
import { planEdits, type PlanReport } from "./jobReport.js";
import { rebuildJobLog } from "../documents/rebuildJobLog.js";
import type { Work } from "./triage.js";

/**
 * Returns why a plan is rejected, as a message to the model: it cannot be written, or misses its objective.
 * Returns `undefined` if the plan is accepted.
 */
export function planProblem(
  report: PlanReport,
  { objective }: Extract<Work, { type: "plan" }>,
  { log, version }: Job,
): string | undefined {
  const hasNoTitle =
    log.title === undefined || /^[\s_*]*(待定|tbd|untitled)?[\s_*]*$/i.test(log.title);
  if (hasNoTitle && !report.title?.trim()) return "The log has no title yet: give it one in title.";
  try {
    const { tasks } = edited(log, planEdits(report), version);
    if (tasks.length === 0) return "The roadmap would have no task. Add some.";
    const failed = tasks.find(({ status }) => status === "Failed");
    if (objective.type === "failedTasks" && failed !== undefined) {
      return `Task ${failed.id} would still be Failed: retry, replace or cancel it.`;
    }
    const unread = tasks.find(({ status }) => status === undefined);
    if (objective.type === "unreadableTasks" && unread !== undefined) {
      return `Task ${unread.id} would still have no known status: replace it.`;
    }
    // A first plan that comes too late is rejected as a whole when it is committed.
    const isLate = objective.type === "emptyRoadmap" && log.tasks.length > 0;
    const twice = isLate ? undefined : newTwin(tasks, log.tasks);
    if (twice !== undefined) return `There would be two tasks ${twice}: give yours another number.`;
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}

/** Applies the edits in the same way as the commit. */
function edited(log: JobLog, edits: readonly LogEdit[], version: Version): JobLog {
  try {
    return editJobLog(log, edits, version);
  } catch (error) {
    if (!(error instanceof CannotEdit)) throw error;
    return editJobLog(rebuildJobLog(log), edits, version);
  }
}

/** Returns a number that a new task shares with another task: entries name their tasks by number. */
function newTwin(tasks: readonly Task[], before: readonly Task[]): string | undefined {
  const known = new Set(before.map(({ id }) => id));
  const numbers = new Set<string>();
  for (const { id, number } of tasks) {
    if (number === undefined) continue;
    if (numbers.has(number) && !known.has(id)) return number;
    numbers.add(number);
  }
  return undefined;
}
