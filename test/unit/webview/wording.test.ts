import assert from "node:assert/strict";
import { agentNames } from "../../../src/core/experts/builtInModes.js";
import { modeName } from "../../../src/core/experts/modeName.js";
import { jobModes } from "../../../src/core/jobs/work/unitOfWork.js";
import { runModes } from "../../../src/core/runs/work/runServices.js";
import { shortDurationText } from "../../../src/core/text/durationText.js";
import { compactCount } from "../../../src/webview/text/usageWords.js";

describe("the panel's words", () => {
  it("names modes as people do", () => {
    assert.equal(modeName("rooroo-idea-sparker"), "Idea Sparker");
    assert.equal(modeName("code"), "Code");
    assert.equal(modeName("rooroo-"), "rooroo-");
  });

  it("has the names of the agents of jobs and runs in each language", () => {
    const jobs = ["rooroo-job-reviewer", ...Object.values(jobModes).map(({ slug }) => slug)];
    for (const slug of [...jobs, ...Object.values(runModes)]) {
      assert.ok(agentNames.includes(modeName(slug)), slug);
    }
  });

  it("says durations shortly", () => {
    assert.equal(shortDurationText(420), "0.4 s");
    assert.equal(shortDurationText(9_960), "10 s");
    assert.equal(shortDurationText(185_000), "3 min 5 s");
  });

  it("counts tokens shortly", () => {
    assert.deepEqual([950, 12_400, 99_960, 3_100_000].map(compactCount), [
      "950",
      "12.4k",
      "100k",
      "3.1M",
    ]);
  });
});
