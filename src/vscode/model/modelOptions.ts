import type { ModelApi } from "../../core/models/modelApi.js";
import { keyVariable } from "../../core/models/modelServers.js";
import type { ApiKey } from "./apiKey.js";
import type { Settings } from "../settings/settings.js";

/** Options for calls to the model; the server decides about those that are absent. */
export interface ModelOptions {
  readonly name: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  readonly reasoningEffort?: string;
  readonly images?: "auto" | "on" | "off";
  readonly api?: ModelApi;
}

/** Options that a mode can set for itself. */
export type OwnOptions = Pick<ModelOptions, "temperature" | "reasoningEffort">;

/** Returns the server that the settings name. */
export function serverOf({
  model,
}: Pick<Settings, "model">): Pick<ModelOptions, "baseUrl" | "api"> {
  const { baseUrl, api } = model;
  return { ...(baseUrl !== "" && { baseUrl }), ...(api !== "auto" && { api }) };
}

/**
 * Returns the model's options, as the settings, the secret store and the environment have them now.
 *
 * @param name the model's name, on the server that all modes share
 * @param own options that override those of the settings
 */
export async function modelOptions(
  settings: Settings,
  apiKey: ApiKey,
  name = settings.model.name,
  own: OwnOptions = {},
): Promise<ModelOptions> {
  const { temperature, maxOutputTokens, reasoningEffort, images } = settings.model;
  const server = serverOf(settings);
  const key = await apiKey.read(keyVariable(server));
  return {
    name,
    images,
    ...server,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(temperature === null ? {} : { temperature }),
    ...(maxOutputTokens === null ? {} : { maxOutputTokens }),
    ...(reasoningEffort === null ? {} : { reasoningEffort }),
    ...own,
  };
}
