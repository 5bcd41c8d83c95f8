import type { JobName } from "../../ids.js";
import type { Lock } from "../../ports/locks.js";
import type { Ids } from "../../ports/system.js";
import type { JobLog } from "../documents/jobLog.js";
import { runnerLock } from "../documents/jobNames.js";

/** Returns a new runner's id: the job's name and a random part (R-JIXO-6). */
export function newRunner(jobName: JobName, ids: Ids): string {
  const name = jobName.replace(/[^\p{L}\p{N}_]+/gu, "-").replace(/^-|-$/g, "");
  return `${name || "job"}-${ids.hex(32)}`;
}

/** Returns the runners of a log's Locked tasks that are alive now. */
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
