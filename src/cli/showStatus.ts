import { Modes } from "../core/experts/modes.js";
import type { Overview } from "../core/navigator/overview.js";
import { OverviewReader } from "../core/navigator/overviewReader.js";
import { QueueStore } from "../core/navigator/queueStore.js";
import { TaskStore } from "../core/navigator/taskStore.js";
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
    terminal.print(`${terminalJson({ workspace: root, ...overview }, 2)}\n`);
  } else {
    terminal.print(statusText(root, overview, options, terminal.style));
  }
  return exitCode.done;
}

/** Nothing runs in this process, so that what runs tasks need not be loaded. */
async function readOverview(root: string): Promise<Overview> {
  const { files, lock, clock } = machine(root, "rooroo status");
  const modes = new Modes(files);
  await modes.refresh();
  const store = new TaskStore(files, clock);
  const queue = new QueueStore(files, lock, (slug) => modes.all.has(slug));
  const nothingRuns = { isRunning: () => false, waitsForApproval: () => false };
  const reader = new OverviewReader({ files, lock, store, queue, modes }, nothingRuns);
  return reader.read();
}
