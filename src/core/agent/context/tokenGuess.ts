import { perObject } from "../../perObject.js";
import type { ModelMessage } from "../../ports/messages.js";

/** Estimates tokens: about 3.5 characters each in code and English, nearly one each in other scripts. */
export function guessedTokens(text: string): number {
  const others = text.length < 200_000 ? (text.match(/[^\u0000-\u024F]/g) ?? []).length : 0;
  return Math.ceil((text.length - others) / 3.5 + others);
}

/** Estimates the tokens of a message. */
export const guessedMessage = perObject((message: ModelMessage): number => {
  const calls = message.role === "assistant" ? message.toolCalls : [];
  const args = calls.reduce((sum, call) => sum + guessedTokens(call.name + call.arguments) + 10, 0);
  return guessedTokens(message.content) + args + 5;
});

/** The fewest tokens that a text can have, for each that is estimated: that is more than 17 characters a token. */
const leastShare = 0.2;
/** The least difference that is looked at: small requests have other shares. */
const leastDifference = 1_000;
/** The most tokens that a text can have, for each that is estimated: a byte vocabulary has about four. */
const mostShare = 8;
/** The most tokens besides: images, what a server adds, and reasoning that it does not show. */
const mostBesides = 200_000;

/**
 * Returns whether a request cannot have so few tokens, because the server counts nothing, or only the part that its cache did
 * not have, or it has cut the request; or so many.
 *
 * @param guess what the request is estimated to have
 */
export function cannotBe(counted: number, guess: number): boolean {
  const isTooFew = counted < guess * leastShare && guess - counted >= leastDifference;
  return isTooFew || areTooMany(counted, guess);
}

/** Returns whether a text cannot have so many tokens, whatever is added to it unseen. */
export function areTooMany(counted: number, guess: number): boolean {
  return counted > guess * mostShare + mostBesides;
}
