import MarkdownIt, { type Token } from "markdown-it";
import type { TextLines } from "../../documents/textLines.js";
import type { Block, ListItem } from "./block.js";

// Only blocks are parsed: inline text is left to the modules that know its meaning. Underlined headings are
// disabled, so that a rule is a rule everywhere.
const markdown = new MarkdownIt("zero", { html: true, maxNesting: 60 })
  .enable(["blockquote", "code", "fence", "heading", "hr", "html_block", "list"])
  .disable(["inline", "text_join"]);

/** Returns the top-level blocks of a text from `firstRow` on; linear in its length. */
export function readOutline(lines: TextLines, firstRow: number): Block[] {
  const tokens = markdown.parse(lines.text.slice(lines.rowStart(firstRow)), {});
  return blocksOf(tokens, lines, firstRow);
}

/** Returns the blocks of the library's tokens, which were made from the text from `firstRow` on. */
function blocksOf(tokens: readonly Token[], lines: TextLines, firstRow: number): Block[] {
  const blocks: Block[] = [];
  const open: { row: number; end: number; level: number; lines?: string[]; items: ListItem[] }[] =
    [];
  for (const [index, token] of tokens.entries()) {
    const [from, to] = token.map ?? [0, 0];
    const row = firstRow + from;
    const before = tokens[index - 1]?.type;
    const item = open.at(-1);
    if (token.type === "list_item_open" && isOwn(token.level, open)) {
      open.push({ row, end: firstRow + to, level: token.level, items: [] });
    } else if (token.type === "list_item_close" && item?.level === token.level) {
      open.pop();
      const read = closed(item, lines);
      const parent = open.at(-1);
      if (parent !== undefined) parent.items.push(read);
      else blocks.push(read);
    } else if (token.type === "inline" && item !== undefined) {
      const isFirst = before === "paragraph_open" && token.level === item.level + 2;
      if (isFirst) item.lines ??= row === item.row ? token.content.split("\n") : [];
    } else if (token.type === "inline" && token.level === 1) {
      if (before === "heading_open") {
        const level = Number(tokens[index - 1]?.tag.slice(1));
        blocks.push({ kind: "heading", row, level, text: token.content.trim() });
      } else blocks.push({ kind: "paragraph", row, lines: token.content.split("\n") });
    } else if (token.type === "hr" && token.level === 0) blocks.push({ kind: "rule", row });
  }
  return blocks;
}

/** Returns whether an item belongs to a top-level list, or directly to the open item, and not to a quoted list. */
function isOwn(level: number, open: readonly { readonly level: number }[]): boolean {
  return level === (open.at(-1)?.level ?? -1) + 2;
}

function closed(
  item: { row: number; end: number; lines?: string[]; items: ListItem[] },
  lines: TextLines,
): ListItem {
  let end = item.end;
  while (end > item.row + 1 && lines.isBlank(end - 1)) end--;
  const own = item.lines ?? [];
  const column = lines.row(item.row).trimEnd().length - (own[0]?.trimEnd().length ?? 0);
  return { kind: "item", row: item.row, end, lines: own, column, items: item.items };
}

/** A line that begins with a name and a colon, as in `**Role**: Planner` or `status: Pending`. */
export interface Labelled {
  /** The name in lower case. */
  readonly name: string;
  /** The value, trimmed, and without quotes or marks that enclose all of it. */
  readonly value: string;
  /** The offset after the colon. */
  readonly behind: number;
  /** The offset of {@link value}; if the value is empty, start and end are both the end of the line. */
  readonly start: number;
  readonly end: number;
}

const label = /^(\*\*|__|[*_`])?([\p{L} ]{1,30}?)(?:\s*[:：]\1|\1\s*[:：])/u;
const enclosing = ["**", "*", "`", '"', "'"];

export function readLabelled(line: string): Labelled | undefined {
  const found = label.exec(line);
  const name = found?.[2]?.trim().toLowerCase();
  if (!found || !name) return undefined;
  const behind = found[0].length;
  const trimmed = line.trimEnd();
  let end = Math.max(behind, trimmed.length);
  let start = Math.min(end, end - trimmed.slice(behind).trimStart().length);
  const given = line.slice(start, end);
  const marks = enclosing.find(
    (mark) => given.length > 2 * mark.length && given.startsWith(mark) && given.endsWith(mark),
  );
  // Marks inside belong to parts of the value, as in `**one** and **two**`.
  if (marks !== undefined && !given.slice(marks.length, -marks.length).includes(marks)) {
    start += marks.length;
    end -= marks.length;
  }
  return { name, value: line.slice(start, end).trim(), behind, start, end };
}

/** Returns a text with all white space, line breaks too, as single spaces. */
export function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
