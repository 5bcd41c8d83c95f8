import type { Effort } from "../agent/messages.js";
import type { ModeProblem } from "../experts/modeFile.js";
import type { LockHolder } from "../ports.js";

/** `foreign`: its files were not written by this installation, so nothing of them counts. */
export type TaskState =
  "needsYou" | "running" | "queued" | "interrupted" | "done" | "failed" | "foreign";

/** A task as lists show it, read from the queue and the task's folder. */
export interface TaskView {
  readonly taskId: string;
  readonly mode: string;
  readonly goal: string;
  readonly state: TaskState;
  readonly planId: string | null;
  /** Workspace paths; absent when the file is. */
  readonly contextPath?: string;
  readonly reportPath?: string;
  /** What the task asks, when it needs the person. */
  readonly question?: PendingQuestion;
  /** The report's message. */
  readonly message?: string;
  /** What it took, once it has ended. */
  readonly effort?: Effort;
  /** It has changed files of the project. */
  readonly hasChanges?: true;
  /** Milliseconds since the epoch of the last change; 0 when unknown. */
  readonly changedAt: number;
}

export type PlanState = "running" | "waiting" | "halted" | "queued" | "done";

/** A plan with what its tasks, the planner's own included, took together. */
export interface PlanView {
  readonly planId: string;
  /** The planner's goal. */
  readonly goal: string;
  /** The plan's overview, a workspace path. */
  readonly path: string;
  /** In plan order. */
  readonly tasks: readonly string[];
  readonly done: number;
  readonly state: PlanState;
  readonly effort: Effort;
  /** One of its tasks has changed files of the project. */
  readonly hasChanges?: true;
}

export interface PendingQuestion {
  readonly questionId: string;
  readonly text: string;
  readonly suggestions: readonly string[];
}

/** A line of the queue that cannot be used; it stays in the file. */
export interface QueueProblem {
  /** 1-based. */
  readonly line: number;
  /** What is wrong and what to do. */
  readonly reason: string;
  readonly text: string;
}

export interface Overview {
  /** Queued ones in queue order; the others newest first. */
  readonly tasks: readonly TaskView[];
  readonly problems: readonly QueueProblem[];
  /** Of the user's own mode file. */
  readonly modeProblems: readonly ModeProblem[];
  /** Those with tasks, newest first. */
  readonly plans: readonly PlanView[];
  /** Who drains the queue now, in whichever process. */
  readonly holder?: LockHolder;
  /** Another process that runs a task now, from the queue or not. */
  readonly other?: LockHolder;
}
