import { Modes } from "../../core/experts/modes.js";
import { QueueStore } from "../../core/navigator/queueStore.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { exitCode } from "../terminal/exitCode.js";
import { expertName } from "../terminal/expertName.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine, terminalText } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/** Shows the queue in the file's order. */
export async function listQueue(options: Options, terminal: Terminal): Promise<number> {
  const root = await workspaceRoot(options.workspace);
  const { files, lock } = machine(root, "rooroo queue");
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const queue = new QueueStore(files, lock, (slug) => modes.all.has(slug));
  const lines = (await queue.lines()).filter(({ kind }) => kind !== "blank");
  if (options.json === true) {
    const tasks = lines.flatMap((line) =>
      line.kind === "task" ? [{ line: line.line, ...line.entry }] : [],
    );
    const problems = lines.flatMap(({ line, raw, ...rest }) =>
      rest.kind === "problem" ? [{ line, reason: rest.reason, text: raw.trim() }] : [],
    );
    terminal.print(`${terminalJson({ tasks, problems }, 2)}\n`);
    return exitCode.done;
  }
  if (lines.length === 0) terminal.print("Task queue is empty.\n");
  const { dim, yellow } = terminal.style;
  let position = 0;
  for (const line of lines) {
    if (line.kind === "task") {
      const { taskId, mode, goal, autoProceed } = line.entry;
      const held = autoProceed ? "" : dim("  (starts only when you say proceed)");
      const number = String(++position).padStart(3);
      terminal.print(
        `${number}. ${dim(terminalText(taskId))}  ${expertName(mode)}: ${terminalLine(goal, 100)}${held}\n`,
      );
    } else if (line.kind === "problem") {
      terminal.print(
        `  ${yellow("!")}  line ${line.line} is passed over. ${terminalText(line.reason)}\n`,
      );
    }
  }
  return exitCode.done;
}
