/** Messages to and from a model, in no provider's own format. */

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The arguments as the model wrote them; JSON, if all went well. */
  readonly arguments: string;
}

/**
 * What a provider gives of a model's reasoning to be sent back to it, perhaps encrypted. Other APIs and models are not
 * sent it.
 */
export interface KeptReasoning {
  /** As in `ModelApi`. */
  readonly api: string;
  readonly model: string;
  /** In the API's own form. */
  readonly items: readonly unknown[];
}

/** An image that a person has attached, or that a tool has answered with. */
export interface MessageImage {
  /** The workspace path at which it is kept. */
  readonly path: string;
  /** Its name for people, as in `screenshot.png`. */
  readonly name: string;
  /** What a model is sent of it. Absent: it is only referred to. */
  readonly content?: { readonly mime: string; readonly base64: string };
}

/** Why a reply is not whole: the output limit, a content filter, or a full context window ended it. */
export const cuts = ["length", "filtered", "overflowed"] as const;
export type Cut = (typeof cuts)[number];

export type ModelMessage =
  | { readonly role: "system"; readonly content: string }
  | {
      readonly role: "user";
      readonly content: string;
      /** Absent: none. */
      readonly images?: readonly MessageImage[] | undefined;
    }
  | {
      readonly role: "assistant";
      readonly content: string;
      readonly toolCalls: readonly ToolCall[];
      /** Absent: the provider gave none. */
      readonly reasoning?: KeptReasoning | undefined;
      /** Absent: the reply is whole, as far as the provider says. */
      readonly cut?: Cut | undefined;
    }
  | {
      readonly role: "tool";
      readonly callId: string;
      readonly content: string;
      /** Absent: none. */
      readonly images?: readonly MessageImage[] | undefined;
    };

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Tokens of one call, as the server counted them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that came from the server's cache. */
  readonly cachedTokens: number;
  /** US dollars; absent where the model's price is unknown. */
  readonly costUsd?: number | undefined;
  /** What the server has counted as input, where that cannot be, so that the input is estimated. Absent: it is counted. */
  readonly doubted?: number | undefined;
}

/** The usage of a piece of work: model calls, tokens and milliseconds. */
export interface SessionUsage extends Usage {
  readonly calls: number;
  readonly workedMs: number;
}

export const noSessionUsage: SessionUsage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costUsd: 0,
  workedMs: 0,
};
