import { Modes } from "../../core/experts/modes.js";
import type { Overview } from "../../core/navigator/overview.js";
import { OverviewReader } from "../../core/navigator/overviewReader.js";
import { QueueStore } from "../../core/navigator/queueStore.js";
import { TaskStore } from "../../core/navigator/taskStore.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { machine } from "./machine.js";

/**
 * Reads the overview of a workspace's tasks. No task runs in this process, so the code that runs tasks is
 * not loaded.
 *
 * @param label the name of this process for others that have to wait for its locks
 */
export async function readOverview(root: string, label: string): Promise<Overview> {
  const { files, signer, lock, clock } = machine(root, label);
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const store = new TaskStore(files, clock, signer);
  const queue = new QueueStore(files, lock, (slug) => modes.all.has(slug));
  const nothingRuns = { isRunning: () => false, waitsForApproval: () => false };
  const reader = new OverviewReader({ files, lock, store, queue, modes }, nothingRuns);
  return reader.read();
}
