import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compiled } from "../harness/compiled.mjs";
import { corpusFiles } from "./corpusFiles.mjs";
import { counted } from "./counted.mjs";

const search = /^<{5,9} ?SEARCH/;
const middle = /^={5,9}\s*$/;
const replace = /^>{5,9} ?REPLACE/;

/**
 * The SEARCH/REPLACE blocks in the chat logs of github.com/whimo/aider-swe-bench (Apache-2.0), those
 * without an end left out. The files that they are about are not there, so only their reading is
 * judged: right if it gives the very lines between the markers.
 *
 * @param {string} corpora
 */
export async function writtenBlocks(corpora) {
  const { readDiff } = await compiled("core/tools/editing/readDiff");
  const verdicts = [];
  for (const file of await corpusFiles(join(corpora, "aider-swe-bench/predictions"), ".md")) {
    for (const block of blocksIn((await readFile(file, "utf8")).split("\n"))) {
      verdicts.push(judge(block, readDiff(block.join("\n"))));
    }
  }
  const peers = "before: 97.2 %";
  return verdicts.length === 0
    ? []
    : counted("SEARCH/REPLACE blocks", verdicts, { mostRefused: 10, peers });
}

/** @param {readonly string[]} lines */
function blocksIn(lines) {
  const blocks = [];
  for (const [start, line] of lines.entries()) {
    if (!search.test(line)) continue;
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((one) => replace.test(one) || search.test(one));
    if (end >= 0 && replace.test(rest[end])) blocks.push([line, ...rest.slice(0, end + 1)]);
  }
  return blocks;
}

/** @param {readonly string[]} block */
function judge(block, read) {
  if ("problem" in read) return "refused";
  const at = block.findIndex((line) => middle.test(line));
  const [one, ...others] = read.changes.flatMap(({ blocks }) => blocks);
  const wanted = block.slice(1, at);
  const empty = wanted.every((line) => line === "");
  const expected = [empty ? [] : wanted, block.slice(at + 1, -1)];
  return others.length === 0 &&
    JSON.stringify([one.search, one.replace]) === JSON.stringify(expected)
    ? "right"
    : "wrong";
}
