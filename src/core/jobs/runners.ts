import type { Ids, Lock } from "../ports.js";
import type { JobLog } from "./jobLog.js";

/** A runner's id: the job's name and what is the runner's alone (R-JIXO-6). */
export function newRunner(jobName: string, ids: Ids): string {
  const name = jobName.replace(/[^\p{L}\p{N}_]+/gu, "-").replace(/^-+|-+$/g, "");
  return `${name || "job"}-${ids.hex(32)}`;
}

/**
 * The lock that a runner holds for as long as it lives: those that are held are the registry of who is
 * alive. `undefined` for an id that nobody here has made, and so nobody lives by.
 */
export function runnerLock(runner: string): string | undefined {
  const own = /-([0-9a-f]{32})$/.exec(runner)?.[1];
  return own === undefined ? undefined : `job-runner-${own}`;
}

/** Those of the runners that a log's Locked tasks name who are alive now. */
export async function liveRunners(log: JobLog, lock: Lock): Promise<Set<string>> {
  const named = log.tasks.flatMap(({ status, runner }) =>
    status === "Locked" && runner !== undefined ? [runner] : [],
  );
  const live = await Promise.all(
    [...new Set(named)].map(async (runner) => {
      const name = runnerLock(runner);
      const holder = name === undefined ? undefined : await lock.holder(name);
      return holder === undefined ? [] : [runner];
    }),
  );
  return new Set(live.flat());
}
