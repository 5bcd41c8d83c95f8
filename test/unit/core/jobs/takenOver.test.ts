import assert from "node:assert/strict";
import { answerJob } from "../../../../src/core/jobs/answerJob.js";
import { askInJobFile, readJobFile } from "../../../../src/core/jobs/documents/jobFile.js";
import { jobNamed, newJobFile } from "../../../../src/core/jobs/documents/jobFolder.js";
import { takeableJob } from "../../../../src/core/jobs/documents/takenOver.js";
import { Adoption } from "../../../../src/core/navigator/recovery/adoption.js";
import { isTakenOver } from "../../../../src/core/work/takenOver.js";
import { JobStage } from "../../../fakes/jobStage.js";

const goal = "Plan a trip.\n";
function question(id: string): string {
  const asked = { id, toUser: "you", question: "Sea or hills?", placeholder: "Answer here" };
  return askInJobFile(readJobFile(goal), asked).lines.text;
}

async function taken(stage: JobStage, name = "trip"): Promise<boolean> {
  return isTakenOver(takeableJob(await jobNamed(name, stage.files)), stage);
}

describe("a job's file that came with the folder", () => {
  it("does not run by itself, and nothing is written, until a person has run it by name", async () => {
    const stage = new JobStage([], { ".jixo/trip.job.md": goal });
    const before = stage.files.paths;
    await assert.rejects(stage.run({ startedBy: "itself" }), { code: "jobNotTakenOver" });
    assert.deepEqual(stage.files.paths, before);
    assert.equal(stage.model.requests.length, 0);
    await stage.run({ most: 0 });
    assert.ok(await taken(stage));
    assert.equal((await stage.run({ startedBy: "itself", most: 0 })).code, 2);
  });

  it("is not taken over by a record that came along, nor by that of another job", async () => {
    for (const record of [
      '{ "job": ".jixo/trip.job.md" }',
      '{ "job": ".jixo/trip.job.md", "signature": "AAAAAAAAAAAAAAAAAAAAAA" }',
    ]) {
      const stage = new JobStage([], {
        ".jixo/trip.job.md": goal,
        ".rooroo/jobs/trip/taken.json": record,
      });
      await assert.rejects(stage.run({ startedBy: "itself" }), { code: "jobNotTakenOver" });
    }
    const stage = new JobStage([], { ".jixo/trip.job.md": goal, ".jixo/other.job.md": goal });
    await stage.run({ most: 0, name: "other" });
    assert.equal(await taken(stage), false);
    const path = ".rooroo/jobs/other/taken.json";
    stage.files.put(".rooroo/jobs/trip/taken.json", stage.files.text(path) ?? "");
    assert.equal(await taken(stage), false);
  });

  it("is a person's own when it was created here, or when all that came along was adopted", async () => {
    const stage = new JobStage([], {});
    const { files, signer, lock, clock } = stage;
    await newJobFile(files, signer, { name: "trip", goal, dirs: [] });
    assert.ok(await taken(stage));
    // As in a folder that was moved.
    files.put(".rooroo/jobs/trip/taken.json", '{\n  "job": ".jixo/trip.job.md"\n}\n');
    assert.equal(await taken(stage), false);
    await new Adoption({ files, signer, lock, clock }).adopt(undefined);
    assert.ok(await taken(stage));
  });

  it("does not stand in for another job by its name", async () => {
    const stage = new JobStage([], {
      ".jixo/trip.job.md": goal,
      ".jixo/aaa.job.md": '---\nname: "trip"\n---\nEvil.\n',
    });
    await assert.rejects(stage.run(), (error: Error) => {
      return error.message.includes("aaa.job.md, .jixo/trip.job.md");
    });
    await stage.run({ name: ".jixo/trip.job.md", most: 0 });
    assert.ok(await taken(stage, ".jixo/trip.job.md"));
    assert.equal(await taken(stage, ".jixo/aaa.job.md"), false);
  });

  it("does not get the answer to the question of another job", async () => {
    const stage = new JobStage([], {
      ".jixo/aaa.job.md": question("Q-1"),
      ".jixo/trip.job.md": question("Q-1"),
    });
    assert.equal(await answerJob("Q-1", "Hills", stage), undefined, "nobody has run either");
    await stage.run({ most: 0 });
    assert.equal((await answerJob("Q-1", "Hills", stage))?.name, "trip");
    assert.equal(stage.files.text(".jixo/aaa.job.md"), question("Q-1"));
    assert.match(stage.job, /Hills/);
  });
});
