import { compiled } from "../harness/compiled.mjs";
import { jobLogOf } from "../harness/jobLogOf.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { timed } from "../harness/timed.mjs";

/** Tasks of a log, and the most milliseconds that an edit of it may take. */
const sizes = new Map([
  [10, 20],
  [1_000, 300],
  [10_000, 300],
]);

/**
 * Reading a job's log that has an entry for each of its tasks, and setting one task's status: the new
 * text is read once more, to be sure of it.
 *
 * @param {{ quick: boolean }} options
 */
export async function jobLogs({ quick }) {
  const [{ readJobLog }, { editJobLog }] = await Promise.all(
    ["core/jobs/documents/jobLog", "core/jobs/documents/editJobLog"].map(compiled),
  );
  const rows = [];
  for (const [size, goal] of sizes) {
    const text = jobLogOf(size);
    const took = [];
    for (let run = 0; run < (quick || size === 10_000 ? 5 : 20); run++) {
      const edit = { type: "setStatus", task: `1.${1 + (run % 10)}`, status: "Cancelled" };
      took.push(await timed(() => editJobLog(readJobLog(text), [edit], 2)));
    }
    const title = `read and one edit, ${size.toLocaleString("en")} tasks`;
    rows.push(row(title, median(took), "ms", goal));
  }
  return rows;
}
