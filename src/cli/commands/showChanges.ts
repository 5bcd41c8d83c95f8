import { changeDiff } from "../../core/changes/hunks.js";
import { noDocuments } from "../../core/changes/noDocuments.js";
import { type ReviewedFile, TaskChanges } from "../../core/changes/taskChanges.js";
import { tasksFolder } from "../../core/navigator/taskStore.js";
import { exitCode } from "../terminal/exitCode.js";
import { machine } from "../session/machine.js";
import type { Options } from "../session/options.js";
import { taskNamed } from "./taskNamed.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalText } from "../terminal/terminalText.js";
import { coloredDiff } from "../terminal/coloredDiff.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/** Prints the changes of a task that have been neither kept nor undone. */
export async function showChanges(
  task: string,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { files, signer, clock } = machine(
    await workspaceRoot(options.workspace),
    "rooroo changes",
  );
  const taskId = await taskNamed(task, files);
  const changes = new TaskChanges({ files, signer, clock, documents: noDocuments }, tasksFolder);
  const reviewed = await changes.files([taskId]);
  const damage = await changes.damage([taskId]);
  const code = damage.length > 0 && reviewed.length === 0 ? exitCode.failed : exitCode.done;
  if (options.json === true) {
    const listed = reviewed.map((file) => ({
      path: file.path,
      kind: kindOf(file),
      ...(file.modes ? { modes: file.modes } : {}),
      ...(file.problem === undefined
        ? { diff: changeDiff(file.path, file.before, file.now) }
        : { problem: file.problem }),
    }));
    terminal.print(`${terminalJson({ taskId, files: listed, damage }, 2)}\n`);
    return code;
  }
  for (const words of damage) {
    terminal.print(`${terminal.style.yellow("!")} ${terminalText(words)}\n`);
  }
  if (reviewed.length === 0 && damage.length === 0) {
    terminal.print("There are no changes of this task to review.\n");
  }
  for (const file of reviewed) {
    const { bold, yellow } = terminal.style;
    terminal.print(`${bold(terminalText(file.path))}  ${kindOf(file)}${modesOf(file)}\n`);
    if (file.problem !== undefined) {
      terminal.print(`  ${yellow("!")} ${terminalText(file.problem)}\n`);
      continue;
    }
    const diff = terminalText(changeDiff(file.path, file.before, file.now));
    terminal.print(coloredDiff(diff, terminal.style));
  }
  return code;
}

function kindOf({ before, now, problem }: ReviewedFile): "added" | "removed" | "changed" {
  if (problem !== undefined || (before && now)) return "changed";
  return before ? "removed" : "added";
}

function modesOf({ modes }: ReviewedFile): string {
  return modes ? `, permissions ${modes.before.toString(8)} → ${modes.now.toString(8)}` : "";
}
