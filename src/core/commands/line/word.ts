/** A double-quoted part of a word. */
interface DoubleQuoted {
  /** The index behind the closing quote. */
  readonly end: number;
  /** The text that it stands for; `$?` and variables are left as they were typed. */
  readonly text: string;
  readonly contains: "nothing else" | "a status" | "variables";
}

/**
 * Reads a double-quoted part of a word; `undefined` if it has more than variables, breaks a line
 * with a backslash, or has no end.
 */
export function readDoubleQuotes(source: string, start: number): DoubleQuoted | undefined {
  let text = "";
  let contains: DoubleQuoted["contains"] = "nothing else";
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '"') return { end: at + 1, text, contains };
    if (character === "`") return undefined;
    if (character === "\\") {
      const next = source.charAt(++at);
      if (next === "\n" || next === "") return undefined;
      text += /[$`"\\]/.test(next) ? next : `\\${next}`;
    } else if (character === "$") {
      const [name] = plainVariable.exec(source.slice(at, at + 80)) ?? [];
      if (name === undefined && !isLoneDollar(source.charAt(at + 1))) return undefined;
      if (name === "$?") contains = contains === "variables" ? contains : "a status";
      else if (name !== undefined) contains = "variables";
      text += name ?? character;
      at += (name ?? character).length - 1;
    } else text += character;
  }
  return undefined;
}

/** Matches a variable whose value is taken as it is, at the beginning of a text. */
export const plainVariable = /^\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[0-9?#@*$!-])/;

/**
 * Returns whether a dollar before this character begins nothing, as at the end of a regular
 * expression.
 */
function isLoneDollar(next: string): boolean {
  return /^[" |)/\\.,:;]$/.test(next);
}

/** A word of a command line as the shell reads it. */
export interface Word {
  /**
   * The shell's reading of the word.
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
      if (quoted === undefined || quoted.contains === "variables") return unknown;
      holdsStatus ||= quoted.contains === "a status";
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
