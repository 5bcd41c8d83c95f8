import type { Reason, Result } from "../documents/workLog.js";
import type { LifecycleFacts } from "./lifecycleFacts.js";
import type { FileCount, RoadmapView, TaskWork, Used } from "./roadmapView.js";

/**
 * The state of a task. `setAside`: it is not tried again before a question is answered; `interrupted`: its runner is
 * gone, and the next run takes it up; `unreadable`: the log has an unknown status.
 */
export type TaskState =
  | "done"
  | "failed"
  | "setAside"
  | "running"
  | "interrupted"
  | "open"
  | "cancelled"
  | "unreadable";

export type { FileCount, TaskWork, Used };

export interface TaskFacts extends TaskWork {
  readonly id: string;
  readonly title: string;
  /** The title of the phase that contains it. */
  readonly phase: string | null;
  readonly state: TaskState;
  /** The number of lifecycles that have worked on it, including the one at work now. */
  readonly tries: number;
  /** The lanes of these lifecycles. */
  readonly lanes: readonly number[];
  /** The outcome of its newest lifecycle; `null` if none has ended. */
  readonly last: {
    readonly result: Result | null;
    readonly reason: Reason | null;
    readonly summary: string;
    /** The outcomes of the job's check and of the task's review; empty if there was none. */
    readonly check: string;
    readonly review: string;
  } | null;
  /** What the user has said to its runners while they worked, the oldest first. */
  readonly said: readonly string[];
  /** The id of the open question that it waits for. */
  readonly waitsFor: string | null;
  /** The ids of the failed tasks, and of those set aside, without which it cannot begin. */
  readonly stuckBehind: readonly string[];
  /** Whether its changes can be reviewed and undone. */
  readonly hasSessions: boolean;
  /** The 1-based line in the log. */
  readonly line: number;
}

export type TaskView = Extract<RoadmapView, { kind: "task" }>;

/** Returns the state of a task. */
export function taskState({ status, isStale, waitsFor }: TaskView): TaskState {
  switch (status) {
    case "Completed":
      return "done";
    case "Failed":
      return "failed";
    case "Cancelled":
      return "cancelled";
    case "Locked":
      return isStale ? "interrupted" : "running";
    case "Pending":
      return waitsFor === null ? "open" : "setAside";
    case null:
      return "unreadable";
  }
}

/**
 * Returns the facts of a task.
 *
 * @param lifecycles those that have worked on it, the oldest first
 * @param behind what {@link TaskFacts.stuckBehind} says
 */
export function taskFacts(
  view: TaskView,
  phase: string | null,
  lifecycles: readonly LifecycleFacts[],
  behind: readonly string[],
): TaskFacts {
  const { id, title, line, waitsFor, sessions } = view;
  const newest = lifecycles.findLast(({ isAtWork }) => !isAtWork);
  return {
    id,
    title,
    phase,
    state: taskState(view),
    tries: lifecycles.length,
    lanes: [...new Set(lifecycles.flatMap(({ lane }) => lane ?? []))].sort((a, b) => a - b),
    ...taskWork(lifecycles),
    last: newest
      ? {
          result: newest.result,
          reason: newest.reason,
          summary: newest.summary,
          check: newest.check,
          review: newest.review,
        }
      : null,
    said: lifecycles.flatMap(({ said }) => (said === "" ? [] : [said])),
    waitsFor,
    stuckBehind: behind,
    hasSessions: sessions.length > 0,
    line,
  };
}

/** Returns the work on a task, by its lifecycles. */
export function taskWork(lifecycles: readonly LifecycleFacts[]): TaskWork {
  return { ...spanOf(lifecycles), ...usedBy(lifecycles), changes: changesOf(lifecycles) };
}

/** Returns when the first of the lifecycles began, and when the last one ended. */
export function spanOf(lifecycles: readonly LifecycleFacts[]): {
  from: string | null;
  to: string | null;
} {
  // Times of ISO 8601 in UTC are in order as texts.
  const from = lifecycles.flatMap((one) => one.from ?? []).sort();
  const to = lifecycles.flatMap((one) => one.to ?? one.from ?? []).sort();
  return { from: from[0] ?? null, to: to.at(-1) ?? null };
}

/** Returns what lifecycles have used, as far as their entries say it. */
export function usedBy(lifecycles: readonly LifecycleFacts[]): Used {
  const sum = (name: "ms" | "requests" | "tokens" | "cost") => {
    const known = lifecycles.flatMap(({ usage }) => usage[name] ?? []);
    return known.length === 0 ? null : known.reduce((total, one) => total + one, 0);
  };
  return {
    workedMs: sum("ms"),
    requests: sum("requests"),
    tokens: sum("tokens"),
    cost: sum("cost"),
  };
}

/** Returns the changed files: each once, where the log names them all. */
export function changesOf(lifecycles: readonly LifecycleFacts[]): FileCount | null {
  const all = lifecycles.flatMap(({ changes }) => changes ?? []);
  if (all.length === 0) return null;
  const named = new Set(all.flatMap(({ names }) => names ?? []));
  const isExact = all.length === 1 || all.every(({ names }) => names !== undefined);
  return {
    files: Math.max(named.size, ...all.map(({ files }) => files)),
    isExact,
    added: all.reduce((sum, one) => sum + one.added, 0),
    removed: all.reduce((sum, one) => sum + one.removed, 0),
  };
}
