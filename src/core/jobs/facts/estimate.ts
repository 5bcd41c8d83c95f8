import type { JobOverview } from "./jobOverview.js";
import type { TaskFacts } from "./taskFacts.js";

/** The number of tasks that must be done before there is an estimate of the others. */
const fewestDone = 3;

/** The time at which a job will be done, or the reason why it is not known. */
export type Estimate =
  | {
      readonly type: "at";
      /** ISO 8601. */
      readonly at: string;
      /** The median time that a done task has taken, in milliseconds. */
      readonly medianMs: number;
      /** The number of tasks that it counts: those at work, and those that can be begun. */
      readonly tasks: number;
      readonly runners: number;
      /** The number of tasks that are left all the same: set aside, failed, or stuck behind such tasks. */
      readonly without: number;
    }
  | { readonly type: "none"; readonly why: "nothingLeft" | "noRunner" | "tooFewDone" };

/** Returns when the job's runners will have done what they can do. */
export function estimate(
  tasks: readonly TaskFacts[],
  { runners }: Pick<JobOverview, "runners">,
  now: Date,
): Estimate {
  const left = tasks.filter(({ state }) => state !== "done" && state !== "cancelled");
  const canBeDone = left.filter(
    ({ state, stuckBehind }) =>
      (state === "open" || state === "running" || state === "interrupted") &&
      stuckBehind.length === 0,
  );
  if (canBeDone.length === 0) return { type: "none", why: "nothingLeft" };
  if (runners.length === 0) return { type: "none", why: "noRunner" };
  const took = tasks
    .flatMap(({ state, workedMs }) => (state === "done" && workedMs !== null ? [workedMs] : []))
    .sort((a, b) => a - b);
  if (took.length < fewestDone) return { type: "none", why: "tooFewDone" };
  const middle = took.length / 2;
  const [low = 0, high = 0] = [took[Math.ceil(middle) - 1], took[Math.floor(middle)]];
  const medianMs = (low + high) / 2;
  const atWork = runners.filter(({ role }) => role === "Runner");
  // A task at work has used a part of its time; one that takes longer than usual may be done at any moment.
  const done = atWork.map(({ since }) => {
    const ms = now.getTime() - Date.parse(since);
    return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), medianMs);
  });
  const workMs = medianMs * canBeDone.length - done.reduce((sum, ms) => sum + ms, 0);
  const lasts = Math.max(0, workMs) / Math.min(runners.length, canBeDone.length);
  return {
    type: "at",
    at: new Date(now.getTime() + lasts).toISOString(),
    medianMs,
    tasks: canBeDone.length,
    runners: runners.length,
    without: left.length - canBeDone.length,
  };
}
