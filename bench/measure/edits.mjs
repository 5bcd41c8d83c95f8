import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { timed } from "../harness/timed.mjs";

const lines = 20_000;
const blocks = 50;

/**
 * Looking where the blocks of a diff fit in a long file and making the new text, as written by a
 * model that does it right, by one that has every indentation wrong, and by one whose blocks are all
 * not there and get told what comes closest.
 *
 * @param {{ quick: boolean }} options
 */
export async function edits({ quick }) {
  const { applyBlocks } = await compiled("core/tools/editing/editText");
  const text = Array.from({ length: lines }, (_, n) => line(n)).join("");
  /** @type {Record<string, (text: string) => string>} */
  const ways = {
    right: (one) => one,
    "indentation wrong": (one) => one.slice(2),
    "not there": (one) => `${one} // no`,
  };
  const rows = [];
  for (const [name, way] of Object.entries(ways)) {
    const diff = Array.from({ length: blocks }, (_, n) => block(n * (lines / blocks) + 7, way));
    const { refused } = applyBlocks(text, diff);
    if (refused > 0 !== (name === "not there"))
      throw new Error(`${refused} of ${name} are refused`);
    const took = [];
    for (let run = 0; run < (quick ? 2 : 25); run++) {
      took.push(await timed(() => applyBlocks(text, diff)));
    }
    const title = `${blocks} blocks, ${lines.toLocaleString("en")} lines, ${name}`;
    rows.push(row(title, median(took), "ms", name === "not there" ? 200 : 100));
  }
  return rows;
}

/** @param {number} n */
function line(n) {
  return n % 5 === 4 ? "  }\n" : `    amount[${n}] = rate(${n}) * cents(order, ${n % 97});\n`;
}

/** @param {number} at @param {(text: string) => string} way */
function block(at, way) {
  const search = [0, 1, 2].map((n) => way(line(at + n).trimEnd()));
  return { search, replace: [...search.slice(0, 1), way("    changed();"), ...search.slice(2)] };
}
