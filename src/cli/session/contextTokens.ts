import { WrongUse } from "../commands/wrongUse.js";

/**
 * Reads the model's context window, in tokens, from `ROOROO_CONTEXT_TOKENS`; `undefined` if it is not set.
 * Throws {@link WrongUse} if it is not a whole number from 2000.
 */
export function contextTokens(env: NodeJS.ProcessEnv): number | undefined {
  const text = env["ROOROO_CONTEXT_TOKENS"]?.trim() ?? "";
  if (text === "") return undefined;
  const tokens = Number(text);
  if (Number.isInteger(tokens) && tokens >= 2_000) return tokens;
  throw new WrongUse(
    `ROOROO_CONTEXT_TOKENS is ${JSON.stringify(text)}. Give a whole number from 2000, or leave it out.`,
  );
}
