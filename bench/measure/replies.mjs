import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";

/**
 * Counts what becomes of malformed replies (`test/fixtures/malformedReplies.jsonl`), and measures
 * how long faults in a fifth of the requests hold tasks up, waiting not counted.
 *
 * @param {{ quick: boolean }} options
 */
export async function replies({ quick }) {
  const { malformedReplies, outcomeOf } = await compiled(
    "../test/unit/core/agent/replies/malformedReplies",
  );
  const counts = { recovered: 0, "asked again": 0, text: 0, wrong: 0 };
  for (const reply of malformedReplies) counts[await outcomeOf(reply)]++;
  const share = (count) => (100 * count) / malformedReplies.length;

  const { unreliableRun } = await compiled("../test/contract/unreliableRun");
  const tasks = quick ? 5 : 200;
  const taskMs = async (/** @type {number} */ faults) => {
    const { ends, ms } = await unreliableRun(tasks, faults);
    const failed = ends.find((/** @type {string} */ end) => !end.startsWith("Done: "));
    if (ends.length < tasks || failed !== undefined) throw new Error(`a task ended: ${failed}`);
    return ms / tasks;
  };
  await unreliableRun(20, 0.2); // what is slow the first time is no fault's doing
  const without = [];
  const faulty = [];
  for (let run = 0; run < (quick ? 1 : 3); run++) {
    without.push(await taskMs(0));
    faulty.push(await taskMs(0.2));
  }
  return [
    row("malformed replies", malformedReplies.length, "replies"),
    row("recovered", share(counts.recovered), "%"),
    row("asked again", share(counts["asked again"]), "%"),
    row("left as text, as they should be", share(counts.text), "%"),
    row("put right wrongly", counts.wrong, "replies", 0),
    row("a task without faults", median(without), "ms"),
    row("a task with a fault in every fifth request", median(faulty), "ms"),
    row("those : without", median(faulty) / median(without), "x"),
  ];
}
