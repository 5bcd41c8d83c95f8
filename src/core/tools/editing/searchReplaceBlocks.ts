export interface SearchReplaceBlock {
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** The 1-based line that tells which of several equal places is meant. */
  readonly startLine?: number;
}

/** The format of blocks, which every error shows so that the next attempt fits. */
export const blockFormat = `<<<<<<< SEARCH
:start_line:12
-------
exact lines of the file
=======
new lines
>>>>>>> REPLACE`;

/**
 * Reads one or more SEARCH/REPLACE blocks. A line of content that looks like a marker is written
 * with a backslash before it.
 */
export function parseBlocks(
  diff: string,
): { readonly blocks: readonly SearchReplaceBlock[] } | { readonly problem: string } {
  const lines = diff.replace(/\r\n/g, "\n").split("\n");
  const blocks: SearchReplaceBlock[] = [];
  let at = 0;

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
      content.push(line.replace(escapedMarker, "$1"));
    }
    return `Block ${blocks.length + 1} has no ${wanted} line.`;
  };

  for (; at < lines.length;) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || /^\s*```/.test(line)) {
      at++;
      continue;
    }
    if (!searchMarker.test(line)) {
      return {
        problem: `Line ${at + 1} of the diff, ${JSON.stringify(line.slice(0, 80))}, is in no block.`,
      };
    }
    at++;
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
    if (search.every((text) => text === "")) {
      return {
        problem: `Block ${blocks.length + 1} searches for nothing. Give the lines to replace, or use insert_content.`,
      };
    }
    blocks.push({ search, replace, ...(startLine === undefined ? {} : { startLine }) });
  }
  return blocks.length > 0 ? { blocks } : { problem: "The diff has no SEARCH/REPLACE block." };
}

const searchMarker = /^<{7,9} ?SEARCH>?\s*$/;
const marker = /^(?:<{7,9} ?SEARCH>?|={7}|>{7,9} ?REPLACE)\s*$/;
const escapedMarker = /^\\(\\*(?:<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:).*)$/;

function hintOf(line: string | undefined): { name: string; line: number } | undefined {
  const found = /^:(start|end)_line:\s*(\d+)\s*$/.exec(line ?? "");
  return found ? { name: found[1] ?? "", line: Number(found[2]) } : undefined;
}
