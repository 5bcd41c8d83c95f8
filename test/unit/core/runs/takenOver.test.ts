import assert from "node:assert/strict";
import { Adoption } from "../../../../src/core/navigator/recovery/adoption.js";
import { Runs } from "../../../../src/core/runs/runs.js";
import { RunStage } from "../../../fakes/runStage.js";

function runsOf(stage: RunStage): Runs {
  const layout = () => Promise.resolve(stage.layout);
  return new Runs({ ...stage.world, layout, say: () => undefined });
}

/** Returns a stage with a run as another installation has left it; `taken` is the record that came along. */
async function cloned(taken?: (own: string) => string) {
  const stage = new RunStage();
  const run = await stage.start("Write a report about bees");
  const record = `.rooroo/runs/${run}.taken.json`;
  const own = stage.files.text(record) ?? "";
  await stage.files.removeFile(record);
  if (taken !== undefined) stage.files.put(record, taken(own));
  return { stage, run, record, runs: runsOf(stage) };
}

async function isForeign(runs: Runs): Promise<boolean | undefined> {
  return (await runs.overview()).runs[0]?.isForeign;
}

describe("a run that came with the folder", () => {
  it("does not go on by itself, and nothing is written, until a person has named it", async () => {
    const { stage, run, runs } = await cloned();
    const before = stage.files.paths;
    assert.equal(await isForeign(runs), true);
    await assert.rejects(runs.drive(run), { code: "runNotTakenOver" });
    assert.deepEqual(stage.files.paths, before);
    assert.equal(stage.model.requests.length, 0);
    await runs.takeOver(run);
    assert.equal(await isForeign(runs), false);
    assert.equal((await runs.drive(run)).status, "waiting");
  });

  it("is not taken over by a record that came along, nor by that of another run", async () => {
    const records = [
      (own: string) => own.replace(/"signature": "[^"]+"/, '"signature": "AAAAAAAAAAAAAAAAAAAAAA"'),
      (own: string) => own.replace("/run-", "/run-x"),
    ];
    for (const record of records) {
      const { run, runs } = await cloned(record);
      await assert.rejects(runs.drive(run), { code: "runNotTakenOver" });
    }
    const { stage, record, runs } = await cloned();
    const other = await stage.start("Write another report");
    stage.files.put(record, stage.files.text(`.rooroo/runs/${other}.taken.json`) ?? "");
    assert.deepEqual(
      (await runs.overview()).runs.map((run) => run.isForeign),
      [false, true],
    );
  });

  it("is a person's own when its agents have worked here, when it is decided on, or when all was adopted", async () => {
    const { stage, run, record, runs } = await cloned();
    await runs.takeOver(run);
    await runs.drive(run);
    await stage.files.removeFile(record);
    assert.equal(await isForeign(runs), false, "as of an earlier version");
    const decided = await cloned();
    await decided.runs.decide(decided.run, { type: "CANCEL" });
    assert.equal(await isForeign(decided.runs), false);
    // As in a folder that was moved.
    const moved = await cloned((own) => own.replace(/,\n {2}"signature": "[^"]+"/, ""));
    assert.equal(await isForeign(moved.runs), true);
    await new Adoption(moved.stage).adopt(undefined);
    assert.equal(await isForeign(moved.runs), false);
  });
});
