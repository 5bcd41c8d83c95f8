import type { UndoneFile } from "../changes/taskChanges.js";
import { UserError } from "../errors.js";
import type { TaskId } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import type { Clock } from "../ports/system.js";
import { visibleLine } from "../text/visibleText.js";
import { editJobLog, type LogEdit } from "./documents/editJobLog.js";
import type { Job } from "./documents/jobFolder.js";
import { JobStore } from "./documents/jobStore.js";
import type { Task } from "./documents/roadmap.js";
import { runnerSessions, sessionsByTask } from "./documents/workLog.js";
import { objectiveText } from "./work/objective.js";

/**
 * Returns the sessions whose changes are a job's, the newest first: those of one task, or of all.
 *
 * @param taskId the id of a roadmap's task; `undefined`: all tasks
 * @throws {UserError} if the roadmap has no such task
 */
export function sessionsOf({ log }: Job, taskId: string | undefined): TaskId[] {
  if (taskId !== undefined) return sessionsByTask(log).get(taskNamed(log.tasks, taskId)) ?? [];
  return runnerSessions(log.entries);
}

/**
 * Returns the task whose changes are to be undone, and the sessions that made them, the newest first.
 *
 * @throws {UserError} if there is no such task, if a runner works on it, or if the log names no session of it
 */
export function undoable(job: Job, taskId: string): { task: Task; sessions: readonly TaskId[] } {
  const task = taskNamed(job.log.tasks, taskId);
  const { id } = task;
  if (task.status === "Locked") {
    throw new UserError(
      "jobTaskAtWork",
      "A runner works on task {task}. Stop the job, or wait until the task has ended.",
      { task: id },
    );
  }
  const sessions = sessionsOf(job, taskId);
  if (sessions.length === 0) {
    throw new UserError(
      "jobTaskWithoutSession",
      "The log names no session of task {task}, so it is not known what it has changed. Revert what you want by hand.",
      { task: id },
    );
  }
  return { task, sessions };
}

/**
 * Sets a task back to Pending whose changes were undone, and says so in an entry of the log. Does nothing if no file
 * was restored. Returns whether the task is to be done anew.
 */
export async function setTaskBack(
  job: Job,
  task: Task,
  undone: readonly UndoneFile[],
  { files, lock, clock }: { files: FileSystem; lock: Lock; clock: Clock },
): Promise<boolean> {
  const done = undone.filter(({ type }) => type === "restored" || type === "removed");
  if (done.length === 0) return false;
  const left = undone.filter(({ type }) => type === "left");
  const kept = left.length === 0 ? "" : ` Left as they are: ${paths(left)}.`;
  const entry: LogEdit = {
    type: "addEntry",
    entry: {
      jobName: job.name,
      time: clock.now().toISOString(),
      role: "Planner",
      objective: `Undo ${objectiveText({ type: "run", task })}`,
      result: "Succeeded",
      reason: "undone",
      summary: `The user undid what this task had changed: ${paths(done)}.${kept} The task is to be done anew.`,
    },
  };
  await new JobStore(files, lock, job).changeLog((now) => {
    const reopen: LogEdit = { type: "reopen", task: task.id };
    const log = editJobLog(now.log, [reopen, { type: "updateProgress" }, entry], now.version);
    return Promise.resolve({ log, result: undefined });
  });
  return true;
}

function paths(files: readonly UndoneFile[]): string {
  const more = files.length - 20;
  const shown = files.slice(0, 20).map(({ path }) => visibleLine(path, 200));
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function taskNamed(tasks: readonly Task[], id: string): Task {
  const task = tasks.find((one) => one.id === id || one.title === id);
  if (task === undefined) {
    throw new UserError("roadmapTaskUnknown", "The roadmap has no task {id}.", { id });
  }
  return task;
}
