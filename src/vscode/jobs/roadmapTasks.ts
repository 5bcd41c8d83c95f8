import type { RoadmapView } from "../../core/jobs/facts/jobOverview.js";

/** A task of a job's roadmap, as lists show it. */
export type JobTask = Extract<RoadmapView, { kind: "task" }>;

/** Returns the tasks of a roadmap, without its phases, in order. */
export function tasksIn(items: readonly RoadmapView[]): JobTask[] {
  return items.flatMap((item) => (item.kind === "task" ? [item] : tasksIn(item.children)));
}
