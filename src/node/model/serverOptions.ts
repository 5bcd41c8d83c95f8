import type { ModelApi } from "../../core/models/modelApi.js";
import type { ModelProfile } from "../../core/models/modelProfile.js";

/** The address of a model and the settings of its requests. */
export interface ServerOptions {
  /** The server's address. Default: that of the API's own maker. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The environment variable that has the key; empty for none. Default: that of the API's own maker. */
  readonly keyVariable?: string | undefined;
  /** The API that the server speaks. Default: as is known of its address, else `chat`. */
  readonly api?: ModelApi | undefined;
  /** The model, as the server names it. */
  readonly name: string;
  readonly temperature?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /**
   * The effort that the model puts into reasoning, as in `low`. Models that do not reason reject it, and
   * are asked again without it.
   */
  readonly reasoningEffort?: string | undefined;
  /** Whether the model sees images. Default: `auto`, which goes by its name, and by what its server says. */
  readonly images?: ModelProfile["images"];
  /** Milliseconds that the server may stay silent, before its answer and within it. Default: 10 minutes. */
  readonly timeoutMs?: number;
}

/** What is needed to reach a server. */
export type ServerAccess = Pick<ServerOptions, "baseUrl" | "apiKey" | "api">;

/** Returns the options of a profile's requests. */
export function serverOptions(profile: ModelProfile, apiKey: string | undefined): ServerOptions {
  const { baseUrl, api, keyVariable, temperature, maxOutputTokens, reasoningEffort, images } =
    profile;
  return {
    name: profile.model,
    baseUrl,
    apiKey,
    keyVariable,
    api,
    temperature,
    maxOutputTokens,
    reasoningEffort,
    images,
  };
}

export const defaultTimeoutMs = 600_000;
