import type { Approver } from "../../core/approvals/approver.js";
import { changeDiff } from "../../core/changes/hunks.js";
import { noDocuments } from "../../core/changes/noDocuments.js";
import { TaskChanges, type UndoneFile } from "../../core/changes/taskChanges.js";
import { tasksFolder } from "../../core/navigator/taskStore.js";
import { whileAtRest } from "../../core/navigator/whileAtRest.js";
import { coloredDiff } from "../terminal/coloredDiff.js";
import { exitCode } from "../terminal/exitCode.js";
import { indented } from "../terminal/indented.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import { taskNamed } from "./taskNamed.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/**
 * Undoes a task's changes of files, and prints which files it left alone and why.
 *
 * @param approver asks about protected files
 */
export async function undoTask(
  task: string,
  approver: Approver,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { files, signer, clock, lock, ids } = machine(
    await workspaceRoot(options.workspace),
    "rooroo undo",
  );
  const taskId = await taskNamed(task, files);
  const changes = new TaskChanges({ files, signer, clock, documents: noDocuments }, tasksFolder);
  const never = new AbortController().signal;
  const damage = await changes.damage([taskId]);
  const asked = { waits: false };
  const undone = await whileAtRest([taskId], lock, () =>
    changes.undo(taskId, async (intent) => {
      const request = {
        approvalId: `a-${ids.hex(12)}`,
        taskId,
        callId: "undo",
        intent,
        why: "It steers tools, editors or agents, or is outside the workspace.",
        offers: [],
      };
      const decision = await approver.request(request, never);
      asked.waits ||= decision.type === "unavailable";
      return decision.type === "allowed";
    }),
  );
  const { yellow } = terminal.style;
  if (options.json === true) {
    const listed = undone.map(({ path, ...file }) =>
      file.type === "left"
        ? { path, type: file.type, why: file.why, words: file.words }
        : { path, ...file },
    );
    terminal.print(`${terminalJson({ taskId, files: listed, damage }, 2)}\n`);
  } else {
    for (const words of damage) terminal.print(`${yellow("!")} ${terminalText(words)}\n`);
    if (undone.length === 0 && damage.length === 0) {
      terminal.print("There are no changes of this task to undo.\n");
    }
    for (const file of undone) show(file, terminal);
  }
  if (asked.waits) return exitCode.waiting;
  const isAll = damage.length === 0 && undone.every(({ type }) => type !== "left");
  return isAll ? exitCode.done : exitCode.failed;
}

function show(file: UndoneFile, terminal: Terminal): void {
  const { yellow, green } = terminal.style;
  const path = terminalText(file.path);
  if (file.type !== "left") {
    terminal.print(`${green("✓")} ${path} ${file.type}\n`);
    return;
  }
  terminal.print(`${yellow("!")} ${path} left as it is. ${terminalText(file.words)}\n`);
  if (!file.since) return;
  const diff = terminalText(changeDiff(file.path, file.since.left, file.since.now));
  terminal.print(indented(coloredDiff(diff, terminal.style), "    "));
}
