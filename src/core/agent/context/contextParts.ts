import type { ModelMessage } from "../../ports/messages.js";

/** The parts that fill a model's context window, each in estimated tokens. */
export interface ContextParts {
  /** The system message: the expert's role and the workspace's rules. */
  readonly system: number;
  /** The descriptions of the tools. */
  readonly tools: number;
  /** The agent's first message: what was asked, with its context. */
  readonly request: number;
  /** Files that were read, and other results of tools. */
  readonly results: number;
  /** The agent's replies and calls, summaries, and what it was told meanwhile. */
  readonly conversation: number;
}

/** A request to the model, and the size of its reply. */
export interface SentContext {
  readonly messages: readonly ModelMessage[];
  /** Index of the first message after the goal. */
  readonly goalEnd: number;
  /** The descriptions of the tools, which are sent beside the messages. */
  readonly toolText: string;
  /** The tokens of the whole request. */
  readonly tokens: number;
  /** The tokens of the reply to it, which is not among the messages yet. */
  readonly replyTokens: number;
}

/**
 * Divides the tokens of a request and its reply among its parts, by what `tokensOf` estimates for each. The sum is that
 * of request and reply, but for rounding.
 */
export function contextParts(
  { messages, goalEnd, toolText, tokens, replyTokens }: SentContext,
  tokensOf: (part: readonly ModelMessage[] | string) => number,
): ContextParts {
  const later = messages.slice(goalEnd);
  const begin = messages.slice(0, goalEnd);
  const sizes = {
    system: tokensOf(begin.filter(({ role }) => role === "system")),
    tools: tokensOf(toolText),
    request: tokensOf(begin.filter(({ role }) => role !== "system")),
    results: tokensOf(later.filter(({ role }) => role === "tool")),
    conversation: tokensOf(later.filter(({ role }) => role !== "tool")),
  };
  const sum = Object.values(sizes).reduce((all, size) => all + size, 0);
  const share = (size: number): number => Math.round(sum === 0 ? 0 : (size / sum) * tokens);
  return {
    system: share(sizes.system),
    tools: share(sizes.tools),
    request: share(sizes.request),
    results: share(sizes.results),
    conversation: share(sizes.conversation) + replyTokens,
  };
}
