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
