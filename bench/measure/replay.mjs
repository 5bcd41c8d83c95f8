import { fileURLToPath } from "node:url";
import { notMeasured } from "../harness/row.mjs";
import { recordedStreams } from "../replay/recordedStreams.mjs";
import { smallModelHunks } from "../replay/smallModelHunks.mjs";
import { v4aPatches } from "../replay/v4aPatches.mjs";
import { writtenBlocks } from "../replay/writtenBlocks.mjs";

/** A few examples of our own, in the places and the form of the corpora. */
const examples = fileURLToPath(new URL("../../test/fixtures/corpora", import.meta.url));

/**
 * Replays what models have really written: public corpora, of which nothing is kept here. They are
 * read from check-outs of their repositories, under their own names, in the folder that `--corpora`
 * or `ROOROO_CORPORA` names; those that are not there are left out. Without a folder it replays a few examples, which
 * show that it works, and says what it lacks.
 *
 * @param {{ corpora?: string }} options
 */
export async function replay({ corpora }) {
  const rows = [];
  for (const corpus of [v4aPatches, smallModelHunks, writtenBlocks, recordedStreams]) {
    rows.push(...(await corpus(corpora ?? examples)));
  }
  if (corpora) {
    if (rows.length > 0) return rows;
    return [notMeasured("what models have written", `there is no corpus in ${corpora}`)];
  }
  const lacks = "it needs their corpora: --corpora FOLDER, or ROOROO_CORPORA";
  const own = rows.map((one) => ({
    ...one,
    name: `examples: ${one.name.replace(/ \(.*\)$/, "")}`,
  }));
  return [...own, notMeasured("what models have written", lacks)];
}
