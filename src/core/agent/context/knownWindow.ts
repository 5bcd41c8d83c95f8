import type { LanguageModel } from "../../ports/model.js";

/**
 * Returns the tokens of a model's context window; `undefined` if they are unknown.
 *
 * @param limit what the user has set
 * @param observed windows by the model's name, as servers' refusals have shown them
 */
export function knownWindow(
  { name, contextTokens }: Pick<LanguageModel, "name" | "contextTokens">,
  limit: number | undefined,
  observed: ReadonlyMap<string, number>,
): number | undefined {
  const known = limit ?? contextTokens;
  const refused = observed.get(name);
  if (known === undefined || refused === undefined) return known ?? refused;
  return Math.min(known, refused);
}
