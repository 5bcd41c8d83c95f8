import type { Clarification } from "./clarification.js";
import { editJobLog } from "./editJobLog.js";
import type { JobFile } from "./jobFile.js";
import { type JobLog, progressOf } from "./jobLog.js";
import type { LogEdit } from "./logEdit.js";
import { newestEntries } from "./newestEntries.js";
import type { Task } from "./roadmap.js";
import { type SummaryKind, summaryKind } from "./summaryKind.js";
import type { Version } from "./taskStatus.js";

/** What is known when a lifecycle begins. */
export interface Situation {
  readonly log: JobLog;
  readonly job: JobFile;
  /** Runners that are alive now, whether or not this one is among them. */
  readonly live: ReadonlySet<string>;
  /** Who asks. */
  readonly runner: string;
  readonly version: Version;
  /** Whether the roadmap serves the goal, as a model judged it; `true` where none was asked. */
  readonly planFits: boolean;
}

/** What a planner's lifecycle is for. */
type PlannerObjective =
  | { readonly type: "failedTasks"; readonly tasks: readonly Task[] }
  | { readonly type: "blockedTask"; readonly task: Task; readonly summary: string }
  | { readonly type: "answers"; readonly clarifications: readonly Clarification[] }
  | { readonly type: "emptyRoadmap" }
  | { readonly type: "unreadableTasks"; readonly tasks: readonly Task[] }
  | { readonly type: "planAstray" };

export type Next =
  | { readonly type: "plan"; readonly objective: PlannerObjective }
  /** `resumes`: what the newest entry says of it, which was a pause, or was taken for one. */
  | {
      readonly type: "run";
      readonly task: Task;
      readonly resumes?: { readonly summary: string } & SummaryKind;
    }
  /** Of the loop, as the protocol has its codes: 0 success, 1 error, 2 standby. */
  | { readonly type: "exit"; readonly code: 0 | 1 | 2; readonly reason: string };

export interface Triage {
  /** To be written before anything else is done. */
  readonly edits: readonly LogEdit[];
  /** The log with them. */
  readonly log: JobLog;
  readonly next: Next;
}

/** Protocol 0, in its order: what this lifecycle is for, from the files alone (R-JIXO-8 to 16). */
export function triage(situation: Situation): Triage {
  const { version, live, runner } = situation;
  const edits = situation.log.tasks.flatMap((task): LogEdit[] => {
    const holder = task.runner;
    const isStale = holder === undefined || (holder !== runner && !live.has(holder));
    if (task.status !== "Locked" || !isStale) return [];
    return [{ type: "setStatus", task: task.id, status: "Pending" }];
  });
  const log = editJobLog(situation.log, edits, version);
  const objective = planning(log, situation);
  if (objective !== undefined) return { edits, log, next: { type: "plan", objective } };
  const task = log.tasks.find(({ status }) => status === "Pending");
  if (task !== undefined) {
    const left = pendingEntry(task, log);
    return { edits, log, next: { type: "run", task, ...(left && { resumes: left }) } };
  }
  const next = ending(log, version);
  const isShort = next.code === 0 && log.givenProgress !== 100;
  const last: LogEdit[] = isShort ? [{ type: "updateProgress" }] : [];
  return { edits: [...edits, ...last], log: editJobLog(log, last, version), next };
}

/** The first thing that calls for a planner. */
function planning(
  log: JobLog,
  { job, version, planFits }: Situation,
): PlannerObjective | undefined {
  const { tasks } = log;
  if (version === 2) {
    const failed = tasks.filter(({ status }) => status === "Failed");
    if (failed.length > 0) return { type: "failedTasks", tasks: failed };
    const blocked = blockedTask(log);
    if (blocked !== undefined) return blocked;
  }
  const answered = job.clarifications.filter(({ answer }) => answer !== undefined);
  if (answered.length > 0) return { type: "answers", clarifications: answered };
  if (tasks.length === 0) return { type: "emptyRoadmap" };
  const unreadable = tasks.filter(({ status }) => status === undefined);
  if (unreadable.length > 0) return { type: "unreadableTasks", tasks: unreadable };
  return planFits ? undefined : { type: "planAstray" };
}

function blockedTask(log: JobLog): PlannerObjective | undefined {
  for (const [task, { entry, isReplanned }] of newestEntries(log.tasks, log.entries)) {
    if (task.status !== "Pending" || entry.result !== "Pending" || isReplanned) continue;
    const summary = entry.fields.get("summary")?.value ?? "";
    if (summaryKind(summary).kind === "blocker") return { type: "blockedTask", task, summary };
  }
  return undefined;
}

function pendingEntry(task: Task, log: JobLog): ({ summary: string } & SummaryKind) | undefined {
  const entry = newestEntries([task], log.entries).get(task)?.entry;
  if (entry?.result !== "Pending") return undefined;
  const summary = entry.fields.get("summary")?.value ?? "";
  return { summary, ...summaryKind(summary) };
}

/** Nothing is Pending. */
function ending({ tasks }: JobLog, version: Version): Next & { type: "exit" } {
  const isHeld = tasks.some(({ status }) => status === "Locked");
  const isDone = !isHeld && progressOf(tasks) === 100;
  // Failed tasks that nobody takes up, as version 1 leaves them: nothing would ever move again.
  const code = isHeld ? 2 : isDone ? 0 : 1;
  const reasons = {
    0: "Job completed successfully.",
    1: "No task can go on: what is left has failed.",
    2: "No available tasks to execute, other agents are active.",
  };
  const first = "No parallelizable tasks available. Ending session.";
  return { type: "exit", code, reason: version === 1 && code !== 1 ? first : reasons[code] };
}
