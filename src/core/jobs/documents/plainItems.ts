import type { StateBlock } from "markdown-it";
import type { ListItem } from "./listItem.js";

/** The type of the token that {@link plainItem} makes; its `meta` has the {@link ListItem} as `item`. */
export const plainItemToken = "plain_item";

/** What the parser is given for {@link plainItem}, as its environment. */
export interface PlainItemsRead {
  /** The document's row of the parser's first line. */
  readonly firstRow: number;
  /** The line before which only the library's own rules read. */
  libraryUntil: number;
}

/** An item that is being read. */
interface OpenItem extends ListItem {
  end: number;
  readonly lines: string[];
  readonly items: OpenItem[];
}

/** Deeper lists are left to the library's rules. */
const mostDepth = 10;

/**
 * A rule for the library's parser. It reads an item at a document's top level, with all that it contains, if each
 * of its rows can be one thing only: `-`, `*` or `+` with one space and a text, a further line of a text, or a
 * blank row. A log has tens of thousands of such items, for which the library's own rules take ten times as long.
 * An item with any other row is left to them.
 */
export function plainItem(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const env = state.env as unknown as PlainItemsRead;
  if (silent || state.level > 0 || startLine < env.libraryUntil) return false;
  if (columnOf(state, startLine) !== 0 || !isMarked(state, startLine)) return false;
  const read = readItem(state, startLine, endLine, env.firstRow);
  if (read !== undefined) {
    const token = state.push(plainItemToken, "", 0);
    token.map = [startLine, read.next];
    token.meta = { item: read.item };
    state.line = read.next;
    return true;
  }
  const next = nextBlock(state, startLine, endLine);
  if (next === undefined) return false;
  // Without this limit, the library's rule would read all plain items that follow in the list, too.
  env.libraryUntil = next;
  state.md.block.tokenize(state, startLine, next);
  return true;
}

/**
 * Reads the item that begins in a line.
 *
 * @returns the item and the line after it, or `undefined` if one of its rows is not plain
 */
function readItem(
  state: StateBlock,
  startLine: number,
  endLine: number,
  firstRow: number,
): { readonly item: ListItem; readonly next: number } | undefined {
  /** The items that the next row may belong to, the outermost first. */
  const open: OpenItem[] = [];
  let item: OpenItem | undefined;
  let isAfterBlank = false;
  let line = startLine;
  for (; line < endLine; line++) {
    if (state.isEmpty(line)) {
      isAfterBlank = true;
      continue;
    }
    const column = columnOf(state, line);
    if (item !== undefined && column < item.column) {
      // Below a text, what begins no block would be a further line of it.
      if (isAfterBlank || beginsBlock(state, line)) break;
      return undefined;
    }
    const isItem = isMarked(state, line);
    if (!isPlain(state, line, isItem)) return undefined;
    if (isItem || isAfterBlank) while ((open.at(-1)?.column ?? 0) > column) open.pop();
    const parent = open.at(-1);
    const from = parent?.column ?? 0;
    if (isItem) {
      // More would be code, or a further line of a text.
      if (column - from > 3 || open.length === mostDepth) return undefined;
      const lines = [rowFrom(state, line, column + 2)];
      const row = firstRow + line;
      const begun: OpenItem = {
        kind: "item",
        row,
        end: row + 1,
        lines,
        column: column + 2,
        items: [],
      };
      parent?.items.push(begun);
      item ??= begun;
      open.push(begun);
    } else if (isAfterBlank) {
      if (column - from > 3) return undefined;
    } else if (column < from) return undefined;
    else if (isNext(parent, firstRow + line)) parent.lines.push(rowFrom(state, line, from));
    for (const one of open) one.end = firstRow + line + 1;
    isAfterBlank = false;
  }
  return item && { item, next: line };
}

/** Whether a row follows the item's first paragraph as a further line. */
function isNext(item: OpenItem | undefined, row: number): item is OpenItem {
  return item !== undefined && item.row + item.lines.length === row;
}

/** Returns the line of the next block after an item that is not plain; `undefined` if it is not certain. */
function nextBlock(state: StateBlock, startLine: number, endLine: number): number | undefined {
  for (let line = startLine + 1; line < endLine; line++) {
    // Rows that are indented, fences and comments among them, end with the item.
    if (state.isEmpty(line) || columnOf(state, line) >= 2) continue;
    return beginsBlock(state, line) ? line : undefined;
  }
  return undefined;
}

/** Whether a line ends whatever an item contains, and begins an item or a heading at the top level. */
function beginsBlock(state: StateBlock, line: number): boolean {
  if (columnOf(state, line) !== 0) return false;
  return isMarked(state, line) || standsAt(heading, textStart(state, line), state);
}

const heading = /#{1,6}[ \t]/y;
/** A list's mark and one space before something else. */
const mark = /[-*+] (?=\S)/y;
/**
 * What is neither indented, nor begins a heading, a quote, HTML, a numbered item, a fence, an item or a rule. What
 * might be one of these in some place is none of this, either.
 */
const textAhead = /(?!\s|[#<>]|\d+[.)]|`{3}|~{3}|[-*+](?:\s|$)|([-*_])(?:[ \t]*\1)*[ \t]*$)/my;

/** Whether the pattern, which is sticky, matches at an offset. */
function standsAt(pattern: RegExp, offset: number, { src }: StateBlock): boolean {
  pattern.lastIndex = offset;
  return pattern.test(src);
}

function isMarked(state: StateBlock, line: number): boolean {
  return standsAt(mark, textStart(state, line), state);
}

/** Whether a line that is not blank, behind its mark if it is an item, can only be a text. */
function isPlain(state: StateBlock, line: number, isItem: boolean): boolean {
  // Tabs, and spaces at the end, have rules of their own.
  if (state.tShift[line] !== columnOf(state, line)) return false;
  if (/\s/.test(state.src.charAt((state.eMarks[line] ?? 0) - 1))) return false;
  return standsAt(textAhead, textStart(state, line) + (isItem ? 2 : 0), state);
}

/** Returns the column at which a line's text begins; a tab counts as up to four columns. */
function columnOf(state: StateBlock, line: number): number {
  return state.sCount[line] ?? 0;
}

/** Returns the offset at which a line's text begins. */
function textStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
}

function rowFrom(state: StateBlock, line: number, column: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + column, state.eMarks[line]);
}
