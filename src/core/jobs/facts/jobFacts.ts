import type { JobName } from "../../ids.js";
import { type Limit, readLimit, readTotals } from "../../spending/spendTotals.js";
import type { Job } from "../documents/jobFolder.js";
import { type Estimate, estimate } from "./estimate.js";
import type { JobOverview, RoadmapView } from "./jobOverview.js";
import { type LifecycleFacts, lifecycleFacts, lifecyclesByTask } from "./lifecycleFacts.js";
import { type Obstacle, obstacles } from "./obstacles.js";
import { stuckBehind } from "./stuckBehind.js";
import {
  changesOf,
  type FileCount,
  spanOf,
  type TaskFacts,
  taskFacts,
  type TaskState,
  taskState,
  type TaskView,
  type Used,
  usedBy,
} from "./taskFacts.js";

export interface JobSums extends Used {
  /** The number of tasks in each state; `open` has those that are interrupted or unreadable, too. */
  readonly tasks: Readonly<Record<"total" | "done" | "failed" | "setAside" | "running", number>> & {
    readonly open: number;
    readonly cancelled: number;
  };
  /** The number of lifecycles that have ended, and of those that failed. */
  readonly lifecycles: number;
  readonly failedLifecycles: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly changes: FileCount | null;
  /** The most that the job may use, by the run that wrote last; empty if there is no limit. */
  readonly budget: Limit;
}

/** A job's progress and results in figures: plain data, all of which comes from its files. */
export interface JobFacts {
  readonly name: JobName;
  readonly title: string | null;
  readonly state: JobOverview["state"];
  /** The progress in percent. */
  readonly progress: number;
  /** The time at which this was read, in ISO 8601. */
  readonly now: string;
  readonly sums: JobSums;
  /** The tasks in the roadmap's order. */
  readonly tasks: readonly TaskFacts[];
  /** The oldest first; those at work last. */
  readonly lifecycles: readonly LifecycleFacts[];
  /** The obstacles, the most urgent first. */
  readonly obstacles: readonly Obstacle[];
  readonly estimate: Estimate;
}

/**
 * Returns a job's facts.
 *
 * @param overview of the same job, with its live runners
 */
export function jobFacts(job: Job, overview: JobOverview, now: Date): JobFacts {
  const { log } = job;
  const lifecycles = lifecycleFacts(log, overview.runners, now);
  const byTask = lifecyclesByTask(lifecycles);
  const views = tasksWithPhases(overview.roadmap, null);
  const states = new Map(views.map(({ view }) => [view.id, taskState(view)]));
  const behind = stuckBehind(log, states);
  const tasks = views.map(({ view, phase }) =>
    taskFacts(view, phase, byTask.get(view.id) ?? [], behind.get(view.id) ?? []),
  );
  const sums = sumsOf(tasks, lifecycles, job);
  return {
    name: overview.name,
    title: overview.title,
    state: overview.state,
    progress: overview.progress,
    now: now.toISOString(),
    sums,
    tasks,
    lifecycles,
    obstacles: obstacles({ overview, tasks, lifecycles, budget: sums.budget, job }),
    estimate: estimate(tasks, overview, now),
  };
}

function tasksWithPhases(
  items: readonly RoadmapView[],
  phase: string | null,
): { view: TaskView; phase: string | null }[] {
  return items.flatMap((item) =>
    item.kind === "task" ? [{ view: item, phase }] : tasksWithPhases(item.children, item.title),
  );
}

function sumsOf(
  tasks: readonly TaskFacts[],
  lifecycles: readonly LifecycleFacts[],
  { log }: Job,
): JobSums {
  const count = (...states: readonly TaskState[]) =>
    tasks.filter(({ state }) => states.includes(state)).length;
  const ended = lifecycles.filter(({ isAtWork, isUndo }) => !isAtWork && !isUndo);
  const used = usedBy(lifecycles);
  const { spent, budget } = log.notes;
  // The note has also what lifecycles used whose entries were shortened or removed by hand.
  const total = spent === undefined ? undefined : readTotals(spent);
  return {
    tasks: {
      total: tasks.length - count("cancelled"),
      done: count("done"),
      failed: count("failed"),
      setAside: count("setAside"),
      running: count("running"),
      open: count("open", "interrupted", "unreadable"),
      cancelled: count("cancelled"),
    },
    lifecycles: ended.length,
    failedLifecycles: ended.filter(({ result }) => result === "Failed").length,
    ...spanOf(lifecycles.filter(({ isUndo }) => !isUndo)),
    workedMs: used.workedMs,
    requests: total?.requests ?? used.requests,
    tokens: total?.tokens ?? used.tokens,
    cost: total === undefined ? used.cost : total.cost > 0 ? total.cost : null,
    changes: changesOf(lifecycles),
    budget: budget === undefined ? {} : readLimit(budget),
  };
}
