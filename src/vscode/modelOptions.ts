import type { ApiKey } from "./apiKey.js";
import type { Settings } from "./settings.js";

/** How to ask the model; what is absent is left to the server. */
export interface ModelOptions {
  readonly name: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
}

/**
 * What settings, secret store and environment say of the model now.
 *
 * @param name of another model on the same server
 */
export async function modelOptions(
  settings: Settings,
  apiKey: ApiKey,
  name = settings.read().model.name,
): Promise<ModelOptions> {
  const { baseUrl, temperature, maxOutputTokens } = settings.read().model;
  const key = await apiKey.read();
  return {
    name,
    ...(baseUrl === "" ? {} : { baseUrl }),
    ...(key === undefined ? {} : { apiKey: key }),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
  };
}
