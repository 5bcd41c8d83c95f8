import assert from "node:assert/strict";
import fc from "fast-check";
import { CannotEdit } from "../../../../../src/core/documents/editDocument.js";
import { UserError } from "../../../../../src/core/errors.js";
import { editJobLog, type LogEdit } from "../../../../../src/core/jobs/documents/editJobLog.js";
import { readJobLog, saysTheSame } from "../../../../../src/core/jobs/documents/jobLog.js";
import { rebuildJobLog } from "../../../../../src/core/jobs/documents/rebuildJobLog.js";
import { does, JobStage } from "../../../../fakes/jobStage.js";
import { sample, sampleNames } from "./samples.js";

const job = { ".jixo/trip.job.md": "Plan a trip.\n" };
const open =
  "---\ntitle: Trip\n---\n\n## Roadmap\n\n- [ ] 1. Go\n  - status: Pending\n\n```\npasted\n";
const entry: LogEdit = {
  type: "addEntry",
  entry: {
    jobName: "trip",
    time: "now",
    role: "Runner",
    objective: "Task 1. Go",
    result: "Pending",
    summary: "Went.",
  },
};

describe("a log that takes no edits", () => {
  it("[R-JIXO-31] is written anew with all that it says, and kept as it was", async () => {
    assert.throws(() => editJobLog(readJobLog(open), [entry], 2), CannotEdit);
    const stage = new JobStage([does()], { ...job, ".jixo/trip.log.md": open });
    assert.equal((await stage.run()).code, 0);
    assert.match(stage.log, /^---\ntitle: Trip\n/);
    assert.match(stage.log, /- \[x\] 1\. Go\n {2}- status: Completed\n[^]*### Log 1 @trip/);
    const notices = stage.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
    const kept = /As it was: (\S+)\.$/.exec(
      notices.find((text) => text.includes("anew")) ?? "",
    )?.[1];
    assert.match(stage.files.text(kept ?? "") ?? "", /- \[ \] 1\. Go\n[^]*\n```\npasted\n$/);
  });

  it("[R-JIXO-31] stays as it is where work could not be read, and would be lost", async () => {
    const hides = `${open}- [ ] 2. Come back\n`;
    const stage = new JobStage([does()], { ...job, ".jixo/trip.log.md": hides });
    await assert.rejects(stage.run(), { code: "logUnrebuildable" });
    assert.match(stage.log, /```\npasted\n- \[ \] 2\. Come back\n$/);
  });

  it("[R-JIXO-31] says the same when it is written anew, or is not, whatever it is", () => {
    const pieces = sampleNames(".log.md").map((name) => sample(name));
    const piece = fc.oneof(
      fc.constantFrom(...pieces),
      fc.constantFrom("```\n", "<!--\n", "> ", "\n", "  ", "- [ ] 7. Seven\n", "---\n", "# A\n"),
      fc.string({ unit: "grapheme", maxLength: 12 }),
    );
    let rebuilt = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 3 }), (parts) => {
        const log = readJobLog(parts.join(""));
        try {
          const after = rebuildJobLog(log);
          rebuilt++;
          assert.ok(
            saysTheSame(after, editJobLog({ ...log, givenProgress: after.givenProgress }, [], 2)),
          );
          assert.equal(editJobLog(after, [entry], 2).entries.length, log.entries.length + 1);
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
        }
      }),
      { numRuns: 150 },
    );
    assert.ok(rebuilt > 75, String(rebuilt));
  });
});
