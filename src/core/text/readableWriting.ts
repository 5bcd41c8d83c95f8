import { shownCode } from "./shownCode.js";

/**
 * Makes visible what hides in a text, as `visibleText` does, but leaves it where writing needs it: joiners and selectors in
 * emoji and between the letters of scripts that have them. For what is only read, as the words of models and files; what a
 * person decides about is made visible as a whole.
 */
export function readableWriting(text: string): string {
  return text.replace(hidden, (found, at: number) => {
    // A soft hyphen only says where a word may be cut.
    if (found === "\u00AD") return "";
    return isWriting(found, text, at) ? found : shownCode(found);
  });
}

/**
 * Characters that are drawn as nothing, or that move their neighbors or break lines where none is meant; before them, flags
 * that are written with some (England, Scotland, Wales), which stay.
 */
const hidden =
  /\u{1F3F4}\u{E0067}\u{E0062}[\u{E0061}-\u{E007A}]{3}\u{E007F}|[\p{Default_Ignorable_Code_Point}\u2028-\u202E\uFFF9-\uFFFB]/gu;

/** A hidden character with what stands before and after it, where it is a part of writing. */
const writing = new RegExp(
  [
    // Families, professions and the like; signs that are drawn as emoji or as letters.
    "[\\p{ExtPict}\\p{EMod}\\uFE0F]\\u200D\\p{ExtPict}|[\\p{Emoji}\\p{S}\\p{P}][\\uFE00-\\uFE0F]",
    // Letters that join or do not, as in Persian and Hindi; places to cut a line, as in Thai; forms of letters. Those that
    // look like Latin ones have none of these.
    "(?![\\p{scx=Latn}\\p{scx=Grek}\\p{scx=Cyrl}\\p{sc=Zinh}\\p{DI}])[\\p{L}\\p{M}](?:[\\u200D\\u180B-\\u180D\\u180F\\uFE00-\\uFE0D\\u{E0100}-\\u{E01EF}]|[\\u200B\\u200C][\\p{L}\\p{M}])",
  ]
    .map((one) => `^(?:${one})`)
    .join("|"),
  "u",
);

function isWriting(found: string, text: string, at: number): boolean {
  if (found.startsWith("\u{1F3F4}")) return true;
  const [before = ""] = /.$/su.exec(text.slice(Math.max(0, at - 2), at)) ?? [];
  const after = text.slice(at + found.length, at + found.length + 2);
  return writing.test(before + found + after);
}
