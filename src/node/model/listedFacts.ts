import * as z from "zod";
import type { Price } from "../../core/agent/price.js";
import type { ModelFacts } from "../../core/models/modelFacts.js";
import { contextTokens, valueAt } from "./contextTokens.js";

const names = z.array(z.string());
/** US dollars per token. A negative number, which stands for a price that varies, is not accepted. */
const perToken = z.number().nonnegative();

/**
 * Reads the facts in a model's entry in a server's list. Never throws. Sources: the references of the
 * lists of models of OpenRouter, Mistral and LM Studio (`/api/v0/models`).
 */
export function listedFacts(name: string, entry: unknown): ModelFacts {
  const facts = {
    name,
    chats: chats(entry),
    contextTokens: contextTokens(entry),
    callsTools: callsTools(entry),
    seesImages: seesImages(entry),
    price: price(entry),
  };
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as ModelFacts;
}

/** Returns whether the model can chat, as LM Studio and Mistral report it; `undefined` if unknown. */
function chats(entry: unknown): boolean | undefined {
  if (valueAt(entry, ["type"]) === "embeddings") return false;
  const flag = valueAt(entry, ["capabilities", "completion_chat"]);
  return typeof flag === "boolean" ? flag : undefined;
}

function callsTools(entry: unknown): boolean | undefined {
  for (const [place, word] of [
    [["supported_parameters"], "tools"],
    [["capabilities"], "tool_use"],
  ] as const) {
    const list = names.safeParse(valueAt(entry, place));
    if (list.success) return list.data.includes(word);
  }
  const flag = valueAt(entry, ["capabilities", "function_calling"]);
  return typeof flag === "boolean" ? flag : undefined;
}

function seesImages(entry: unknown): boolean | undefined {
  const inputs = names.safeParse(valueAt(entry, ["architecture", "input_modalities"]));
  if (inputs.success) return inputs.data.includes("image");
  const flag = valueAt(entry, ["capabilities", "vision"]);
  if (typeof flag === "boolean") return flag;
  return valueAt(entry, ["type"]) === "vlm" ? true : undefined;
}

/** Reads the price in US dollars per million tokens, in the format of OpenRouter and similar servers. */
function price(entry: unknown): Price | undefined {
  const of = (kind: string): number | undefined => {
    const text = valueAt(entry, ["pricing", kind]);
    const read =
      typeof text === "string" && text !== "" ? perToken.safeParse(Number(text)) : undefined;
    // Rounds off the error of the multiplication: no price has more than nine digits.
    return read?.success === true ? Number((read.data * 1e6).toPrecision(9)) : undefined;
  };
  const [input, output, cachedInput] = [of("prompt"), of("completion"), of("input_cache_read")];
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) };
}
