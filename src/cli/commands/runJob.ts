import type { JobEnd, JobRun } from "../../core/jobs/work/outerLoop.js";
import type { Outcome } from "../../core/navigator/outcome.js";

/** Default number of turns of one lifecycle; an expert's default limit is the same. */
const usualQuota = 60;

/** Runs a job. Its end codes are those of the command line: 0 done, 1 failed, 2 waiting (R-JIXO-29). */
export async function runJob(
  { quota = usualQuota, ...given }: Omit<JobRun, "quota"> & { quota?: number | undefined },
  session: { job(run: JobRun): Promise<JobEnd> },
): Promise<Outcome> {
  const { code } = await session.job({ ...given, quota });
  return { status: (["done", "failed", "waiting"] as const)[code] };
}
