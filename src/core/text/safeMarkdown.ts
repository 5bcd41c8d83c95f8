import { visibleText } from "./visibleText.js";

/** Returns a model's Markdown with everything visible, and without images: their addresses could carry something away. */
export function safeMarkdown(text: string): string {
  return visibleText(text).replaceAll("![", "!\\[");
}

/** Makes a model's Markdown safe as {@link safeMarkdown} does, piece by piece. */
export class SafeMarkdownStream {
  /** The end of the text so far that may be the first half of something. */
  private held = "";

  /** Takes the next piece, and returns what can be shown by now. */
  take(piece: string): string {
    const all = this.held + piece;
    // The beginning of an image, or the first half of a character.
    const [held = ""] = /[!\uD800-\uDBFF]$/.exec(all) ?? [];
    this.held = held;
    return safeMarkdown(all.slice(0, all.length - held.length));
  }

  /** Returns what was held back; the next piece begins another text. */
  end(): string {
    const rest = safeMarkdown(this.held);
    this.held = "";
    return rest;
  }
}
