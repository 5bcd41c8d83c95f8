import type { Price } from "../agent/price.js";

/** A model and what its server says about it. Absent fields: the server does not say. */
export interface ModelFacts {
  readonly name: string;
  /** `false`: the model makes vectors or the like and cannot chat. */
  readonly chats?: boolean | undefined;
  /** Tokens of the context window that the model runs with. */
  readonly contextTokens?: number | undefined;
  /** Tokens of the context window that the model could run with. */
  readonly mostTokens?: number | undefined;
  readonly callsTools?: boolean | undefined;
  readonly seesImages?: boolean | undefined;
  readonly price?: Price | undefined;
}

/**
 * Describes a model in one line, as in `128k tokens · calls tools · $2.50 in, $10.00 out per million`; empty
 * if nothing is known.
 */
export function factsText(facts: Omit<ModelFacts, "name">): string {
  const { contextTokens, mostTokens, callsTools, seesImages, price } = facts;
  return [
    ...(contextTokens === undefined ? [] : [`${compact(contextTokens)} tokens`]),
    ...(contextTokens !== undefined || mostTokens === undefined
      ? []
      : [`up to ${compact(mostTokens)} tokens`]),
    ...(callsTools === undefined ? [] : [callsTools ? "calls tools" : "no tool calling"]),
    ...(seesImages === true ? ["sees images"] : []),
    ...(price === undefined ? [] : [priceText(price)]),
  ].join(" · ");
}

/** Formats a number of tokens, often a power of two, as in `950`, `32k`, `1.05M`. */
function compact(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  if (tokens < 1_000_000) {
    const size = tokens % 1_024 === 0 ? 1_024 : 1_000;
    return `${Math.round(tokens / size)}k`;
  }
  return `${Number((tokens / 1_000_000).toFixed(2))}M`;
}

function priceText({ input, output }: Price): string {
  if (input === 0 && output === 0) return "free";
  return `${dollars(input)} in, ${dollars(output)} out per million`;
}

function dollars(amount: number): string {
  return `$${amount < 0.01 ? amount.toPrecision(1) : amount.toFixed(2)}`;
}
