import type { LockHolder } from "../ports.js";

export type TaskState = "needsYou" | "running" | "queued" | "interrupted" | "done" | "failed";

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
  /** Milliseconds since the epoch of the last change; 0 when unknown. */
  readonly changedAt: number;
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
  /** Who drains the queue now, in whichever process. */
  readonly holder?: LockHolder;
}
