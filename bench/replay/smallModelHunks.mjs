import { readFile, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compiled } from "../harness/compiled.mjs";
import { corpusFiles } from "./corpusFiles.mjs";
import { counted } from "./counted.mjs";
import { judgeHunk } from "./judgeHunk.mjs";

/**
 * The hunks of unified diffs by models of 3 to 7 billion parameters in github.com/trickl/llm-patch
 * (MIT), each by itself: those that change something, and of equal ones for the same file one. Many
 * cannot be applied by anybody: they are about lines that the file does not have. Nobody knows what
 * was meant; `judgeHunk` tells how a result is judged.
 *
 * @param {string} corpora
 */
export async function smallModelHunks(corpora) {
  const { applyBlocks } = await compiled("core/tools/editing/editText");
  const { readDiff } = await compiled("core/tools/editing/readDiff");
  const verdicts = [];
  const seen = new Set();
  for (const file of await corpusFiles(join(corpora, "llm-patch/benchmarks/generated"), ".diff")) {
    const hunks = hunksIn((await readFile(file, "utf8")).split("\n"));
    if (hunks.length === 0) continue;
    const before = await fileBefore(dirname(dirname(file)));
    for (const hunk of hunks) {
      const read = readDiff(hunk.join("\n"));
      if ("problem" in read) continue;
      const blocks = read.changes.flatMap((change) => change.blocks);
      const same = JSON.stringify([before, blocks.map((one) => [one.search, one.replace])]);
      if (seen.has(same)) continue;
      seen.add(same);
      const edited = applyBlocks(before, blocks);
      const wrong = edited.refused > 0 ? undefined : judgeHunk(hunk, before, edited.text);
      if (wrong !== undefined && process.env.REPLAY_SHOW) {
        console.error(`${file}\n${hunk.join("\n")}\n${edited.notes.join("\n")}\n=> ${wrong}\n`);
      }
      verdicts.push(edited.refused > 0 ? "refused" : wrong === undefined ? "right" : "wrong");
    }
  }
  const peers = "before 189; Roo 193, 246 at 0.9; aider 177";
  return verdicts.length === 0
    ? []
    : counted("small models' hunks", verdicts, {
        mostRefused: Math.max(0, verdicts.length - 260),
        peers,
      });
}

/** @param {readonly string[]} lines */
function hunksIn(lines) {
  const hunks = [];
  for (const [at, line] of lines.entries()) {
    const isNextFile = line.startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ ");
    if (line.startsWith("@@")) hunks.push([line]);
    else if (isNextFile) hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  return hunks.filter(([head]) => head?.startsWith("@@"));
}

/** @param {string} folder */
async function fileBefore(folder) {
  const names = await readdir(folder);
  return readFile(
    join(
      folder,
      names.find((name) => name.startsWith("before.")),
    ),
    "utf8",
  );
}
