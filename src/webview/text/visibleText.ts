import { html, type TemplateResult } from "lit";
import { t } from "./words.js";

export interface TextPiece {
  readonly text: string;
  /** Whether the piece stands for a character that is invisible, or would move its neighbours. */
  readonly unseen: boolean;
}

/**
 * Controls but newline and tab, formats (zero width, direction, tags), separators, lone surrogates,
 * spaces that are not a space, and letters and marks that are drawn as nothing.
 */
const unseen = /(?! )[\p{Cc}\p{Cf}\p{Z}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Splits text so that nothing in it stays hidden: each unseen character becomes a piece like `U+200B`. */
export function unseenCharacters(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plain = "";
  for (const character of text) {
    if (character === "\n" || character === "\t" || !unseen.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== "") pieces.push({ text: plain, unseen: false });
    plain = "";
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    pieces.push({ text: `U+${code}`, unseen: true });
  }
  if (plain !== "") pieces.push({ text: plain, unseen: false });
  return pieces;
}

/** Renders text as it is, with hidden characters made visible. */
export function visibleText(text: string): TemplateResult {
  // No white space between the pieces: it would be shown.
  return html`${unseenCharacters(text).map((piece) =>
    piece.unseen
      ? html`<span class="unseen" title=${t("Invisible character")}>${piece.text}</span>`
      : piece.text,
  )}`;
}

/**
 * Renders a tool's title or a path on one line. If it is too long, the end of a path stays visible: the
 * file's name says more than the folders before it.
 */
export function titleText(title: string): TemplateResult {
  const end = /\s/.test(title) ? -1 : title.lastIndexOf("/", title.length - 2);
  if (end < 1) return html`<span class="title-head">${visibleText(title)}</span>`;
  // The two parts are visual only: a screen reader would pause between them.
  return html`<span class="sr-only">${visibleText(title)}</span
    ><span class="title-head" aria-hidden="true">${visibleText(title.slice(0, end))}</span
    ><span class="title-tail" aria-hidden="true">${visibleText(title.slice(end))}</span>`;
}
