/** Where a model is and how to ask it. */
export interface OpenAiOptions {
  /** Default: OpenAI's own. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The model, as the server names it. */
  readonly name: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** As in `low`; models that do not reason refuse it, and are asked without it. */
  readonly reasoningEffort?: string;
  /** The longest silence of the server, before its answer and within it. Default 10 minutes. */
  readonly timeoutMs?: number;
}

export const openAiAddress = "https://api.openai.com/v1";
export const defaultTimeoutMs = 600_000;
