import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import type { Clock, Signer } from "../ports/system.js";
import { isTakenOver } from "../work/takenOver.js";
import type { Job } from "./documents/jobFolder.js";
import { takeableJob } from "./documents/takenOver.js";
import { type JobOverview, jobOverview } from "./facts/jobOverview.js";
import { RunnerRecords } from "./work/runnerRecords.js";
import { liveRunners } from "./work/runners.js";

interface OverviewServices {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly clock: Clock;
  readonly signer: Signer;
}

/**
 * Returns how a job stands now, whichever process runs it.
 *
 * @param isRun whether this process runs it
 */
export async function readJobOverview(
  job: Job,
  { files, lock, clock, signer }: OverviewServices,
  isRun = false,
): Promise<JobOverview> {
  const live = await new RunnerRecords(files, lock, job.stem).alive();
  const holders = await liveRunners(job.log, lock);
  const isForeign = !(await isTakenOver(takeableJob(job), { files, signer }));
  return jobOverview(job, { live, holders, isRun, isForeign }, clock.now());
}
