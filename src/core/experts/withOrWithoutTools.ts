import { ModelError } from "../errors.js";
import type { LanguageModel } from "../ports.js";
import type { ExpertWorld } from "./expertWorld.js";

/**
 * Asks a model for one answer in the dialect that is chosen for a mode: where that is left to be found
 * out, natively, and without tools when the model turns out to have none. Throws what `ask` throws.
 *
 * @param slug the mode's
 * @param onWithoutTools told when the model turns out to have none
 */
export async function withOrWithoutTools<T>(
  slug: string,
  model: LanguageModel,
  { settings, modelsWithoutTools }: Pick<ExpertWorld, "settings" | "modelsWithoutTools">,
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
    modelsWithoutTools.add(model.name);
    onWithoutTools(model.name);
    return ask(true);
  }
}
