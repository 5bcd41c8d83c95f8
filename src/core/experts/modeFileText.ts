import { type Document, LineCounter, parseDocument } from "yaml";

/** A mode file as the YAML library reads it, with the places of its text as it is in the file. */
export interface ModeFileText {
  readonly document: Document;
  /** Returns the 1-based line and column of an offset in what was parsed. */
  readonly placeOf: (offset: number) => { readonly line: number; readonly column: number };
}

/** The numbers of spaces that a tab may stand for. */
const widths = [2, 4, 8];

/**
 * Parses a mode file. Two things that people write are read as well, although YAML has neither: comments in JSON, and tabs
 * that indent, if the file means the same whatever their width is. The caller has made sure that it may be parsed.
 */
export function parseModeFileText(text: string): ModeFileText {
  const bare = withoutJsonComments(text);
  const plain = parsed(bare);
  if (!plain.document.errors.some(({ code }) => code === "TAB_AS_INDENT")) return plain;
  const indents = bare.split("\n").map((line) => /^[ \t]*/.exec(line)?.[0] ?? "");
  // Behind a space, a tab reaches to the next stop: how far that is depends on the editor.
  if (indents.some((indent) => indent.includes(" \t"))) return plain;
  const tries = widths
    .map((width) => parsed(withSpaces(bare, width), { indents, width }))
    .filter(({ document }) => document.errors.length === 0);
  const [first] = tries;
  const meanings = new Set(tries.map(({ document }) => meaningOf(document)));
  return first !== undefined && meanings.size === 1 && !meanings.has(undefined) ? first : plain;
}

function parsed(
  text: string,
  tabs?: { readonly indents: readonly string[]; readonly width: number },
): ModeFileText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: "silent" });
  return {
    document,
    placeOf: (offset) => {
      const { line, col } = lines.linePos(offset);
      if (tabs === undefined) return { line, column: col };
      const count = tabs.indents[line - 1]?.split("\t").length ?? 1;
      return { line, column: Math.max(1, col - (count - 1) * (tabs.width - 1)) };
    },
  };
}

function withSpaces(text: string, width: number): string {
  return text.replace(/^\t+/gm, (tabs) => " ".repeat(width * tabs.length));
}

/** Returns what a document says, without the white space in its texts; `undefined` if that cannot be told. */
function meaningOf(document: Document): string | undefined {
  try {
    return JSON.stringify(document.toJS()).replace(/(?:\\n| )+/g, " ");
  } catch {
    return undefined;
  }
}

/** Returns JSON with spaces in place of comments, so that all else stays where it is; other text as it is. */
function withoutJsonComments(text: string): string {
  const part = /"(?:[^"\\\n]|\\.)*"?|\/\/[^\r\n]*|\/\*[^]*?(?:\*\/|$)/g;
  const bare = text.replace(part, (one) =>
    one.startsWith('"') ? one : one.replace(/[^\r\n]/g, " "),
  );
  return /^\s*\{\s*["}]/.test(bare) ? bare : text;
}
