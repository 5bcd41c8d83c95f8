import { ModelError } from "../errors.js";

/** The most characters of an answer: more than a million tokens, and no model writes half of that. */
const mostCharacters = 4_000_000;
/**
 * The characters for each token of the output limit, and the fewest in all: no text has so many for each, so that only a
 * server comes here that does not keep to the limit.
 */
const [perToken, fewest] = [32, 100_000];

/**
 * Counts what a model writes in one answer: text, reasoning and the arguments of its calls. An answer that does not end is
 * given up here, before it fills the memory.
 */
export class AnswerLimit {
  readonly #most: number;
  #written = 0;

  /** The characters that the model has written so far. */
  get written(): number {
    return this.#written;
  }

  /**
   * @param who the server's address, or the model's name, for the error
   * @param outputTokens the output limit, if one is set
   */
  constructor(
    private readonly who: string,
    outputTokens?: number,
  ) {
    const limit = outputTokens === undefined ? Infinity : outputTokens * perToken;
    this.#most = Math.min(mostCharacters, Math.max(limit, fewest));
  }

  /** @throws {ModelError} if the answer has more characters by now than any that ends */
  add(characters: number): void {
    this.#written += characters;
    if (this.#written > this.#most) throw endlessAnswer(this.who, this.#most);
  }
}

/**
 * Returns the error of an answer that goes on and on; it is not tried again.
 *
 * @param most characters or bytes
 */
export function endlessAnswer(who: string, most: number): ModelError {
  return new ModelError(
    "brokenResponse",
    "The answer of {who} did not end: it was given up after {most, number} characters. Ask for less at once, or choose another model.",
    { who, most },
    { passing: false },
  );
}
