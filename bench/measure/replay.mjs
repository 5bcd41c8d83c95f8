import { recordedStreams } from "../replay/recordedStreams.mjs";
import { smallModelHunks } from "../replay/smallModelHunks.mjs";
import { v4aPatches } from "../replay/v4aPatches.mjs";
import { writtenBlocks } from "../replay/writtenBlocks.mjs";

/**
 * Replays what models have really written: public corpora, of which nothing is kept here. They are
 * read from check-outs of their repositories, under their own names, in the folder that `--corpora`
 * or `ROOROO_CORPORA` names; those that are not there are left out.
 *
 * @param {{ corpora?: string }} options
 */
export async function replay({ corpora }) {
  if (!corpora) {
    throw new Error("there are no corpora; --corpora FOLDER or ROOROO_CORPORA says where they are");
  }
  const rows = [];
  for (const corpus of [v4aPatches, smallModelHunks, writtenBlocks, recordedStreams]) {
    rows.push(...(await corpus(corpora)));
  }
  if (rows.length === 0) throw new Error(`there is no corpus in ${corpora}`);
  return rows;
}
