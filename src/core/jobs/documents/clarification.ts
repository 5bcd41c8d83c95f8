import type { TextLines } from "../../documents/textLines.js";
import type { Block } from "./block.js";
import { oneLine, readLabelled } from "./outline.js";

/** A question to the user, at the end of a job file (R-JIXO-25). */
export interface Clarification {
  readonly id: string;
  readonly question: string;
  /** The user's answer; `undefined` while there is nothing but comments. */
  readonly answer: string | undefined;
  /** The row of the answer's label, 0-based. */
  readonly answerRow: number;
  /** The first row of the whole block, 0-based. */
  readonly row: number;
  /** The row after the block's last, 0-based. */
  readonly end: number;
}

/**
 * A question to add, in the job's own language. The block's labels are anchors, and the same in all
 * languages.
 */
export interface NewClarification {
  /** Unique among the blocks of the file. */
  readonly id: string;
  /** The reason for the question, on one line. */
  readonly toUser: string;
  readonly question: string;
  /** The comment that marks the place of the answer. */
  readonly placeholder: string;
}

/** Reads the blocks in the order of the document. Their labels may have been translated. */
export function readClarifications(blocks: readonly Block[], lines: TextLines): Clarification[] {
  return blocks.flatMap((block, index) =>
    isHeading(block) ? (readBlock(index, blocks, lines) ?? []) : [],
  );
}

/** Returns the lines of a block, to be added at the very end of the file. */
export function clarificationLines(asked: NewClarification): string[] {
  const [first = "", ...more] = asked.question.trim().split(/\r\n?|\n/);
  return [
    "",
    "---",
    "### JIXO: CLARIFICATION REQUEST",
    `**ID**: ${oneLine(asked.id)}`,
    `**To User**: ${oneLine(asked.toUser)}`,
    "",
    "**Question**:",
    `- ${first}`,
    ...more.map((line) => (line.trim() === "" ? "" : `  ${line}`)),
    "",
    "**Response**:",
    `- <!-- ${oneLine(asked.placeholder).replaceAll("--", "—")} -->`,
    "---",
  ];
}

function isHeading(block: Block): block is Block & { kind: "heading" } {
  return block.kind === "heading" && /^JIXO\s*[:：]/i.test(block.text);
}

/** Returns `undefined` if no label marks the place of the answer: then the heading is an ordinary one. */
function readBlock(
  index: number,
  blocks: readonly Block[],
  lines: TextLines,
): Clarification | undefined {
  const heading = blocks[index]?.row ?? 0;
  const rule = blocks[index - 1];
  const isRuled = rule?.kind === "rule" && isGap(rule.row + 1, heading, lines);
  const top = isRuled ? rule.row : heading;
  const row = top > 0 && lines.isBlank(top - 1) ? top - 1 : top;
  const labels: { name: string; value: string; row: number }[] = [];
  const response = () => labels.find(({ name }) => name === "response") ?? labels[3];
  let end = lines.count;
  // The block ends with its rule, or where other content begins, so that no other text is removed with it.
  for (let at = index + 1; at < blocks.length; at++) {
    const block = blocks[at];
    const next = blocks[at + 1];
    const isOver = block?.kind === "heading" && (block.level <= 3 || isHeading(block));
    const isNext = block?.kind === "rule" && next !== undefined && isHeading(next);
    if (block?.kind === "rule" && !isNext && response() !== undefined) {
      end = block.row + 1;
      break;
    }
    if (block && (isOver || isNext)) {
      end = block.row;
      while (lines.isBlank(end - 1)) end--;
      break;
    }
    if (block?.kind !== "paragraph") continue;
    for (const [offset, line] of block.lines.entries()) {
      const found = line.startsWith("**") ? readLabelled(line) : undefined;
      if (found) labels.push({ ...found, row: block.row + offset });
    }
  }
  const asked = response();
  if (asked === undefined) return undefined;
  const question =
    labels.find(({ name }) => name === "question") ?? labels[labels.indexOf(asked) - 1];
  const id = labels.find(({ name }) => name === "id") ?? labels[0];
  const answer = textOf(asked.row, end, lines);
  return {
    id: id?.value ?? "",
    question: question === undefined ? "" : textOf(question.row, asked.row, lines),
    answer: answer === "" ? undefined : answer,
    answerRow: asked.row,
    row,
    end,
  };
}

function isGap(from: number, to: number, lines: TextLines): boolean {
  for (let row = from; row < to; row++) if (!lines.isBlank(row)) return false;
  return true;
}

/** Returns the text after a label, without comments, the closing rule, and empty list items. */
function textOf(labelRow: number, end: number, lines: TextLines): string {
  const rows = Array.from({ length: end - labelRow }, (_, index) => lines.row(labelRow + index));
  const label = readLabelled(rows[0] ?? "");
  rows[0] = (rows[0] ?? "").slice(label?.behind ?? 0);
  if (/^\s{0,3}([-*_])(\s*\1){2,}\s*$/.test(rows.at(-1) ?? "")) rows.pop();
  return withoutComments(rows.join("\n"))
    .replace(/^[ \t]*[-*+][ \t]*$/gm, "")
    .trim()
    .replace(/^[-*+]\s+/, "")
    .replace(/\n {2}/g, "\n");
}

function withoutComments(text: string): string {
  let rest = "";
  for (let at = 0; ;) {
    const open = text.indexOf("<!--", at);
    if (open < 0) return rest + text.slice(at);
    rest += text.slice(at, open);
    const close = text.indexOf("-->", open);
    // An unclosed comment hides the rest, as it does in rendered Markdown.
    if (close < 0) return rest;
    at = close + 3;
  }
}
