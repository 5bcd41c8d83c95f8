import { compiled } from "../harness/compiled.mjs";
import { jobLogOf } from "../harness/jobLogOf.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { timed } from "../harness/timed.mjs";

/** Tasks of a log, and the most milliseconds that an edit of it may take; `null`: no goal is set. */
const sizes = new Map([
  [10, 20],
  [1_000, 300],
  [10_000, null],
]);

/**
 * Reading a job's log that has an entry for each of its tasks, and setting one task's status: the new
 * text is read once more, to be sure of it. Then the edit alone, of a log that was read before.
 *
 * @param {{ quick: boolean }} options
 */
export async function jobLogs({ quick }) {
  const [{ readJobLog }, { editJobLog }] = await Promise.all(
    ["core/jobs/documents/jobLog", "core/jobs/documents/editJobLog"].map(compiled),
  );
  const rows = [];
  for (const [size, goal] of [...sizes].slice(0, quick ? 2 : undefined)) {
    const text = jobLogOf(size);
    const [took, edits] = [[], []];
    for (let run = 0; run < (quick ? 2 : size === 10_000 ? 5 : 20); run++) {
      const edit = { type: "setStatus", task: `1.${1 + (run % 10)}`, status: "Cancelled" };
      // What was read last could be kept; another text takes its place.
      readJobLog("");
      took.push(await timed(() => editJobLog(readJobLog(text), [edit], 2)));
      const log = readJobLog(text);
      edits.push(await timed(() => editJobLog(log, [edit], 2)));
    }
    const tasks = `${size.toLocaleString("en")} tasks`;
    rows.push(
      row(`read and one edit, ${tasks}`, median(took), "ms", goal),
      row("the edit alone", median(edits), "ms"),
    );
  }
  return rows;
}
