import { modeName } from "../../core/experts/modeName.js";
import { Modes } from "../../core/experts/modes.js";
import type { TaskId } from "../../core/ids.js";
import { seemsDone } from "../../core/navigator/queue/doneBefore.js";
import { QueueStore } from "../../core/navigator/queue/queueStore.js";
import { TaskStore, atATime } from "../../core/navigator/tasks/taskStore.js";
import { spoken } from "../../core/text/words.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { localServices } from "../../runtime/localServices.js";
import { t } from "../language/language.js";
import { workspaceRoot } from "../session/settings.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Lists the queue in the file's order, with the lines that cannot be used. */
export async function listQueue({ options, terminal }: Cli): Promise<Result<never>> {
  const { files, lock, clock, signer } = localServices(
    await workspaceRoot(options.workspace),
    "rooroo queue",
  );
  const modes = new Modes(files, new TimedPatterns());
  await modes.refresh();
  const queue = new QueueStore(files, lock, (name) => modes.named(name));
  const lines = (await queue.lines()).filter(({ kind }) => kind !== "blank");
  const store = new TaskStore(files, clock, signer);
  const looked = await atATime.map(lines, async (line) =>
    line.kind === "task" && (await seemsDone(line.entry, { store, files }))
      ? [line.entry.taskId]
      : [],
  );
  const done = new Set(looked.flat());
  const markOf = ({ taskId }: { readonly taskId: TaskId }) =>
    done.has(taskId) ? { seemsDone: true } : {};
  const json = () => ({
    tasks: lines.flatMap((line) =>
      line.kind === "task" ? [{ line: line.line, ...line.entry, ...markOf(line.entry) }] : [],
    ),
    problems: lines.flatMap(({ line, raw, ...rest }) =>
      rest.kind === "problem" ? [{ line, reason: rest.reason, text: raw.trim() }] : [],
    ),
  });
  const text = () => {
    if (lines.length === 0) return `${t("The queue is empty.")}\n`;
    const { dim, yellow } = terminal.style;
    let position = 0;
    const shown = lines.map((line) => {
      if (line.kind === "task") {
        const { taskId, mode, goal, autoProceed } = line.entry;
        const held = autoProceed ? "" : dim(`  ${t("(starts only with rooroo proceed)")}`);
        const isDone = done.has(taskId)
          ? yellow(`  ${t("(seems to be done already; rooroo proceed asks first)")}`)
          : "";
        const number = String(++position).padStart(3);
        const expert = terminalText(t(modeName(mode)));
        return `${number}. ${dim(terminalText(taskId))}  ${expert}: ${terminalLine(goal, 100)}${held}${isDone}\n`;
      }
      if (line.kind !== "problem") return "";
      return `  ${yellow("!")}  ${t("line {0} is ignored. {1}", line.line, terminalText(spoken(line.reason, t)))}\n`;
    });
    return shown.join("");
  };
  return { end: "done", json, text };
}
