import { changeDiff } from "../../core/changes/hunks.js";
import type { ReviewedFile, UndoneFile } from "../../core/changes/taskChanges.js";
import { whileAtRest } from "../../core/navigator/whileAtRest.js";
import { localChanges } from "../../runtime/localChanges.js";
import { localServices } from "../../runtime/localServices.js";
import type { Cli, Result } from "../command.js";
import { workspaceRoot } from "../session/settings.js";
import { coloredDiff, type Style } from "../terminal/style.js";
import { createApprover } from "../terminal/terminalApprover.js";
import { indented, terminalText } from "../terminal/terminalText.js";
import { taskNamed } from "./tasks.js";

/** Shows the changes of a task that have been neither kept nor undone. */
export async function showChanges(
  task: string,
  { options, terminal }: Cli,
): Promise<Result<never>> {
  const root = await workspaceRoot(options.workspace);
  const { files, signer, clock } = localServices(root, "rooroo changes");
  const taskId = await taskNamed(task, files);
  const changes = localChanges(root, { files, signer, clock });
  const reviewed = await changes.files([taskId]);
  const damage = await changes.damage([taskId]);
  const json = () => ({
    taskId,
    files: reviewed.map((file) => ({
      path: file.path,
      kind: kindOf(file),
      ...(file.modes ? { modes: file.modes } : {}),
      ...(file.problem === undefined
        ? { diff: changeDiff(file.path, file.before, file.now) }
        : { problem: file.problem.message, code: file.problem.code }),
    })),
    damage,
  });
  const text = () => {
    if (reviewed.length === 0 && damage.length === 0) {
      return "There are no changes of this task to review.\n";
    }
    const { style } = terminal;
    return damageText(damage, style) + reviewed.map((file) => changeText(file, style)).join("");
  };
  return { end: damage.length > 0 && reviewed.length === 0 ? "failed" : "done", json, text };
}

/**
 * Undoes a task's changes of files, and says which files it left alone and why. Asks at the terminal about
 * protected files.
 */
export async function undoTask(task: string, cli: Cli): Promise<Result<"waiting">> {
  const root = await workspaceRoot(cli.options.workspace);
  const { files, signer, clock, lock, ids } = localServices(root, "rooroo undo");
  const approver = createApprover(cli);
  const taskId = await taskNamed(task, files);
  const changes = localChanges(root, { files, signer, clock });
  const never = new AbortController().signal;
  const damage = await changes.damage([taskId]);
  const asked = { waits: false };
  const undone = await whileAtRest([taskId], lock, () =>
    changes.undo(taskId, async (action) => {
      const request = {
        approvalId: `a-${ids.hex(12)}`,
        taskId,
        callId: "undo",
        action,
        why: "It controls tools, editors or agents, or is outside the workspace.",
        options: [],
      };
      const decision = await approver.request(request, never);
      asked.waits ||= decision.type === "unavailable";
      return decision.type === "allowed";
    }),
  );
  const json = () => ({
    taskId,
    files: undone.map(({ path, ...file }) =>
      file.type === "left"
        ? {
            path,
            type: file.type,
            why: file.why,
            words: file.problem.message,
            code: file.problem.code,
          }
        : { path, ...file },
    ),
    damage,
  });
  const text = () => {
    if (undone.length === 0 && damage.length === 0) {
      return "There are no changes of this task to undo.\n";
    }
    const { style } = cli.terminal;
    return damageText(damage, style) + undone.map((file) => undoneText(file, style)).join("");
  };
  const isAll = damage.length === 0 && undone.every(({ type }) => type !== "left");
  return { end: asked.waits ? "waiting" : isAll ? "done" : "failed", json, text };
}

function damageText(damage: readonly string[], { yellow }: Style): string {
  return damage.map((words) => `${yellow("!")} ${terminalText(words)}\n`).join("");
}

function changeText(file: ReviewedFile, style: Style): string {
  const head = `${style.bold(terminalText(file.path))}  ${kindOf(file)}${modesOf(file)}\n`;
  if (file.problem !== undefined) {
    return `${head}  ${style.yellow("!")} ${terminalText(file.problem.message)}\n`;
  }
  return head + coloredDiff(terminalText(changeDiff(file.path, file.before, file.now)), style);
}

function undoneText(file: UndoneFile, style: Style): string {
  const path = terminalText(file.path);
  if (file.type !== "left") return `${style.green("✓")} ${path} ${file.type}\n`;
  const head = `${style.yellow("!")} ${path} was not changed. ${terminalText(file.problem.message)}\n`;
  if (!file.since) return head;
  const diff = terminalText(changeDiff(file.path, file.since.left, file.since.now));
  return head + indented(coloredDiff(diff, style), "    ");
}

function kindOf({ before, now, problem }: ReviewedFile): "added" | "removed" | "changed" {
  if (problem !== undefined || (before && now)) return "changed";
  return before ? "removed" : "added";
}

function modesOf({ modes }: ReviewedFile): string {
  return modes ? `, permissions ${modes.before.toString(8)} → ${modes.now.toString(8)}` : "";
}
