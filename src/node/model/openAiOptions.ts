/** The address of a model and the settings of its requests. */
export interface OpenAiOptions {
  /** The server's address. Default: OpenAI's own. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The model, as the server names it. */
  readonly name: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /**
   * The effort that the model puts into reasoning, as in `low`. Models that do not reason reject it, and
   * are asked again without it.
   */
  readonly reasoningEffort?: string;
  /** Whether the model sees images. Default: `auto`, which goes by its name, and by what its server says. */
  readonly images?: "auto" | "on" | "off";
  /** Milliseconds that the server may stay silent, before its answer and within it. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

export const openAiAddress = "https://api.openai.com/v1";
export const defaultTimeoutMs = 600_000;
