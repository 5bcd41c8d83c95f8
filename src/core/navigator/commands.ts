import type { TaskId } from "../ids.js";

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

/** Appends a context file's content to a command, marked as material: this saves the expert a turn. */
export function withContext(command: string, path: string, content: string): string {
  if (content.trim() === "") return command;
  const shown =
    content.length <= maxContext
      ? content
      : `${content.slice(0, maxContext)}\n(cut here; read_file shows the rest)`;
  return `${command}\n\n<context_file path="${path}">\n${shown}\n</context_file>`;
}

/** The most characters of a context file that are sent along. */
const maxContext = 16_000;

function quoted(text: string): string {
  return JSON.stringify(text);
}
