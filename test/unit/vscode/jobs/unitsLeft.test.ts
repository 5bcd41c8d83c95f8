import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import type { JobOrder } from "../../../../src/core/jobs/work/outerLoop.js";
import { unitsLeft } from "../../../../src/vscode/jobs/unitsLeft.js";

const run: JobOrder = { name: "docs", runners: 2, quota: 60, most: 2 };
const at = "2026-01-01T00:00:00.000Z";
const about = { at, taskId: "ROO#JOB_1", mode: "job-runner" };
const ended = (name: string): ConversationEvent => ({
  ...about,
  type: "sessionEnded",
  end: "Done",
  message: "",
  artifacts: [],
  work: { kind: "job", name },
});
const started: ConversationEvent = {
  ...about,
  type: "sessionStarted",
  goal: "Task 1",
  work: { kind: "job", name: "docs" },
};

describe("what is left of a job's run", () => {
  it("is one unit less when one of its units has ended, and nothing after the last", () => {
    const left = unitsLeft(run, ended("docs"));
    assert.deepEqual(left, { ...run, most: 1 });
    assert.ok(left);
    assert.equal(unitsLeft(left, ended("docs")), undefined);
  });

  it("is the same after anything else, and where units are not limited", () => {
    assert.equal(unitsLeft(run, started), run);
    assert.equal(unitsLeft(run, ended("other")), run);
    const unlimited: JobOrder = { name: "docs", runners: 2, quota: 60 };
    assert.equal(unitsLeft(unlimited, ended("docs")), unlimited);
  });
});
