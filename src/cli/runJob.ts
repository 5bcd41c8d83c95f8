import type { JobEnd, JobRun } from "../core/jobs/outerLoop.js";
import type { Outcome } from "../core/navigator/outcome.js";

/** The turns that one go of an expert has by default, too. */
const usualQuota = 60;

/** The protocol's codes are the command line's: 0 done, 1 failed, 2 waiting (R-JIXO-29). */
export async function runJob(
  { quota = usualQuota, ...given }: Omit<JobRun, "quota"> & { quota?: number | undefined },
  session: { job(run: JobRun): Promise<JobEnd> },
): Promise<Outcome> {
  const { code } = await session.job({ ...given, quota });
  return { status: (["done", "failed", "waiting"] as const)[code] };
}
