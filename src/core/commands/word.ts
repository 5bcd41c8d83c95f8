import { readDoubleQuotes } from "./doubleQuotes.js";

/** What the shell makes of one word of a command line. */
export interface Word {
  /**
   * How the shell reads the word.
   *
   * - `literal`: exactly `text`, quotes and escapes taken away.
   * - `pattern`: the names of files that fit `text`, or `text` itself where none does.
   * - `status`: holds `$?` and is literal otherwise, so that only a number in it is unknown.
   * - `unknown`: cannot be known before the command runs; `text` is as it was typed.
   */
  readonly kind: "literal" | "pattern" | "status" | "unknown";
  readonly text: string;
}

/**
 * Reads one word as bash and POSIX shells both do. If they do not agree, or if the word depends on
 * anything but itself, it is `unknown`.
 *
 * @param source the word as it was typed
 */
export function readWord(source: string): Word {
  const unknown: Word = { kind: "unknown", text: source };
  if (hasBraceExpansion(source) || hasHome(source)) return unknown;
  let text = "";
  let isPattern = false;
  let quotesWildcard = false as boolean;
  let holdsStatus = false as boolean;
  const literally = (characters: string): void => {
    text += characters;
    quotesWildcard ||= /[*?[\\]/.test(characters);
  };
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === "'") {
      const end = source.indexOf("'", at + 1);
      if (end < 0) return unknown;
      literally(source.slice(at + 1, end));
      at = end;
    } else if (character === '"') {
      const quoted = readDoubleQuotes(source, at);
      if (quoted === undefined || quoted.holds === "variables") return unknown;
      holdsStatus ||= quoted.holds === "a status";
      literally(quoted.text);
      at = quoted.end - 1;
    } else if (character === "\\") {
      const next = source.charAt(++at);
      if (next === "" || next === "\n") return unknown;
      literally(next);
    } else if (character === "$" && source.charAt(at + 1) === "?") {
      holdsStatus = true;
      text += "$?";
      at++;
    } else if (character === "[" && source.includes("]", at)) {
      return unknown;
    } else if (/[$`<>()|&;\s]/.test(character)) {
      return unknown;
    } else {
      isPattern ||= character === "*" || character === "?";
      text += character;
    }
  }
  if (holdsStatus) return isPattern ? unknown : { kind: "status", text };
  if (!isPattern) return { kind: "literal", text };
  return quotesWildcard ? unknown : { kind: "pattern", text };
}

/** Returns whether a word has braces that may stand for several words; `{}` and `@{1}` do not. */
function hasBraceExpansion(source: string): boolean {
  const bare = source.replace(/\\.|'[^']*'|"(?:[^"\\]|\\.)*"/gs, "_");
  return /[{}]/.test(bare.replace(/(?<!\$)\{[^{},.$]*\}/g, ""));
}

/**
 * Returns whether a word has a `~` for a home folder, which bash also replaces behind `=` and `:`.
 */
function hasHome(source: string): boolean {
  return /(^|[=:])~/.test(source);
}
