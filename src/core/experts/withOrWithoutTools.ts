import { ModelError } from "../errors.js";
import type { LanguageModel } from "../ports/model.js";
import type { ExpertServices } from "./expertServices.js";

/**
 * Asks a model for one answer in the dialect chosen for a mode. With `auto` it asks with tools first,
 * and without them if the model turns out not to support them. Throws what `ask` throws.
 *
 * @param slug the mode's
 * @param onWithoutTools called with the model's name when it turns out not to support tools
 */
export async function withOrWithoutTools<T>(
  slug: string,
  model: LanguageModel,
  { settings, modelsWithoutTools }: Pick<ExpertServices, "settings" | "modelsWithoutTools">,
  ask: (withoutTools: boolean) => Promise<T>,
  onWithoutTools: (modelName: string) => void,
): Promise<T> {
  const choice = settings().dialectFor?.(slug) ?? "auto";
  if (choice === "envelope" || (choice === "auto" && modelsWithoutTools.has(model.name))) {
    return ask(true);
  }
  try {
    return await ask(false);
  } catch (error) {
    const isRefused = error instanceof ModelError && error.code === "toolsUnsupported";
    if (!isRefused || choice !== "auto") throw error;
    modelsWithoutTools.refused(model.name);
    onWithoutTools(model.name);
    return ask(true);
  }
}
