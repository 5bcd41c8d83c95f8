import assert from "node:assert/strict";
import { parseArguments } from "../../../src/core/agent/parseArguments.js";
import { completeReport, completionTool, reportProblem } from "../../../src/core/experts/report.js";

function read(args: unknown, isPlanner = false) {
  return parseArguments(completionTool(isPlanner), {
    id: "1",
    name: "attempt_completion",
    arguments: JSON.stringify(args),
  });
}

const base = { status: "Done", message: "Good" };

describe("report", () => {
  it("[R-ROO-3] fills in what may be left out", () => {
    const parsed = read(base);
    assert.ok(parsed.ok);
    assert.deepEqual(completeReport(parsed.args), {
      ...base,
      output_artifact_paths: [],
      clarification_question: null,
      error_details: null,
      advice_details: null,
      queue_tasks_json_lines: [],
      plan_overview: null,
    });
  });

  it("[R-ROO-3] takes the statuses of its mode and no others", () => {
    for (const status of ["Done", "Failed", "NeedsClarification"]) {
      assert.ok(read({ ...base, status }).ok, status);
    }
    assert.ok(!read({ ...base, status: "Advice" }).ok);
    assert.ok(read({ ...base, status: "Advice" }, true).ok);
    const wrong = read({ ...base, status: "Finished" });
    assert.match(wrong.ok ? "" : wrong.message, /status: .*"Done"/);
  });

  it("[R-ROO-3] needs a question where it needs clarification", () => {
    const parsed = read({ ...base, status: "NeedsClarification" });
    assert.ok(parsed.ok);
    assert.match(reportProblem(completeReport(parsed.args))!, /clarification_question/);
  });

  it("says what is wrong with a report that is not JSON, and what fits", () => {
    const parsed = parseArguments(completionTool(false), {
      id: "1",
      name: "attempt_completion",
      arguments: "Done!",
    });
    assert.match(
      parsed.ok ? "" : parsed.message,
      /not JSON.*status: "Done"\|"Failed"\|"NeedsClarification"/,
    );
  });
});
