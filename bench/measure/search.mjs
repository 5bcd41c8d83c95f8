import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";

const folders = 250;
const words = "alpha beta gamma delta function return const value index file path error".split(" ");

/**
 * Measures how long the search without ripgrep takes for all files of a large workspace, beside listing them.
 *
 * @param {{ quick: boolean }} options
 */
export async function search({ quick }) {
  const { WalkSearch } = await compiled("node/search/walkSearch");
  const inFolder = quick ? 4 : 200;
  const root = await scratch();
  await createFiles(root, inFolder);
  const own = new WalkSearch(root);
  const { signal } = new AbortController();
  const searching = [];
  const listing = [];
  for (let run = 0; run < 3; run++) {
    let startedAt = performance.now();
    const found = await own.matches({ path: "", regex: "needle\\d+", limit: 200 }, signal);
    searching.push(performance.now() - startedAt);
    if (found.matches.length === 0) throw new Error("nothing was found");
    startedAt = performance.now();
    await own.files({ path: "", recursive: true, limit: Infinity }, signal);
    listing.push(performance.now() - startedAt);
  }
  return [
    row("files searched without ripgrep", folders * inFolder, "files"),
    row("that takes", median(searching), "ms", quick ? null : 5000),
    row("listing them", median(listing), "ms"),
  ];
}

/** Creates files of 10 to 120 lines, one of a thousand with a match. */
async function createFiles(root, inFolder) {
  for (let folder = 0; folder < folders; folder++) {
    const path = join(root, `package${Math.floor(folder / 25)}`, `module${folder}`);
    await mkdir(path, { recursive: true });
    await Promise.all(
      Array.from({ length: inFolder }, (_, file) => {
        const number = folder * inFolder + file;
        const line = words.map((_word, at) => words[(at * number + at) % words.length]).join(" ");
        const text = `${line}\n`.repeat(10 + (number % 111));
        const end = number % 1000 === 0 ? `needle${number}\n` : "";
        return writeFile(join(path, `f${file}.ts`), text + end);
      }),
    );
  }
}
