import type { TextLines } from "../../documents/textLines.js";
import type { Block, Outline } from "./block.js";
import { beginsBlock, below } from "./plainBlocks.js";

/**
 * The blocks of an earlier outline that can be kept for another text: those in what the two texts have in common at
 * their beginning and at their end. How a block is read depends on nothing above its first row, and on nothing below
 * the first row of the block that follows it.
 */
export class KeptBlocks {
  /** The blocks at the beginning. */
  readonly first: readonly Block[];
  /** The row from which on to read. */
  readonly row: number;
  /** The offset in the new text after which it is the same as the earlier text. */
  readonly #sameFrom: number;
  /** The index of the next of the earlier blocks that could be kept at the end. */
  #next: number;

  constructor(
    private readonly before: Outline,
    private readonly lines: TextLines,
    firstRow: number,
  ) {
    const [earlier, text] = [before.lines.text, lines.text];
    const same = sameStart(earlier, text);
    this.#sameFrom = text.length - sameEnd(earlier, text, same);
    const last = firstRow === before.firstRow ? this.#lastBefore(same) : undefined;
    this.first = before.blocks.slice(0, last ?? 0);
    this.row = before.blocks[last ?? -1]?.row ?? firstRow;
    this.#next = last ?? 0;
  }

  /** Returns the rest of the blocks, if they are the same from a row on that begins a block in the new text. */
  from(row: number): Block[] | undefined {
    const { before, lines } = this;
    // The character before the row is the same, too: it ends a line in both texts.
    if (lines.offset(row) <= this.#sameFrom || !beginsBlock(lines, row)) return undefined;
    const moved = lines.count - before.lines.count;
    const rowOf = (index: number) => before.blocks[index]?.row ?? Infinity;
    while (rowOf(this.#next) < row - moved) this.#next++;
    if (rowOf(this.#next) !== row - moved) return undefined;
    return before.blocks.slice(this.#next).map((block) => below(block, moved));
  }

  /** Returns the index of the last block whose first row lies, with a character more, in the first `same` characters. */
  #lastBefore(same: number): number | undefined {
    const { blocks, lines } = this.before;
    const isIn = ({ row }: Block) => lines.offset(row + 1) < same && beginsBlock(lines, row);
    const last = blocks.findLastIndex(isIn);
    return last < 0 ? undefined : last;
  }
}

/** The number of characters that are compared at once. */
const piece = 4096;

function sameStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at + piece <= most && a.slice(at, at + piece) === b.slice(at, at + piece)) at += piece;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** @param start the number of characters at the beginning that do not count */
function sameEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  const isSame = (from: number, to: number) =>
    a.slice(a.length - to, a.length - from) === b.slice(b.length - to, b.length - from);
  let count = 0;
  while (count + piece <= most && isSame(count, count + piece)) count += piece;
  while (count < most && isSame(count, count + 1)) count++;
  return count;
}
