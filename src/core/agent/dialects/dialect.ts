import type { LanguageModel } from "../../ports.js";
import type { Reply } from "../askModel.js";
import type { AgentEvent } from "../events.js";
import type { ModelMessage } from "../messages.js";
import type { Slip } from "../slip.js";
import type { AnyTool, ToolResult } from "../tool.js";

export const dialectNames = ["native", "envelope"] as const;
export type DialectName = (typeof dialectNames)[number];

/** `auto`: native, unless the model turns out to have no tool calling. */
export const dialectChoices = ["auto", ...dialectNames] as const;
export type DialectChoice = (typeof dialectChoices)[number];

/** What a reply without a call comes to. */
export type WithoutCall =
  /** The agent talks to the person. */
  | { readonly type: "speaks"; readonly text: string }
  /** It is a completion all the same, beyond doubt; `args` fit the completion tool. */
  | { readonly type: "completed"; readonly args: unknown }
  | {
      readonly type: "slip";
      readonly why: Slip;
      /** Points it out to the model. */
      readonly content: string;
      /** What a person is told when the agent is given up. */
      readonly failure: (times: number) => string;
    };

/**
 * How a model is told of its tools, and how it calls them. Loop, transcript, calls and approvals are
 * the same in every dialect; a dialect keeps nothing that is not in the transcript, so that an agent
 * killed at any moment goes on.
 */
export interface Dialect {
  readonly name: DialectName;
  /** Replies without a call, in a row, that are pointed out before the agent is given up. */
  readonly slipsAllowed: number;
  /** By the names that its calls have. */
  readonly tools: ReadonlyMap<string, AnyTool>;
  /** Asks for the next reply, and finds the calls in it. Throws what the model throws. */
  ask(
    model: LanguageModel,
    messages: readonly ModelMessage[],
    messageId: string,
    onEvent: (event: AgentEvent) => void,
    signal: AbortSignal,
  ): Promise<Reply>;
  /** @param messages the last of them is the reply that no call was found in */
  withoutCall(messages: readonly ModelMessage[], modelName: string): Promise<WithoutCall>;
  /** A result as the model gets it, where that is not its content. */
  readonly resultText?: (result: ToolResult, durationMs: number) => string;
  /** What the model is to be told, unasked, before its next turn. */
  supply?(messages: readonly ModelMessage[]): Promise<string | undefined>;
}
