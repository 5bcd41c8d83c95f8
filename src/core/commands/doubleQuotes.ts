/** A double-quoted part of a word. */
export interface DoubleQuoted {
  /** The index behind the closing quote. */
  readonly end: number;
  /** The text that it stands for; `$?` and variables are left as they were typed. */
  readonly text: string;
  readonly holds: "nothing else" | "a status" | "variables";
}

/**
 * Reads a double-quoted part of a word; `undefined` if it has more than variables, breaks a line
 * with a backslash, or has no end.
 */
export function readDoubleQuotes(source: string, start: number): DoubleQuoted | undefined {
  let text = "";
  let holds: DoubleQuoted["holds"] = "nothing else";
  for (let at = start + 1; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === '"') return { end: at + 1, text, holds };
    if (character === "`") return undefined;
    if (character === "\\") {
      const next = source.charAt(++at);
      if (next === "\n" || next === "") return undefined;
      text += /[$`"\\]/.test(next) ? next : `\\${next}`;
    } else if (character === "$") {
      const [name] = plainVariable.exec(source.slice(at, at + 80)) ?? [];
      if (name === undefined && !isLoneDollar(source.charAt(at + 1))) return undefined;
      if (name === "$?") holds = holds === "variables" ? holds : "a status";
      else if (name !== undefined) holds = "variables";
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
