import MarkdownIt from "markdown-it";

/**
 * Says what is wrong with the tests that a page names for its promises. Each paragraph and each item of a list ends with a
 * comment, which nobody sees on the page:
 *
 *     Nothing of the folder runs. <!-- held by
 *     "the full title of a test"
 *     "that of another one" -->
 *
 * Below a table stands one comment for all of its rows, whose lines begin with the row's first cell: `cell: "title"`,
 * or `cell: no promise`. `<!-- no promise -->` stands for what promises nothing; in a heading, for all below it that has no
 * comment of its own.
 *
 * @param {string} page Markdown
 * @param {ReadonlySet<string>} titles of all tests
 * @returns {string[]} as `12: what is wrong`, with the line of the page
 */
export function faultsOfPromises(page, titles) {
  const tokens = new MarkdownIt({ html: true }).parse(page, {});
  /** @type {string[]} */
  const faults = [];
  let isExempt = false;
  for (let at = 0; at < tokens.length; at++) {
    const { type, map } = tokens[at];
    const line = (map?.[0] ?? 0) + 1;
    const text = tokens[at + 1]?.content ?? "";
    /** @param {string} fault */
    const tell = (fault) => faults.push(`${line}: ${fault}`);
    /** @param {string} comment */
    const read = (comment) => readComment(comment, titles, tell);

    if (type === "heading_open") isExempt = read(text).isExempt;
    if (type === "html_block" && read(tokens[at].content).cells.length > 0) {
      tell("a comment stands apart from what it is about");
    }
    if (type === "paragraph_open") {
      const { isExempt: isNone, cells } = read(text);
      if (!isExempt && !isNone && cells.length === 0)
        tell(`no test is named for “${beginningOf(text)}”`);
    }
    if (type === "table_open") {
      const end = tokens.findIndex((token, index) => index > at && token.type === "table_close");
      const comment = tokens[end + 1]?.type === "html_block" ? tokens[end + 1].content : "";
      const { isExempt: isNone, cells } = read(comment);
      for (const row of firstCells(tokens.slice(at, end))) {
        if (isExempt || isNone || cells.includes(row)) continue;
        tell(`no test is named for the row “${row}”`);
      }
      at = comment === "" ? end : end + 1;
    }
  }
  return faults;
}

/**
 * @param {string} text what a comment ends
 * @param {ReadonlySet<string>} titles
 * @param {(fault: string) => void} tell
 * @returns {{ isExempt: boolean, cells: string[] }} `cells`: the beginnings of its lines, which are empty but in a table
 */
function readComment(text, titles, tell) {
  const [, content] = /<!--([^]*?)-->\s*$/.exec(text) ?? [];
  if (content?.trim() === "no promise") return { isExempt: true, cells: [] };
  const [head, ...lines] = content?.split("\n") ?? [];
  if (head?.trim() !== "held by") return { isExempt: false, cells: [] };
  // GitHub takes it for no comment, and shows it.
  if (content?.includes("--")) tell("a comment has two hyphens in it");
  const cells = lines.map((line) => {
    const [, cell, title, none] =
      /^\s*(?:([^"\s].*?): )?(?:"(.+)"|(no promise))\s*$/.exec(line) ?? [];
    if (title === undefined && none === undefined) {
      tell(`a line of a comment is no title in quotes: ${line.trim()}`);
    } else if (title !== undefined && !titles.has(title)) tell(`no test has the title “${title}”`);
    return cell ?? "";
  });
  return { isExempt: false, cells };
}

/** Returns the first cell of each row of a table, but for its head. @param {import("markdown-it").Token[]} tokens */
function firstCells(tokens) {
  return tokens.flatMap(({ type }, at) =>
    type === "tr_open" && tokens[at + 1]?.type === "td_open" ? [tokens[at + 2]?.content ?? ""] : [],
  );
}

/** @param {string} text */
function beginningOf(text) {
  return text.split(/\s+/).slice(0, 12).join(" ");
}
