import assert from "node:assert/strict";
import { ChangeStore } from "../../../../src/core/changes/changeStore.js";
import { changeSummary, readChanges } from "../../../../src/core/changes/changeSummary.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import { ChangesStage } from "./changesStage.js";

const taskId = "ROO#TASK_1";

/** Returns the summary of a task that creates files with these names, each of two lines. */
async function summaryOf(names: readonly string[]) {
  const stage = new ChangesStage();
  await stage.script(taskId, async (files) => {
    for (const name of names) await files.replaceFile(name, "one\ntwo\n");
  });
  const { files, clock } = stage;
  return changeSummary(new ChangeStore(files, clock, new PlainSigner(), `.rooroo/tasks/${taskId}`));
}

describe("the summary of changes", () => {
  it("is read as it is written, with all names if it has them all", async () => {
    const many = Array.from({ length: 12 }, (_, at) => `src/${String(at).padStart(2, "0")}.ts`);
    for (const names of [["a.md"], ["a.md", "src/b b.ts"], many.slice(0, 10)]) {
      const { text, files } = await summaryOf(names);
      assert.deepEqual(readChanges(text), {
        files,
        added: 2 * names.length,
        removed: 0,
        names,
      });
    }
    const { text } = await summaryOf(many);
    assert.deepEqual(readChanges(text), { files: 12, added: 24, removed: 0, names: undefined });
  });

  it("names no files where one name could be two, or is cut", async () => {
    for (const name of ["a, b.md", `${"long/".repeat(60)}x.md`]) {
      const read = readChanges((await summaryOf([name, "c.md"])).text);
      assert.deepEqual([read?.files, read?.names], [2, undefined]);
    }
  });

  it("is nothing else", async () => {
    assert.deepEqual([(await summaryOf([])).text, readChanges("")], ["", undefined]);
    for (const text of ["some files", "2 files", "2 files (+1 -1): a, b", "x 2 files (+1 −1): a"]) {
      assert.equal(readChanges(text), undefined, text);
    }
  });
});
