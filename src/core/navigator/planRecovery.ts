import type { Report } from "../experts/report.js";

/** What a task's folder and the queue say. */
export interface TaskFacts {
  readonly taskId: string;
  readonly queued: boolean;
  /** It has a `task.json` that this installation signed: it is one of ours. */
  readonly recorded: boolean;
  /** It has a question of ours that waits for an answer. */
  readonly question: boolean;
  /** Of its report; `undefined` where there is none. */
  readonly status: Report["status"] | undefined;
  /** Its report holds tasks to queue. */
  readonly hasPlan: boolean;
  /** They are queued already. */
  readonly planQueued: boolean;
}

export interface RecoveryAction {
  readonly type: "dequeue" | "installPlan" | "offerResume" | "askAgain";
  readonly taskId: string;
}

/** What a process that ended at any moment left to be done: a function of the files alone. */
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
    // A queued task needs no offer: Proceed goes on with it.
    if (!ended && !task.question && task.recorded && !task.queued) {
      actions.push({ type: "offerResume", taskId });
    }
    return actions;
  });
}
