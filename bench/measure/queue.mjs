import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { timed } from "../harness/timed.mjs";

/** Sizes in one group take turns. The big ones would only get in the small ones' way. */
const groups = [[10, 1_000], [100_000]];
const goals = new Map([[1_000, 10]]);

/**
 * The queue's operations on a file of so many lines, on disk and under the lock.
 *
 * @param {{ quick: boolean }} options
 */
export async function queue({ quick }) {
  const [{ DiskFileSystem }, { FileLock }, { QueueStore }, { queuePath }, { formatQueueEntry }] =
    await Promise.all(
      [
        "node/files/diskFileSystem",
        "node/locks/fileLock",
        "core/navigator/queue/queueStore",
        "core/navigator/queue/queuePath",
        "core/documents/queue",
      ].map(compiled),
    );
  const rows = [];
  for (const sizes of quick ? groups.slice(0, 1) : groups) {
    const queues = [];
    for (const size of sizes) {
      const root = await scratch();
      const files = new DiskFileSystem(root);
      const store = new QueueStore(files, new FileLock(root, "bench"), () => true);
      const lines = Array.from({ length: size }, (_, n) => formatQueueEntry(entry(n)));
      await files.replaceFile(queuePath, `${lines.join("\n")}\n`);
      /** @type {Record<string, number[]>} */
      const took = { "put at head": [], "read head": [], remove: [] };
      queues.push({ size, store, took });
    }
    const repetitions = (sizes.includes(100_000) ? 5 : 40) * (quick ? 0.1 : 1);
    for (let n = 0; n < repetitions; n++) {
      for (const { size, store, took } of queues) {
        const added = entry(size + n);
        took["put at head"].push(await timed(() => store.putAtHead([added])));
        took["read head"].push(await timed(() => store.head()));
        took.remove.push(await timed(() => store.remove(added.taskId)));
      }
    }
    for (const { size, took } of queues) {
      for (const [name, times] of Object.entries(took)) {
        const title = `${name}, ${size.toLocaleString("en")} lines`;
        rows.push(row(title, median(times), "ms", goals.get(size)));
      }
    }
  }
  return rows;
}

/** @param {number} n */
function entry(n) {
  const taskId = `ROO#TASK_20260102030405_${n.toString(16).toUpperCase().padStart(6, "0")}`;
  return {
    taskId,
    parentTaskId: null,
    mode: "rooroo-developer",
    planId: null,
    autoProceed: true,
    contextPath: `.rooroo/tasks/${taskId}/context.md`,
    goal: "Make the export of invoices to CSV quote fields that contain a separator.",
  };
}
