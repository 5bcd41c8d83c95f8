import { plainVariable, readDoubleQuotes } from "./word.js";

/** A range of characters in a line; the end is exclusive. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

interface PlainRedirect extends Extent {
  /** The operator, as in `2>` or `<`. */
  readonly operator: string;
  readonly target: Extent;
}

/** The operator before a command. */
export type Joint = "" | "|" | "&&" | "||" | ";";

/** A command of a plain line: the places of its words and redirections. */
export interface PlainCommand {
  readonly after: Joint;
  readonly words: readonly Extent[];
  readonly redirects: readonly PlainRedirect[];
}

const reserved = new Set(
  "if then else elif fi for while until do done case esac select function time coproc in { } ! [[ ]]".split(
    " ",
  ),
);

/**
 * Reads a line a second time, independently of its syntax tree and deliberately narrowly: commands,
 * joined by `|`, `&&`, `||`, `;` and line ends, with redirections. Returns `undefined` for
 * everything else. A grammar that is made for coloring text is lenient where a shell is not, so
 * nothing runs without approval unless both readings find the same words.
 */
export function readPlainLine(line: string): PlainCommand[] | undefined {
  if (hasUnseen(line)) return undefined;
  const commands: PlainCommand[] = [];
  let words: Extent[] = [];
  let redirects: PlainRedirect[] = [];
  let after = "" as Joint;
  let at = 0;
  /** Ends the current command; returns `false` where there is none. */
  const endCommand = (joint: Joint): boolean => {
    if (words.length === 0) return false;
    commands.push({ after, words, redirects });
    [words, redirects, after] = [[], [], joint];
    return true;
  };
  while (at < line.length) {
    const two = line.slice(at, at + 2);
    const one = line.charAt(at);
    if (one === " " || one === "\t") at++;
    else if (two === "\\\n") at += 2;
    else if (one === "#") {
      const end = line.indexOf("\n", at);
      at = end < 0 ? line.length : end;
    } else if (one === "\n") {
      if (!endCommand(";") && redirects.length > 0) return undefined;
      at++;
    } else if (two === "&&" || two === "||") {
      if (!endCommand(two)) return undefined;
      at += 2;
    } else if (one === ";" || (one === "|" && two !== "|&")) {
      if (!endCommand(one)) return undefined;
      at++;
    } else {
      const redirect = redirectAt(line, at);
      if (redirect === undefined) return undefined;
      if (redirect !== "none") {
        redirects.push(redirect);
        at = redirect.end;
        continue;
      }
      const end = endOfWord(line, at);
      if (end === undefined || end === at) return undefined;
      const word = line.slice(at, end);
      if (words.length === 0 && reserved.has(word)) return undefined;
      if (isDescriptor(line, at, end)) return undefined;
      words.push({ start: at, end });
      at = end;
    }
  }
  if (endCommand(";")) return commands;
  return redirects.length === 0 && after === ";" ? commands : undefined;
}

/**
 * Returns whether a line has blanks that only some shells take for blanks, or characters that
 * cannot be seen.
 */
export function hasUnseen(line: string): boolean {
  return /[^\n\t\P{C}]|(?! )\p{Z}/u.test(line);
}

/**
 * Reads a redirection; `undefined` for one that is not plain, such as a here-document or one that
 * closes a descriptor.
 */
function redirectAt(line: string, start: number): PlainRedirect | "none" | undefined {
  const [operator] = /^(?:\d?(?:>>|>\||>&|>|<)|&>>?)/.exec(line.slice(start, start + 4)) ?? [];
  if (operator === undefined) return "none";
  let at = start + operator.length;
  if (/[<>&|(]/.test(line.charAt(at))) return undefined;
  while (line.charAt(at) === " " || line.charAt(at) === "\t") at++;
  const end = endOfWord(line, at);
  if (end === undefined || end === at || isDescriptor(line, at, end)) return undefined;
  return { operator, start, end, target: { start: at, end } };
}

/**
 * Returns whether a word is the number or name of a descriptor, which belongs to the redirection
 * behind it.
 */
function isDescriptor(line: string, start: number, end: number): boolean {
  return /^(\d+|\{.*\})$/.test(line.slice(start, end)) && /[<>]/.test(line.charAt(end));
}

/**
 * Returns the end of a word; `undefined` when it has something that is not plain, such as a
 * substitution.
 */
function endOfWord(line: string, start: number): number | undefined {
  let at = start;
  while (at < line.length) {
    const character = line.charAt(at);
    if (/[ \t\n;|&<>]/.test(character)) return at;
    if (/[()`]/.test(character)) return undefined;
    if (character === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) return undefined;
      at = end + 1;
    } else if (character === '"') {
      const quoted = readDoubleQuotes(line, at);
      if (quoted === undefined) return undefined;
      at = quoted.end;
    } else if (character === "\\") {
      if (at + 1 >= line.length || line.charAt(at + 1) === "\n") return undefined;
      at += 2;
    } else if (character === "$") {
      const [name] = plainVariable.exec(line.slice(at, at + 80)) ?? [];
      if (name === undefined) return undefined;
      at += name.length;
    } else at++;
  }
  return at;
}
