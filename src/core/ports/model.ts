import type { ModelErrorCode } from "../errors.js";
import type {
  Cut,
  KeptReasoning,
  ModelMessage,
  ToolCall,
  ToolDefinition,
  Usage,
} from "./messages.js";

export type FinishReason = "stop" | "toolCalls" | Cut | "unknown";

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A complete call; a stream that breaks in the middle of one throws instead. */
  | { readonly type: "toolCall"; readonly call: ToolCall }
  /** Comes once, before the end, from a provider that wants its model's reasoning back with the next request. */
  | { readonly type: "keptReasoning"; readonly reasoning: KeptReasoning }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason }
  | PartsRefused
  /** The response broke: its events so far are void, and the request is retried from the start. */
  | {
      readonly type: "retry";
      /** The number of the new attempt: 2 for the first retry. */
      readonly attempt: number;
      /** The most attempts. Absent: there is no such limit. */
      readonly attempts?: number;
      readonly code: ModelErrorCode;
      /** The milliseconds until then. Absent: it is made in a moment. */
      readonly waitMs?: number;
    };

/** The server has refused parts of the request, and takes it as it is sent now. */
export interface PartsRefused {
  readonly type: "partsRefused";
  /**
   * `schemas`: it is sent without these tools, or if there are none, with the schemas of all tools in a simpler form.
   * `images`: without these.
   */
  readonly what: "schemas" | "images";
  /** The names of what is left out. */
  readonly leftOut: readonly string[];
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** The one tool that the model must call. */
  readonly forcedTool?: string;
  /**
   * The JSON schema that the answer's text should follow. The model may not keep to it; the answer is
   * checked.
   */
  readonly answerSchema?: {
    readonly name: string;
    readonly schema: Readonly<Record<string, unknown>>;
  };
}

export interface LanguageModel {
  /** The server's name for the model. */
  readonly name: string;
  /** The size of the model's context window in tokens, where that is known. */
  readonly contextTokens?: number | undefined;
  /**
   * Streams the model's response. Throws {@link ModelError}; throws the signal's reason when the signal
   * aborts.
   */
  respond(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
