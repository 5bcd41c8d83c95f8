import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { navigatorAt } from "../harness/navigatorAt.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { signerAt } from "../harness/signerAt.mjs";
import { timed } from "../harness/timed.mjs";
import { writeTask } from "../harness/writeTask.mjs";

/**
 * Measures what a start costs where much was done before: settling what a crash may have left, and listing
 * the tasks, for the first time and again. None of it is part of activation.
 *
 * @param {{ quick: boolean }} options
 */
export async function recovery({ quick }) {
  const tasks = quick ? 100 : 1_000;
  const root = await scratch();
  const { signJson } = await compiled("core/provenance/signedJson");
  const signing = { signer: await signerAt(root), signJson };
  for (let n = 0; n < tasks; n++) await writeTask(root, n, signing);
  /** @type {number[][]} */
  const took = [[], [], []];
  for (let run = 0; run < (quick ? 2 : 7); run++) {
    const navigator = await navigatorAt("http://127.0.0.1:9/v1", { root });
    took[0].push(await timed(() => navigator.recover(() => false)));
    took[1].push(await timed(() => navigator.overview()));
    took[2].push(await timed(() => navigator.overview()));
    const { tasks: listed } = await navigator.overview();
    if (listed.length !== tasks) throw new Error(`${listed.length} tasks are listed`);
  }
  const [recovered, first, again] = took.map(median);
  const name = tasks.toLocaleString("en");
  return [
    row(`recovery with ${name} task folders`, recovered, "ms", quick ? null : 300),
    row(`first list of ${name} tasks`, first, "ms"),
    row("the same again", again, "ms"),
  ];
}
