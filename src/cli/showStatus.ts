import { addUsage, dayOf } from "../core/conversation/addUsage.js";
import { type DayCost, noUsage } from "../core/conversation/items.js";
import { ConversationJournal } from "../core/conversation/journal.js";
import { Modes } from "../core/experts/modes.js";
import type { Overview } from "../core/navigator/overview.js";
import { OverviewReader } from "../core/navigator/overviewReader.js";
import { QueueStore } from "../core/navigator/queueStore.js";
import { TaskStore } from "../core/navigator/taskStore.js";
import { TimedPatterns } from "../node/timedPatterns.js";
import { exitCode } from "./exitCode.js";
import { machine } from "./machine.js";
import type { Options } from "./options.js";
import { statusText } from "./statusText.js";
import type { Terminal } from "./terminal.js";
import { terminalJson } from "./terminalText.js";
import { workspaceRoot } from "./workspaceRoot.js";

export async function showStatus(options: Options, terminal: Terminal): Promise<number> {
  const root = await workspaceRoot(options.workspace);
  const overview = await readOverview(root);
  if (options.json === true) {
    const today = await costToday(root);
    terminal.print(`${terminalJson({ workspace: root, ...overview, today }, 2)}\n`);
  } else {
    terminal.print(statusText(root, overview, options, terminal.style));
  }
  return exitCode.done;
}

/** Nothing runs in this process, so that what runs tasks need not be loaded. */
async function readOverview(root: string): Promise<Overview> {
  const { files, signer, lock, clock } = machine(root, "rooroo status");
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const store = new TaskStore(files, clock, signer);
  const queue = new QueueStore(files, lock, (slug) => modes.all.has(slug));
  const nothingRuns = { isRunning: () => false, waitsForApproval: () => false };
  const reader = new OverviewReader({ files, lock, store, queue, modes }, nothingRuns);
  return reader.read();
}

/** What the conversation's calls of this day cost, where their prices are known. */
async function costToday(root: string): Promise<DayCost> {
  const { files, signer, clock } = machine(root, "rooroo status");
  const { events } = await new ConversationJournal(files, signer, () => undefined).load();
  const date = dayOf(clock.now().toISOString());
  const usage = events.reduce(
    (sum, event) =>
      event.type === "agent" && event.event.type === "usage"
        ? addUsage(sum, event.event.usage, event.at)
        : sum,
    noUsage,
  );
  return usage.day?.date === date ? usage.day : { date, costUsd: 0 };
}
