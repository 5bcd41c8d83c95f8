import type { TaskId } from "../../ids.js";
import type { TaskStatus } from "../documents/taskStatus.js";
import type { Role } from "../documents/workLog.js";

/** Changed files. */
export interface FileCount {
  /** The number of files; if not {@link isExact}, there are at least so many. */
  readonly files: number;
  readonly isExact: boolean;
  /** The number of lines. */
  readonly added: number;
  readonly removed: number;
}

/** The usage of lifecycles, as far as the log says; `null` if it says nothing. */
export interface Used {
  /** Milliseconds of work; of runners side by side, each counts. */
  readonly workedMs: number | null;
  readonly requests: number | null;
  readonly tokens: number | null;
  /** US dollars, as far as prices were known. */
  readonly cost: number | null;
}

/** The work on a task so far. */
export interface TaskWork extends Used {
  /** The start of its first lifecycle and the end of the last one, in ISO 8601; of a task at work, `to` is now. */
  readonly from: string | null;
  readonly to: string | null;
  readonly changes: FileCount | null;
}

export interface RunnerView {
  readonly runner: string;
  readonly taskId: TaskId;
  readonly role: Role;
  readonly objective: string;
  readonly turn: number;
  readonly quota: number;
  /** ISO 8601. */
  readonly since: string;
  /** The id of the runner's process. */
  readonly pid: number;
  readonly label: string;
}

export type RoadmapView =
  | {
      readonly kind: "phase";
      readonly id: string;
      readonly title: string;
      readonly line: number;
      readonly total: number;
      readonly done: number;
      /** Whether all tasks of the phase are completed or cancelled. */
      readonly isOver: boolean;
      readonly children: readonly RoadmapView[];
    }
  | {
      readonly kind: "task";
      readonly id: string;
      readonly title: string;
      readonly line: number;
      /** `null` if the log has an unknown status. */
      readonly status: TaskStatus | null;
      /** The runner that works on the task now. */
      readonly runner: RunnerView | null;
      /** Whether the task is Locked by a runner that is not known to be alive. */
      readonly isStale: boolean;
      /** The number of attempts without success. */
      readonly attempts: number;
      /** The id of the open question that it waits for. */
      readonly waitsFor: string | null;
      /** The sessions that worked on it and have an entry, the newest first. */
      readonly sessions: readonly TaskId[];
      readonly work: TaskWork;
    };
