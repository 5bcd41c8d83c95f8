import type { Clock, FileSystem, Ids, Lock } from "../../ports.js";
import type { Job } from "../documents/jobFolder.js";
import { RunnerRecords } from "./runnerRecords.js";
import { StopOrder } from "./stopOrder.js";

/** How long a stop waits for the runners to end, in milliseconds. */
const patienceMs = 30_000;

/**
 * Orders all runners of a job, in all processes, to end their turns, and waits up to 30 seconds for them.
 * Returns how many there were, and how many are still at work. Throws the signal's reason when that aborts.
 */
export async function stopJob(
  { stem }: Pick<Job, "stem">,
  { files, lock, clock, ids }: { files: FileSystem; lock: Lock; clock: Clock; ids: Ids },
  signal: AbortSignal,
): Promise<{ readonly found: number; readonly left: number }> {
  const cards = new RunnerRecords(files, lock, stem);
  const found = (await cards.alive()).length;
  await new StopOrder(files, stem).give(ids.hex(16));
  const began = clock.now().getTime();
  for (;;) {
    const left = (await cards.alive()).length;
    if (left === 0 || clock.now().getTime() - began > patienceMs) return { found, left };
    await clock.sleep(200, signal);
  }
}
