import type { ApiKey } from "./apiKey.js";
import type { Settings } from "./settings.js";

/** How to ask the model; what is absent is left to the server. */
export interface ModelOptions {
  readonly name: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: string;
}

/** What a mode has of its own. */
export type OwnOptions = Pick<ModelOptions, "temperature" | "reasoningEffort">;

/**
 * What settings, secret store and environment say of the model now.
 *
 * @param name of the model, on the server of all
 */
export async function modelOptions(
  settings: Settings,
  apiKey: ApiKey,
  name = settings.model.name,
  own: OwnOptions = {},
): Promise<ModelOptions> {
  const { baseUrl, temperature, maxOutputTokens, reasoningEffort } = settings.model;
  const key = await apiKey.read();
  return {
    name,
    ...(baseUrl === "" ? {} : { baseUrl }),
    ...(key === undefined ? {} : { apiKey: key }),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(reasoningEffort === null ? {} : { reasoningEffort }),
    ...own,
  };
}
