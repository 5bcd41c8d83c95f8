import type { ModelMessage } from "../../ports/messages.js";
import type { LanguageModel } from "../../ports/model.js";
import type { Said } from "../../text/words.js";
import type { AgentEvent, InvalidReply } from "../events.js";
import type { Reply } from "../replies/askModel.js";
import type { AnyTool, ToolResult } from "../tool.js";

export const dialectNames = ["native", "envelope"] as const;
export type DialectName = (typeof dialectNames)[number];

/** `auto`: native, unless the model turns out to have no tool calling. */
export const dialectChoices = ["auto", ...dialectNames] as const;
export type DialectChoice = (typeof dialectChoices)[number];

/** The meaning of a reply without a call. */
export type WithoutCall =
  /** The agent talks to the person. */
  | { readonly type: "speaks"; readonly text: string }
  /** The reply is certainly a completion nevertheless; `args` fit the completion tool. */
  | { readonly type: "completed"; readonly args: unknown }
  | {
      readonly type: "invalid";
      readonly why: InvalidReply;
      /** The message that tells the model what was wrong. */
      readonly content: string;
      /** Returns what a person is told when the agent is given up after `times` such replies. */
      readonly failure: (times: number) => Said;
    };

/**
 * The way in which a model is told of its tools and calls them. Loop, transcript, calls and approvals are the same
 * in every dialect. A dialect keeps no state outside the transcript, so that an agent that is killed at any
 * moment can be resumed.
 */
export interface Dialect {
  readonly name: DialectName;
  /** Number of replies without a call, in a row, that are rejected before the agent is given up. */
  readonly invalidRepliesAllowed: number;
  /** The tools, by the names that calls have in this dialect. */
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** Returns what the model is told of the tools, besides the messages. */
  toolText(): string;
  /**
   * Asks for the next reply and finds the calls in it.
   *
   * @throws what the model throws
   */
  ask(
    model: LanguageModel,
    messages: readonly ModelMessage[],
    messageId: string,
    onEvent: (event: AgentEvent) => void,
    signal: AbortSignal,
  ): Promise<Reply>;
  /**
   * Decides what a reply without a call means.
   *
   * @param messages the conversation, of which that reply is the last message
   */
  withoutCall(messages: readonly ModelMessage[], modelName: string): Promise<WithoutCall>;
  /** Returns a result's text for the model. Absent: the model gets the result's content. */
  readonly resultText?: (result: ToolResult, durationMs: number) => string;
  /** Returns what to tell the model before its next turn; `undefined` if there is nothing. */
  supply?(messages: readonly ModelMessage[]): Promise<string | undefined>;
}
