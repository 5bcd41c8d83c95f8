import { html } from "lit";
import type { TemplateResult } from "lit";
import { unseenCharacters } from "../unseenCharacters.js";

/** Renders text as it is, with hidden characters made visible. */
export function visibleText(text: string): TemplateResult {
  // No white space between the pieces: it would be shown.
  return html`${unseenCharacters(text).map((piece) =>
    piece.unseen
      ? html`<span class="unseen" title="A character that cannot be seen">${piece.text}</span>`
      : piece.text,
  )}`;
}
