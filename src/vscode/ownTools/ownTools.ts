import * as vscode from "vscode";
import * as z from "zod";
import { modeName } from "../../core/experts/modeName.js";
import { visibleText } from "../../core/text/visibleText.js";
import { errorText } from "../errors/errorText.js";
import { t } from "../text/words.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { statusText } from "./statusText.js";

const task = z.strictObject({
  goal: z.string().trim().min(1).max(20_000),
  expert: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,200}$/)
    .default("rooroo-developer"),
});
const about = z.strictObject({ taskId: z.string().max(200).optional() });

/** Adds a task to the end of the queue, after the user has seen and confirmed all of it. */
export class AddTask implements vscode.LanguageModelTool<unknown> {
  constructor(private readonly workspace: CurrentWorkspace) {}

  prepareInvocation({ input }: { input: unknown }): vscode.PreparedToolInvocation {
    const { goal, expert } = parsed(task, input);
    const message = new vscode.MarkdownString()
      .appendText(t("{0} would do it when the queue runs:", t(modeName(expert))))
      .appendMarkdown("\n\n")
      .appendText(visibleText(goal));
    return {
      invocationMessage: t("Adding a task to Rooroo's queue"),
      confirmationMessages: { title: t("Add this task to Rooroo's queue?"), message },
    };
  }

  async invoke({
    input,
  }: vscode.LanguageModelToolInvocationOptions<unknown>): Promise<vscode.LanguageModelToolResult> {
    const { goal, expert } = parsed(task, input);
    return answered(async () => {
      const session = this.workspace.require();
      const taskId = await (await session.navigator()).enqueue({ goal, expert });
      const { tasks } = await session.overview();
      const queued = tasks.filter(({ state }) => state === "queued").length;
      return `Added task ${taskId} for ${expert}. Tasks in the queue: ${queued}. It is done in its turn when the user runs the queue.`;
    });
  }
}

/** Tells how tasks stand. */
export class Status implements vscode.LanguageModelTool<unknown> {
  constructor(private readonly workspace: CurrentWorkspace) {}

  prepareInvocation(): vscode.PreparedToolInvocation {
    return { invocationMessage: t("Looking at Rooroo's tasks") };
  }

  invoke({
    input,
  }: vscode.LanguageModelToolInvocationOptions<unknown>): Promise<vscode.LanguageModelToolResult> {
    const { taskId } = parsed(about, input);
    return answered(async () => statusText(await this.workspace.require().overview(), taskId));
  }
}

/** Returns the input. Throws an error that tells the model what is wrong with it. */
function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const found = schema.safeParse(input);
  if (found.success) return found.data;
  throw new Error(`The input does not fit: ${z.prettifyError(found.error)}`);
}

/** Returns the text as the tool's result; an error's text, too, for the model to read. */
async function answered(text: () => Promise<string>): Promise<vscode.LanguageModelToolResult> {
  const words = await text().catch((error: unknown) => `Error: ${errorText(error)}`);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(words)]);
}
