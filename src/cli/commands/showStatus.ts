import { addUsage, dayOf } from "../../core/conversation/addUsage.js";
import { type DayCost, noUsage } from "../../core/conversation/items.js";
import { ConversationJournal } from "../../core/conversation/journal.js";
import { exitCode } from "../terminal/exitCode.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import { readOverview } from "../session/readOverview.js";
import { statusText } from "../terminal/statusText.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

export async function showStatus(options: Options, terminal: Terminal): Promise<number> {
  const root = await workspaceRoot(options.workspace);
  const overview = await readOverview(root, "rooroo status");
  if (options.json === true) {
    const today = await costToday(root);
    terminal.print(`${terminalJson({ workspace: root, ...overview, today }, 2)}\n`);
  } else {
    terminal.print(statusText(root, overview, options, terminal.style));
  }
  return exitCode.done;
}

/** Returns what this conversation's model calls cost today; without `costUsd` if a price is unknown. */
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
