import { PendingMessages } from "../../src/core/agent/pendingMessages.js";
import { Modes } from "../../src/core/experts/modes.js";
import type { Overview } from "../../src/core/navigator/overview/overview.js";
import { OverviewReader } from "../../src/core/navigator/overview/overviewReader.js";
import { QueueStore } from "../../src/core/navigator/queue/queueStore.js";
import { GivenRequests } from "../../src/core/navigator/requests/givenRequests.js";
import { TaskStore } from "../../src/core/navigator/tasks/taskStore.js";
import type { Signer } from "../../src/core/ports/system.js";
import { Redactor } from "../../src/core/text/redactor.js";
import { TimedPatterns } from "../../src/node/search/timedPatterns.js";
import { InstallationKey } from "../../src/node/user/installationKey.js";
import { localServices } from "../../src/runtime/localServices.js";

/**
 * Returns what `rooroo status --json` prints, without the price of a process.
 *
 * @param signer who wrote the workspace; default: processes whose home lies beside it
 */
export async function overviewAt(
  root: string,
  signer: Signer = new InstallationKey(`${root}-home`, root),
): Promise<Overview> {
  const local = localServices(root, "rooroo status");
  const { files, lock, clock } = local;
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const store = new TaskStore(files, clock, signer);
  const queue = new QueueStore(files, lock, (name) => modes.named(name));
  const messages = new PendingMessages({ ...local, signer, redactor: new Redactor() });
  const nothingRuns = { isRunning: () => false, waitsForApproval: () => false };
  const requests = new GivenRequests(files, lock, signer);
  const parts = { files, lock, store, queue, modes, messages, requests };
  return new OverviewReader(parts, nothingRuns).read();
}
