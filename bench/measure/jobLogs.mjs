import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { timed } from "../harness/timed.mjs";

/** Tasks of a log, and the most milliseconds that an edit of it may take. */
const sizes = new Map([
  [10, 20],
  [1_000, 300],
  [10_000, 3_000],
]);

/**
 * Reading a job's log that has an entry for each of its tasks, and setting one task's status: the new
 * text is read once more, to be sure of it.
 *
 * @param {{ quick: boolean }} options
 */
export async function jobLogs({ quick }) {
  const [{ readJobLog }, { editJobLog }] = await Promise.all(
    ["core/jobs/jobLog", "core/jobs/editJobLog"].map(compiled),
  );
  const rows = [];
  for (const [size, goal] of sizes) {
    const text = logOf(size);
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

/** @param {number} size */
function logOf(size) {
  const numbers = Array.from({ length: size }, (_, n) => `1.${n + 1}`);
  const tasks = numbers.map(
    (number) => `  - [ ] ${number}. Quote the fields\n    - status: Pending\n`,
  );
  const entries = numbers.map(
    (number, n) =>
      `\n### Log ${size - n} @bench (2026-01-01T00:00:00Z)\n\n- **Role**: Runner\n` +
      `- **Objective**: Task ${number}. Quote the fields\n- **Result**: Pending\n` +
      `- **Summary**: Out of turns; half of the fields are quoted.\n`,
  );
  const front = '---\ntitle: "Bench"\nprogress: "0%"\n---\n';
  return `${front}\n## Roadmap\n\n- [ ] **Phase**\n${tasks.join("")}\n## Work Log\n${entries.join("")}`;
}
