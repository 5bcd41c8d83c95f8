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

/** What settings, secret store and environment say of the model now. */
export async function modelOptions(settings: Settings, apiKey: ApiKey): Promise<ModelOptions> {
  const { name, baseUrl, temperature, maxOutputTokens } = settings.read().model;
  const key = await apiKey.read();
  return {
    name,
    ...(baseUrl === "" ? {} : { baseUrl }),
    ...(key === undefined ? {} : { apiKey: key }),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
  };
}
