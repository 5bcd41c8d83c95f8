import { digest } from "../../text/digest.js";
import { joined } from "../../text/joined.js";
import { type Said, type Words, words } from "../../text/words.js";
import { DependencyReader } from "../documents/dependencies.js";
import { editJobLog, type LogEdit } from "../documents/editJobLog.js";
import type { JobFile } from "../documents/jobFile.js";
import { type JobLog, progressOf } from "../documents/jobLog.js";
import { type Task, type RoadmapItem, tasksOf } from "../documents/roadmap.js";
import { type Version, isOver } from "../documents/taskStatus.js";
import {
  type Entry,
  fieldText,
  newestEntries,
  pendingKind,
  reasonOf,
  type SummaryKind,
} from "../documents/workLog.js";
import { objectiveText, type PlannerObjective, type Work } from "./objective.js";

export interface Judgement {
  readonly fits: boolean;
  /** The reason in one sentence. */
  readonly reason: string;
}

/** The state at the beginning of a lifecycle. */
export interface Situation {
  readonly log: JobLog;
  readonly job: JobFile;
  /** Runners that are alive now; the lifecycle's own may or may not be among them. */
  readonly live: ReadonlySet<string>;
  /** The lifecycle's own runner. */
  readonly runner: string;
  readonly version: Version;
  /** A model's judgement of whether the roadmap serves the present goal. Absent: no model was asked yet. */
  readonly judgement?: Judgement | undefined;
  /**
   * The rights of those at work, as their `name` says, for tasks that have waited for an approval under others; {@link attended}: a
   * person can be asked. Absent: not known, so that such tasks wait.
   */
  readonly rights?: string | undefined;
  /** The time of the triage. */
  readonly now: Date;
}

/** The end of the loop, with the protocol's codes: 0 success, 1 error, 2 standby. */
export interface Exit {
  readonly type: "exit";
  readonly code: 0 | 1 | 2;
  readonly reason: Said;
  /** The time at which a periodic job begins anew. */
  readonly restartsAt?: Date;
  /** Whether waiting would change nothing. */
  readonly isFinal?: boolean;
}

export type Next =
  | Work
  /** A model must judge whether the roadmap serves the goal, which has changed since the plan was made. */
  | { readonly type: "judge" }
  | Exit;

export interface Triage {
  /** Edits to write before anything else is done. */
  readonly edits: readonly LogEdit[];
  /** The log after these edits. */
  readonly log: JobLog;
  readonly next: Next;
}

/**
 * Protocol 0: decides from the files alone what this lifecycle is for, in the protocol's order (R-JIXO-8 to
 * 16).
 */
export function triage(situation: Situation): Triage {
  const { version, live, runner, job, judgement, rights } = situation;
  const edits = situation.log.tasks.flatMap((task): LogEdit[] => {
    const holder = task.runner;
    const isStale = holder === undefined || (holder !== runner && !live.has(holder));
    if (task.status !== "Locked" || !isStale) return [];
    return [{ type: "setStatus", task: task.id, status: "Pending" }];
  });
  const log = editJobLog(situation.log, edits, version);
  if (isFinished(log, job)) return finished(log, edits, version);
  const objective = planning(log, situation);
  if (
    objective !== undefined &&
    !(isPlannedInVain(objective, log) && readyTask(log, job, rights).task)
  ) {
    return { edits, log, next: { type: "plan", objective } };
  }
  const isCurrent = isPlannedFor(log, job);
  if (!isCurrent && judgement === undefined) return { edits, log, next: { type: "judge" } };
  const noted: LogEdit[] = isCurrent ? [] : [plannedFor(job)];
  const then = (last: readonly LogEdit[], next: Next): Triage => ({
    edits: [...edits, ...noted, ...last],
    next,
    log: editJobLog(log, [...noted, ...last], version),
  });
  const { task, waits, needsApproval } = readyTask(log, job, rights);
  if (task !== undefined) {
    const pending = pendingEntry(task, log);
    return then([], { type: "run", task, ...(pending && { resumes: pending }) });
  }
  if (waits !== undefined || needsApproval !== undefined) {
    const reasons = [
      ...(waits === undefined
        ? []
        : [
            words("What is left waits for your answers: {questions}.", {
              questions: waits.join(", "),
            }),
          ]),
      ...(needsApproval === undefined
        ? []
        : [
            words(
              "Nobody was there to allow what these tasks need: {tasks}. Run the job where you can be asked, or allow more (--approve, or the setting rooroo.approvals.preset).",
              { tasks: needsApproval.join(", ") },
            ),
          ]),
    ];
    const reason = joined(...reasons.flatMap((one, at) => (at === 0 ? [one] : [" ", one])));
    return then([], { type: "exit", code: 2, reason, isFinal: waits === undefined });
  }
  const end = ending(log, version);
  if (end.code !== 0) return then([], end);
  const last: LogEdit[] = log.givenProgress === 100 ? [] : [{ type: "updateProgress" }];
  if (job.every === undefined) return then(last, end);
  return periodic(log, job.every, situation.now, end, (edit, next) =>
    then([...last, ...edit], next),
  );
}

/**
 * Returns whether a job has come to its end, so that a run ends at once: only a person gives it more to do, by another goal, by
 * an answer, or by a task in its roadmap. A log without the note of its goal is somebody else's, and its word counts.
 */
export function isFinished(log: JobLog, job: JobFile): boolean {
  const { tasks, givenProgress, notes } = log;
  const isDone = tasks.length === 0 ? givenProgress === 100 : progressOf(tasks) === 100;
  const isSame = notes.planned_for === undefined || isPlannedFor(log, job);
  const hasAnswer = job.clarifications.some(({ answer }) => answer !== undefined);
  return isDone && isSame && !hasAnswer && job.every === undefined;
}

function finished(log: JobLog, edits: readonly LogEdit[], version: Version): Triage {
  const last: LogEdit[] = log.givenProgress === 100 ? [] : [{ type: "updateProgress" }];
  const next: Exit = { type: "exit", code: 0, reason: endReason(0, version) };
  return { edits: [...edits, ...last], log: editJobLog(log, last, version), next };
}

/** Returns whether the roadmap was made for this goal, or was found to serve it. */
export function isPlannedFor(log: JobLog, job: JobFile): boolean {
  return log.notes.planned_for === goalDigest(job);
}

/** Returns the note that records the goal that the roadmap is for. */
export function plannedFor(job: JobFile): LogEdit {
  return { type: "note", key: "planned_for", value: goalDigest(job) };
}

/**
 * Returns the note of the next cycle's beginning.
 *
 * @param every milliseconds from one cycle's beginning to the next
 */
export function nextCycle(every: number, began: Date): LogEdit {
  const value = new Date(began.getTime() + every).toISOString();
  return { type: "note", key: "next_cycle", value };
}

/** Returns a digest of the goal that does not depend on white space. */
function goalDigest({ goal }: JobFile): string {
  return digest(goal.replace(/\s+/g, " "));
}

/** Decides what follows when all work of a cycle is done. */
function periodic(
  log: JobLog,
  every: number,
  now: Date,
  end: Exit,
  then: (edits: readonly LogEdit[], next: Next) => Triage,
): Triage {
  const noted = Date.parse(log.notes.next_cycle ?? "");
  // A clock that was once wrong, or a period that was made shorter, must not delay the next cycle.
  const due = Number.isNaN(noted) ? undefined : Math.min(noted, now.getTime() + every);
  if (due !== undefined && due <= now.getTime()) {
    return then([], { type: "plan", objective: { type: "newCycle" } });
  }
  const restartsAt = new Date(due ?? now.getTime() + every);
  const reason = `This cycle is complete. The next begins at ${restartsAt.toISOString()}.`;
  return then(due === undefined ? [nextCycle(every, now)] : [], { ...end, reason, restartsAt });
}

/** Returns the first reason to plan. */
function planning(
  log: JobLog,
  { job, version, judgement }: Situation,
): PlannerObjective | undefined {
  const { tasks } = log;
  if (version === 2) {
    const failed = tasks.filter(({ status }) => status === "Failed");
    if (failed.length > 0) return { type: "failedTasks", tasks: failed };
    const blocked = blockedTask(log, job);
    if (blocked !== undefined) return blocked;
  }
  const answered = job.clarifications.filter(({ answer }) => answer !== undefined);
  if (answered.length > 0) return { type: "answers", clarifications: answered };
  if (tasks.length === 0) return { type: "emptyRoadmap" };
  const unreadable = tasks.filter(({ status }) => status === undefined);
  if (unreadable.length > 0) return { type: "unreadableTasks", tasks: unreadable };
  if (judgement?.fits !== false) return undefined;
  return { type: "planAstray", reason: judgement.reason };
}

/**
 * Returns whether planners have tried this several times without a plan that could be used. Then the tasks that can be
 * done go first, so that what one planner cannot solve does not hold up all others.
 */
function isPlannedInVain(objective: PlannerObjective, log: JobLog): boolean {
  return plansInVain(objective, log) >= mostPlans;
}

/** Returns how many of the newest planners, {@link mostPlans} at most, tried this without a plan that could be used. */
export function plansInVain(objective: PlannerObjective, { entries }: JobLog): number {
  const newest = entries.filter(({ role }) => role === "Planner").slice(0, mostPlans);
  const text = fieldText(objectiveText({ type: "plan", objective }));
  const other = newest.findIndex(
    (entry) => !inVain.has(reasonOf(entry) ?? "") || entry.fields.get("objective")?.value !== text,
  );
  return other < 0 ? newest.length : other;
}

/** The number of planners in a row that try the same before other work goes first, or a person is asked. */
export const mostPlans = 3;
const inVain: ReadonlySet<string> = new Set(["refused", "out of turns", "no progress"]);

function blockedTask(log: JobLog, job: JobFile): PlannerObjective | undefined {
  // In a long log it takes long to find the newest entries of all tasks, and few logs have a blocked one.
  if (!log.entries.some(isBlocked)) return undefined;
  for (const [task, { entry, isReplanned }] of newestEntries(log.tasks, log)) {
    if (task.status !== "Pending" || isReplanned || !isBlocked(entry)) continue;
    if (openQuestion(task, job) !== undefined) continue;
    return { type: "blockedTask", task, summary: entry.fields.get("summary")?.value ?? "" };
  }
  return undefined;
}

function isBlocked(entry: Entry): boolean {
  return entry.result === "Pending" && pendingKind(entry).kind === "blocker";
}

/** Returns the id of the open question without whose answer a task is not tried again. */
export function openQuestion({ fields }: Task, { clarifications }: JobFile): string | undefined {
  const waitsFor = fields.get("waits for")?.value;
  return clarifications.find(({ id, answer }) => id === waitsFor && answer === undefined)?.id;
}

/**
 * Returns whether a task waits for an approval that nobody was there to give. Other rights free it: it is tried again then.
 *
 * @param rights see {@link Situation.rights}
 */
export function needsApproval({ fields }: Task, rights?: string): boolean {
  const waitsFor = fields.get("waits for")?.value ?? "";
  if (!/^approval\b/.test(waitsFor) || rights === attended) return false;
  return rights === undefined || waitsFor === approvalUnder(rights);
}

/** The {@link Situation.rights} while a person can be asked. */
export const attended = "attended";

/** Returns what a task waits for that needs an approval, as the roadmap has it. */
export function approvalUnder(rights: string): string {
  return `approval (${rights})`;
}

function pendingEntry(task: Task, log: JobLog): ({ summary: string } & SummaryKind) | undefined {
  const entry = newestEntries([task], log).get(task)?.entry;
  if (entry?.result !== "Pending") return undefined;
  return { summary: entry.fields.get("summary")?.value ?? "", ...pendingKind(entry) };
}

/** Returns the exit for a log without a Pending task that can be done now. */
function ending({ tasks }: JobLog, version: Version): Exit {
  const isHeld = tasks.some(({ status }) => status === "Locked");
  const isDone = !isHeld && progressOf(tasks) === 100;
  // Code 1: only failed tasks are left, as version 1 never retries them, and the job cannot continue.
  const code = isHeld ? 2 : isDone ? 0 : 1;
  return { type: "exit", code, reason: endReason(code, version) };
}

function endReason(code: Exit["code"], version: Version): Words {
  const reasons = {
    0: words("Job completed successfully."),
    1: words("No task can continue: what is left has failed."),
    2: words("No available tasks to execute, other agents are active."),
  };
  const first = words("No parallelizable tasks available. Ending session.");
  return version === 1 && code !== 1 ? first : reasons[code];
}

/** The task that a runner can do now; without one, what the tasks that are left wait for. */
interface Ready {
  readonly task?: Task | undefined;
  /** The ids of open questions. Absent: no task that is left waits for one. */
  readonly waits?: readonly string[];
  /** The ids of tasks that need an approval. Absent: there are none. */
  readonly needsApproval?: readonly string[];
}

/**
 * Returns the Pending task to be done now. A task begins when what it and its phases wait for is over, and when no
 * question about it is open. Those that were tried without success come after those that were not, the least tried
 * first.
 */
function readyTask(log: JobLog, job: JobFile, rights: Situation["rights"]): Ready {
  const { items, tasks, roadmap } = log;
  const reader = new DependencyReader({ items });
  const areOver = (on: readonly RoadmapItem[]): boolean =>
    tasksOf(on).every(({ status }) => isOver(status));
  const ready = (among: readonly RoadmapItem[]): Task[] =>
    among.flatMap((item) => {
      const isNext = item.kind === "phase" || item.status === "Pending";
      if (!isNext || !areOver(reader.of(item).on)) return [];
      if (item.kind === "phase") return ready(item.children);
      return openQuestion(item, job) === undefined && !needsApproval(item, rights) ? [item] : [];
    });
  const [task] = ready(roadmap).sort((a, b) => attemptsAt(a) - attemptsAt(b));
  if (task !== undefined) return { task };
  if (tasks.some(({ status }) => status === "Locked")) return {};
  const pending = tasks.filter(({ status }) => status === "Pending");
  const waits = new Set(pending.flatMap((one) => openQuestion(one, job) ?? []));
  const unapproved = pending.filter((one) => needsApproval(one, rights)).map(({ id }) => id);
  // Tasks in a dependency cycle would wait forever, so the first Pending task is run.
  if (waits.size + unapproved.length === 0) return { task: pending[0] };
  return {
    ...(waits.size > 0 && { waits: [...waits] }),
    ...(unapproved.length > 0 && { needsApproval: unapproved }),
  };
}

/** Returns how often a task was tried without success. */
export function attemptsAt({ fields }: Task): number {
  const count = Number(fields.get("attempts")?.value ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
