import { mostImages } from "../../images/mostImages.js";
import type { ModelMessage } from "../../ports/messages.js";
import { cannotBe, guessedMessage, guessedTokens } from "./tokenGuess.js";

/** The least that is estimated for what is sent besides the messages: tools, and the server's own framing. */
const leastOverhead = 1_500;
/** Estimated tokens of the framing alone. */
const framing = 200;

/** Estimated tokens of an image. Servers count between about 85 and 1,600, and none where the model sees no images. */
const usualImage = 1_000;
const largestImage = 3_000;

/**
 * Where a count is less than this part of what it was before, for each estimated token, the server has begun to cut the
 * conversation.
 */
const cutShare = 0.5;

/** The bounds of the correction. */
const leastFactor = 0.25;
const mostFactor = 6;

/**
 * Estimates how many tokens a conversation takes, without the model's own tokenizer: from the length of its
 * text, corrected by what the server counts.
 */
export class ContextMeter {
  /** Tokens that the server counts for each token estimated here. */
  private factor = 1;
  /** The most that it has counted for each. */
  private highest = 0;
  private overhead = leastOverhead;
  /** Tokens of an image, as far as the server's counts tell. */
  private image = usualImage;
  private hasCount = false;

  /** @param factor what is known of the model's tokenizer from earlier conversations */
  constructor(factor = 1) {
    this.factor = factor;
  }

  /** Tokens that the server counts for each token estimated here; `undefined` if it has counted nothing. */
  get learnt(): number | undefined {
    return this.hasCount ? this.factor : undefined;
  }

  /** Takes into account what is sent beside the messages. */
  tools(toolText: string): void {
    this.overhead = Math.max(leastOverhead, guessedTokens(toolText) + framing);
  }

  /** Whether a server's count has corrected the estimate. */
  get isCalibrated(): boolean {
    return this.hasCount;
  }

  tokens(messages: readonly ModelMessage[]): number {
    const images = imagesIn(messages) * this.image;
    return Math.ceil((this.guessAll(messages) + this.overhead) * this.factor + images);
  }

  /** Estimates the tokens of a part, without what is sent besides the messages. */
  tokensOf(part: readonly ModelMessage[] | string): number {
    if (typeof part === "string") return Math.ceil(guessedTokens(part) * this.factor);
    return Math.ceil(this.guessAll(part) * this.factor + imagesIn(part) * this.image);
  }

  /**
   * Corrects the estimate by the server's count for these messages. Returns `false`, and corrects nothing, if that count
   * cannot be.
   */
  calibrate(messages: readonly ModelMessage[], tokens: number): boolean {
    const guess = this.guessAll(messages) + this.overhead;
    this.hasCount = true;
    if (cannotBe(tokens, guess)) return false;
    const image = this.imageBy(tokens, guess, imagesIn(messages));
    const factor = (tokens - imagesIn(messages) * image) / guess;
    const isCut = factor < cutShare * this.highest && this.highest >= leastFactor;
    if (isCut) {
      // Counts before this one may have been of a cut conversation, too: it grows slowly, and they fell slowly.
      this.correct(this.highest);
      return false;
    }
    this.image = image;
    this.correct(factor);
    this.highest = Math.max(this.highest, factor);
    return true;
  }

  /** Corrects the estimate by the count that a server's refusal of these messages names. */
  refused(messages: readonly ModelMessage[], tokens: number): void {
    this.hasCount = true;
    const text = tokens - imagesIn(messages) * this.image;
    this.correct(text / (this.guessAll(messages) + this.overhead));
  }

  /**
   * Corrects the estimate when the server has refused these messages: they have more than `tokens` tokens.
   */
  raiseAbove(messages: readonly ModelMessage[], tokens: number): void {
    if (this.tokens(messages) <= tokens) this.refused(messages, tokens + 1);
  }

  /** Returns the tokens of an image by a count: those that an earlier count of the text does not explain. */
  private imageBy(tokens: number, guess: number, images: number): number {
    if (images === 0) return this.image;
    const each =
      this.highest > 0
        ? (tokens - guess * this.factor) / images
        : (this.image * tokens) / (guess + images * this.image);
    return Math.min(largestImage, Math.max(0, each));
  }

  private correct(factor: number): void {
    this.factor = Math.min(mostFactor, Math.max(leastFactor, factor));
  }

  private guessAll(messages: readonly ModelMessage[]): number {
    return messages.reduce((sum, message) => sum + guessedMessage(message), 0);
  }
}

/** Returns how many images are sent with the messages. */
function imagesIn(messages: readonly ModelMessage[]): number {
  let count = 0;
  for (const message of messages) {
    if ("images" in message) count += message.images?.length ?? 0;
  }
  return Math.min(count, mostImages);
}
