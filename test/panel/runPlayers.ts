import type { ChatCompletionRequest } from "@copilotkit/aimock";
import { runReply } from "../fakes/runPlays.js";
import { call, type Reply } from "../modelServer/modelServer.js";

const instruction = (instruction_type: string, content: string) => ({
  instruction_type,
  content,
  supersedes: [],
  justification: "You asked for it.",
});
const proposal = (pages: string) => ({
  status: "SUCCESS",
  summary: `A report of **${pages} pages** on what bees need, with a list of sources.`,
  instructions: [
    instruction("scope", `${pages} pages at most`),
    instruction("style", "Plain words, for gardeners"),
  ],
  questions: [
    "Is it for a town or for the country? I write for towns until you say something else.",
  ],
});

/**
 * Returns the answers of a run's agents: they propose twelve pages, three once that was changed, and then do as they are
 * told. They wait where `waits` says so of what they were told.
 */
export function runPlayers(waits: (told: string) => Promise<unknown> | undefined) {
  return ({ messages }: ChatCompletionRequest): Reply => {
    const text = ({ content }: { content?: unknown }) =>
      typeof content === "string" ? content : "";
    const told = text(messages[1] ?? {});
    const results = messages.filter(({ role }) => role === "tool").map(text);
    const reply = replyTo(told, results);
    const waiting = waits(told);
    return waiting === undefined ? reply : { after: waiting, then: reply };
  };
}

function replyTo(told: string, results: readonly string[]): Reply {
  if (told.includes("<task>\nPropose the rules")) {
    const isAgain = told.includes("feedback_for_user.1.md");
    return call("attempt_completion", proposal(isAgain ? "Three" : "Twelve"));
  }
  const { toolCalls = [] } = runReply(told, results);
  return { calls: toolCalls.map(({ name, arguments: args }) => ({ name, args: args as object })) };
}
