import type { ModelApi } from "../../core/models/modelApi.js";

/** The address of a model and the settings of its requests. */
export interface ServerOptions {
  /** The server's address. Default: that of the API's own maker. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The API that the server speaks. Default: as is known of its address, else `chat`. */
  readonly api?: ModelApi;
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

/** What is needed to reach a server. */
export type ServerAccess = Pick<ServerOptions, "baseUrl" | "apiKey" | "api">;

export const defaultTimeoutMs = 600_000;
