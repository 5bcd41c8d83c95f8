import * as z from "zod";
import type { ChatCommand } from "../../contributions/chat.js";
import type { NextStep } from "../../core/conversation/events/events.js";
import { inputText } from "../../core/conversation/input/parseInput.js";
import type { UserAction } from "../../core/conversation/input/userAction.js";
import type { Translate } from "../../core/text/translator.js";
import type { ChatQuestion } from "./chatReply.js";

/** The chat's slash commands, as the manifest names them. */
export const chatCommands: readonly ChatCommand[] = ["plan", "do", "ask", "queue", "proceed"];

/** Returns the action of a slash command; `undefined` if it lacks its goal. */
export function chatAction(command: ChatCommand, words: string): UserAction | undefined {
  if (command === "proceed") return { action: "proceed", one: false };
  const goal = words.trim();
  if (goal === "") return undefined;
  switch (command) {
    case "plan":
      return { action: "plan", goal };
    case "do":
      return { action: "doTask", expert: "rooroo-developer", goal };
    case "ask":
      return { action: "doTask", expert: "rooroo-analyzer", goal };
    case "queue":
      return { action: "queueTask", goal };
  }
}

/** Returns whether VS Code's chat has parsed one of our slash commands. */
export function isChatCommand(command: string | undefined): command is ChatCommand {
  return chatCommands.some((known) => known === command);
}

/** A suggestion for the user's next message, as VS Code's chat takes it. */
interface Followup {
  readonly prompt: string;
  readonly label: string;
  readonly command?: string;
}

/** The most followups that are offered. */
const mostFollowups = 4;

/** The part of a result that VS Code keeps with the chat and gives back later. */
const resultSchema = z.object({
  status: z.enum(["done", "failed", "waiting"]),
  tasks: z.array(z.string().max(200)).max(1_000),
  followups: z.array(
    z.object({ prompt: z.string(), label: z.string(), command: z.string().optional() }),
  ),
});
export type ChatMetadata = z.infer<typeof resultSchema>;

/** Returns what an earlier answer said of itself; `undefined` for one that says nothing we know. */
export function chatMetadata(metadata: unknown): ChatMetadata | undefined {
  return resultSchema.safeParse(metadata).data;
}

/** Returns the messages that the user may want to send next: a question's answers, else the offered steps. */
export function followups(
  question: ChatQuestion | undefined,
  steps: readonly NextStep[],
  t: Translate,
): Followup[] {
  if (question !== undefined) {
    return question.suggestions
      .slice(0, mostFollowups)
      .map((prompt) => ({ prompt, label: prompt }));
  }
  return steps.slice(0, mostFollowups).flatMap((step) => {
    if (step.type !== "action") return [];
    return [{ ...asTyped(step.action), label: t("{0}", step.label) }];
  });
}

/** Returns the message by which a person would have the action done. */
function asTyped(action: UserAction): Omit<Followup, "label"> {
  const text = inputText(action);
  const [, command, prompt = ""] = /^\/?([a-z]+)(?:\s+(\S[\s\S]*))?$/.exec(text) ?? [];
  return isChatCommand(command) ? { prompt, command } : { prompt: text };
}
