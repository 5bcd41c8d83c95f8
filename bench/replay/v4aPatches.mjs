import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compiled } from "../harness/compiled.mjs";
import { corpusFiles } from "./corpusFiles.mjs";
import { counted } from "./counted.mjs";

/**
 * The applyPatch corpus of github.com/microsoft/vscode-copilot-chat (MIT): patches of the form that
 * begins with `*** Begin Patch`, each with the file before and after. A result is right if it is the
 * expected file to the byte, and refused if any of its hunks is.
 *
 * @param {string} corpora
 */
export async function v4aPatches(corpora) {
  const { applyBlocks } = await compiled("core/tools/editing/editText");
  const { readDiff } = await compiled("core/tools/editing/readDiff");
  const folder = join(
    corpora,
    "vscode-copilot-chat/src/extension/tools/test/node/applyPatch/corpus",
  );
  const verdicts = [];
  for (const file of await corpusFiles(folder, ".patch")) {
    const { patch, original, expected } = JSON.parse(await readFile(file, "utf8"));
    const read = readDiff(patch);
    const edited =
      "changes" in read
        ? applyBlocks(
            original,
            read.changes.flatMap(({ blocks }) => blocks),
          )
        : { refused: 1 };
    verdicts.push(edited.refused > 0 ? "refused" : edited.text === expected ? "right" : "wrong");
  }
  const peers = "Copilot's own 50; as blocks, Roo 37 and 13 wrong, aider 37 and 1 wrong";
  return verdicts.length === 0 ? [] : counted("V4A patches", verdicts, { mostRefused: 2, peers });
}
