import type { Report } from "../experts/report.js";

/** The facts about a task from its folder and the queue. */
export interface TaskFacts {
  readonly taskId: string;
  readonly queued: boolean;
  /** Whether this installation made the task or has worked on it. */
  readonly recorded: boolean;
  /** Whether the task has a question, signed by this installation, that waits for an answer. */
  readonly question: boolean;
  /** The report's status; `undefined` where there is no report. */
  readonly status: Report["status"] | undefined;
  /** Whether the task's report has tasks to queue. */
  readonly hasPlan: boolean;
  /** Whether the report's tasks have been queued already. */
  readonly planQueued: boolean;
}

export interface RecoveryAction {
  readonly type: "dequeue" | "installPlan" | "offerResume" | "askAgain";
  readonly taskId: string;
}

/** Returns what is left to do after a process ended at any moment, from the files alone. */
export function planRecovery(tasks: readonly TaskFacts[]): RecoveryAction[] {
  return tasks.flatMap((task): RecoveryAction[] => {
    const { taskId } = task;
    const actions: RecoveryAction[] = [];
    const ended = task.status !== undefined && task.status !== "NeedsClarification";
    if (ended && task.queued) actions.push({ type: "dequeue", taskId });
    if (task.status === "Done" && task.hasPlan && !task.planQueued) {
      actions.push({ type: "installPlan", taskId });
    }
    if (!ended && task.question) actions.push({ type: "askAgain", taskId });
    // A queued task needs no offer: Proceed resumes it.
    if (!ended && !task.question && task.recorded && !task.queued) {
      actions.push({ type: "offerResume", taskId });
    }
    return actions;
  });
}
