import type { TaskId } from "../../ids.js";
import { tagged } from "../../text/tagged.js";

/** The commands that begin an expert's conversation (R-ROO-27). */

interface Commanded {
  readonly taskId: TaskId;
  readonly contextPath: string;
  readonly goal: string;
}

export function planTask(task: Commanded): string {
  return `COMMAND: PLAN_TASK --task-id ${task.taskId} --context-file ${task.contextPath}`;
}

export function executeTask(task: Commanded): string {
  return `COMMAND: EXECUTE_TASK --task-id ${task.taskId} --context-file ${task.contextPath} --goal ${quoted(task.goal)}`;
}

export function resumeTask(task: Commanded, clarification: string): string {
  return `COMMAND: RESUME_TASK --task-id ${task.taskId} --clarification ${quoted(clarification)} --original-goal ${quoted(task.goal)} --context-file ${task.contextPath}`;
}

/**
 * Returns the first message to an expert: the command, its task's context, which saves the expert a turn, and the
 * further blocks.
 *
 * @param context the context file's content; may be empty
 */
export function firstMessage(
  command: string,
  { path, content }: { readonly path: string; readonly content: string },
  further: readonly string[],
): string {
  const shown =
    content.length <= maxContext
      ? content.trim()
      : `${content.slice(0, maxContext)}\n(cut here; read_file shows the rest)`;
  const task = content.trim() === "" ? [] : [tagged("task", shown, path)];
  return [command, ...task, ...further].join("\n\n");
}

/** The most characters of a context file that are sent along. */
const maxContext = 40_000;

function quoted(text: string): string {
  return JSON.stringify(text);
}
