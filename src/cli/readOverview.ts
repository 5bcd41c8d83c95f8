import { Modes } from "../core/experts/modes.js";
import type { Overview } from "../core/navigator/overview.js";
import { OverviewReader } from "../core/navigator/overviewReader.js";
import { QueueStore } from "../core/navigator/queueStore.js";
import { TaskStore } from "../core/navigator/taskStore.js";
import { TimedPatterns } from "../node/timedPatterns.js";
import { machine } from "./machine.js";

/**
 * Reads how things stand in a workspace. Nothing runs in this process, so that what runs tasks need
 * not be loaded.
 *
 * @param label what others are told when this process is in their way
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
