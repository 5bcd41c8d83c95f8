import type { EditBlock } from "./editBlock.js";
import { isFence } from "./fence.js";
import type { ReadDiff } from "./fileChanges.js";

/** The format of blocks, which every error shows so that the next attempt fits. */
export const blockFormat = `<<<<<<< SEARCH
:start_line:12
-------
exact lines of the file
=======
new lines
>>>>>>> REPLACE`;

/** Returns whether a SEARCH/REPLACE block starts at a line. */
export function isBlocksStart(lines: readonly string[], at: number): boolean {
  return searchMarker.test(lines[at] ?? "");
}

/**
 * Reads one or more SEARCH/REPLACE blocks. A line of content that looks like a marker is written
 * with a backslash before it. Between blocks there may be fences, and a file's name before the
 * blocks that are about it.
 */
export function readBlocks(lines: readonly string[]): ReadDiff {
  const changes: { names: readonly string[]; blocks: EditBlock[] }[] = [];
  let count = 0;
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? "";
    const name = isFence(line) || marker.test(line) ? undefined : nameIn(line);
    if (searchMarker.test(line)) {
      count++;
      const read = readBlock(lines, at, count);
      if ("problem" in read) return read;
      if (changes.length === 0) changes.push({ names: [], blocks: [] });
      changes.at(-1)?.blocks.push(read.block);
      at = read.next;
    } else {
      if (name !== undefined) changes.push({ names: [name], blocks: [] });
      else if (line.trim() !== "" && !isFence(line)) {
        return {
          problem: `Line ${at + 1} of the diff, ${JSON.stringify(line.slice(0, 80))}, is in no block.`,
        };
      }
      at++;
    }
  }
  return { changes: changes.filter(({ blocks }) => blocks.length > 0) };
}

/** Returns the file's name on a line of its own, as in `src/cart.js` and `**File: src/cart.js**`. */
function nameIn(line: string): string | undefined {
  const bare = line.replace(/^(?:[\s#>*`"']|\/\/)*(?:(?:file|path)(?:name)?:)?[\s*`"']*/i, "");
  return /^((?:[A-Za-z]:)?[\w@.~+()[\]\\/-]*\w)[\s*`"':]*$/.exec(bare)?.[1];
}

function readBlock(
  lines: readonly string[],
  from: number,
  number: number,
): { readonly block: EditBlock; readonly next: number } | { readonly problem: string } {
  let at = from + 1;

  /**
   * Returns the lines up to the one that matches `ends`, or a problem if another marker comes
   * first.
   */
  const contentUntil = (ends: RegExp, wanted: string): string[] | string => {
    const content: string[] = [];
    for (; at < lines.length; at++) {
      const line = lines[at] ?? "";
      if (ends.test(line)) {
        at++;
        return content;
      }
      if (marker.test(line)) {
        return `Line ${at + 1} of the diff is ${JSON.stringify(line)} where ${wanted} was expected. Write a line of content that looks like a marker with a backslash before it.`;
      }
      content.push(line);
    }
    return `Block ${number} has no ${wanted} line.`;
  };

  let startLine: number | undefined;
  for (let hint = hintOf(lines[at]); hint; hint = hintOf(lines[at])) {
    if (hint.name === "start" && hint.line > 0) startLine = hint.line;
    at++;
  }
  if (/^-{7}\s*$/.test(lines[at] ?? "")) at++;

  const search = contentUntil(/^={7}\s*$/, "=======");
  if (typeof search === "string") return { problem: search };
  const replace = contentUntil(/^>{7,9} ?REPLACE\s*$/, ">>>>>>> REPLACE");
  if (typeof replace === "string") return { problem: replace };
  const misplaced = replace.find((line) => hintOf(line) !== undefined);
  if (misplaced !== undefined) {
    return {
      problem: `Block ${number} has ${misplaced.trim()} among its new lines; it belongs under <<<<<<< SEARCH. If it is content, write it with a backslash before it.`,
    };
  }
  const isEmpty = search.every((line) => line === "");
  const content = (all: readonly string[]) => all.map((line) => line.replace(escapedMarker, "$1"));
  const block = { search: isEmpty ? [] : content(search), replace: content(replace) };
  return { block: startLine === undefined ? block : { ...block, startLine }, next: at };
}

const searchMarker = /^<{7,9} ?SEARCH>?\s*$/;
const marker = /^(?:<{7,9} ?SEARCH>?|={7}|>{7,9} ?REPLACE)\s*$/;
const escapedMarker = /^\\(\\*(?:<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:).*)$/;

function hintOf(line: string | undefined): { name: string; line: number } | undefined {
  const found = /^:(start|end)_line:\s*(\d+)\s*$/.exec(line ?? "");
  return found ? { name: found[1] ?? "", line: Number(found[2]) } : undefined;
}
