import { readJobs } from "../../core/jobs/documents/jobFolder.js";
import { jobWork } from "../../core/jobs/facts/jobWork.js";
import { readJobOverview } from "../../core/jobs/readJobOverview.js";
import { findLayout } from "../../core/runs/documents/runLayout.js";
import { RunStore } from "../../core/runs/documents/runStore.js";
import { readRunOverview } from "../../core/runs/runOverview.js";
import { runWork } from "../../core/runs/runWork.js";
import type { Work } from "../../core/work/work.js";
import type { LocalServices } from "../../runtime/localServices.js";

/**
 * Returns the long work of a workspace as it stands now, whichever process works on it.
 *
 * @param isWanted whether runs of a status are wanted; `isNewest`: whether it is the last in the table. Default: all are
 */
export async function longWorks(
  local: LocalServices,
  isWanted: (status: string, isNewest: boolean) => boolean = () => true,
): Promise<readonly Work[]> {
  const { files, lock } = local;
  const works: Work[] = [];
  for (const job of await readJobs(files)) works.push(jobWork(await readJobOverview(job, local)));
  const store = new RunStore(files, lock, await findLayout(files, undefined));
  const { rows } = await store.table("process_runs", "");
  for (const row of rows) {
    if (isWanted(row.values.status, row === rows.at(-1)))
      works.push(runWork(await readRunOverview(row, store, local)));
  }
  return works;
}
