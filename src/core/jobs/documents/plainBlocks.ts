import type { TextLines } from "../../documents/textLines.js";
import type { Block, Heading, ListItem } from "./block.js";

const heading = /#{1,6}[ \t]/y;
/** A list's mark and one space before something else. */
const mark = /[-*+] (?=\S)/y;
/**
 * Matches the beginning of a line of plain text: it is not indented, and in no context begins a heading, a quote, HTML,
 * a numbered item, a fence, an item or a rule.
 */
const textAhead = /(?!\s|[#<>]|\d+[.)]|`{3}|~{3}|[-*+](?:\s|$)|([-*_])(?:[ \t]*\1)*[ \t]*$)/my;

/** Deeper lists are not plain. */
const mostDepth = 10;

/**
 * Returns the heading or the item that begins in a row at the top level, if each of its rows can be one thing only:
 * a heading; `-`, `*` or `+` with one space and a text; a further line of a text; or a blank row. A log has tens of
 * thousands of such items, for which a parser of all Markdown takes ten times as long. Returns `undefined` for
 * anything else, and where anything is in doubt.
 */
export function plainBlock(lines: TextLines, row: number): Heading | ListItem | undefined {
  const start = lines.rowStart(row);
  if (standsAt(heading, start, lines)) {
    const [marks = ""] = /^#+/.exec(lines.row(row)) ?? [];
    const text = readable(lines.row(row).slice(marks.length)).trim();
    if (text.endsWith("#")) return undefined;
    return { kind: "heading", row, level: marks.length, text };
  }
  const last = standsAt(mark, start, lines) ? lastRow(lines, row) : undefined;
  if (last === undefined) return undefined;
  return new PlainItem(row, last + 1, lines.text.slice(start, lines.rowEnd(last)));
}

/** Returns whether a row has nothing but spaces and tabs. */
export function isEmpty(lines: TextLines, row: number): boolean {
  const end = lines.rowEnd(row);
  let at = lines.rowStart(row);
  while (at < end && isSpace(lines.text.charCodeAt(at))) at++;
  return at === end;
}

/** Returns whether a row begins a block at the top level, whatever is above it but an open fence or HTML. */
export function beginsBlock(lines: TextLines, row: number): boolean {
  const start = lines.rowStart(row);
  return standsAt(mark, start, lines) || standsAt(heading, start, lines);
}

/** Returns whether the pattern, which is sticky, matches at an offset. */
function standsAt(pattern: RegExp, offset: number, { text }: { readonly text: string }): boolean {
  pattern.lastIndex = offset;
  return pattern.test(text);
}

/** Returns the last row of the item that begins in a row; `undefined` if one of its rows is not plain. */
function lastRow(lines: TextLines, firstRow: number): number | undefined {
  /** The columns at which the texts begin of the items that the next row may belong to. */
  const open: number[] = [];
  let last = firstRow;
  for (let row = firstRow; row < lines.count; row++) {
    if (isEmpty(lines, row)) continue;
    const start = lines.rowStart(row);
    let at = start;
    while (lines.text.charCodeAt(at) === space) at++;
    const column = at - start;
    const isAfterBlank = row > last + 1;
    if (row > firstRow && column < 2 && lines.text.charCodeAt(at) !== tab) {
      // Below a text, what begins no block would be a further line of it.
      if (isAfterBlank || beginsBlock(lines, row)) break;
      return undefined;
    }
    const isItem = standsAt(mark, at, lines);
    // Blanks at the end have rules of their own, and so have tabs.
    const hasBlankEnd = /\s/.test(lines.text.charAt(lines.rowEnd(row) - 1));
    if (hasBlankEnd || !standsAt(textAhead, isItem ? at + 2 : at, lines)) return undefined;
    if (isItem || isAfterBlank) while ((open.at(-1) ?? 0) > column) open.pop();
    const from = open.at(-1) ?? 0;
    // What is indented more is code, or a further line of a text; what is indented less may be such a line.
    if (isItem || isAfterBlank ? column - from > 3 : column < from) return undefined;
    if (isItem && open.push(column + 2) > mostDepth) return undefined;
    last = row;
  }
  return last;
}

const [tab, space] = [9, 32];

function isSpace(code: number): boolean {
  return code === space || code === tab;
}

/** An item whose rows are all plain. What it says is read when somebody asks: of most items, nobody does. */
class PlainItem implements ListItem {
  readonly kind = "item";
  #read: ListItem | undefined;

  /** @param text the item's rows */
  constructor(
    readonly row: number,
    readonly end: number,
    private readonly text: string,
  ) {}

  /** Returns the item as it is where the rows above it are more, by a number of rows. */
  below(rows: number): PlainItem {
    return new PlainItem(this.row + rows, this.end + rows, this.text);
  }

  get lines(): readonly string[] {
    return this.#item.lines;
  }

  get column(): number {
    return this.#item.column;
  }

  get items(): readonly ListItem[] {
    return this.#item.items;
  }

  get #item(): ListItem {
    return (this.#read ??= readItem(this.text, this.row));
  }
}

/** Returns a block as it is where the rows above it are more, by a number of rows. */
export function below(block: Block, rows: number): Block {
  if (rows === 0) return block;
  if (block instanceof PlainItem) return block.below(rows);
  return block.kind === "item" ? itemBelow(block, rows) : { ...block, row: block.row + rows };
}

function itemBelow(item: ListItem, rows: number): ListItem {
  const items = item.items.map((one) => itemBelow(one, rows));
  const { kind, row, end, lines, column } = item;
  return { kind, row: row + rows, end: end + rows, lines, column, items };
}

/** An item that is being read. */
interface OpenItem extends ListItem {
  end: number;
  readonly lines: string[];
  readonly items: OpenItem[];
}

/**
 * Reads a plain item.
 *
 * @param text its rows
 * @param firstRow the row of the first of them in the document
 */
function readItem(text: string, firstRow: number): ListItem {
  /** The items that the next row may belong to, the outermost first. */
  const open: OpenItem[] = [];
  let item: OpenItem | undefined;
  let isAfterBlank = false;
  const rows = readable(text).split(/\r\n?|\n/);
  for (const [index, line] of rows.entries()) {
    const column = line.search(/\S/);
    const row = firstRow + index;
    mark.lastIndex = column;
    const isItem = column >= 0 && mark.test(line);
    if (isItem || isAfterBlank)
      while (column >= 0 && (open.at(-1)?.column ?? 0) > column) open.pop();
    const parent = open.at(-1);
    if (isItem) {
      const [lines, from] = [[line.slice(column + 2)], column + 2];
      const begun: OpenItem = { kind: "item", row, end: row, lines, column: from, items: [] };
      parent?.items.push(begun);
      item ??= begun;
      open.push(begun);
    } else if (column >= 0 && parent !== undefined && parent.row + parent.lines.length === row) {
      parent.lines.push(line.slice(parent.column));
    }
    isAfterBlank = column < 0;
    if (!isAfterBlank) for (const one of open) one.end = row + 1;
  }
  if (item === undefined) throw new Error("there is no item");
  return item;
}

/** Returns a text as a reader of Markdown has it, for which there is no character U+0000. */
function readable(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
