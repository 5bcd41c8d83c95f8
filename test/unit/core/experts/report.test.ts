import assert from "node:assert/strict";
import { parseArguments } from "../../../../src/core/agent/calls/parseArguments.js";
import {
  completeReport,
  completionTool,
  reportProblem,
} from "../../../../src/core/experts/report.js";
import { spoken } from "../../../../src/core/text/words.js";

function read(args: unknown, isPlanner = false) {
  return parseArguments(completionTool(isPlanner ? "plan" : "task"), {
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
    const wrong = read({ ...base, status: "Half done" });
    assert.match(wrong.ok ? "" : wrong.message, /status: .*"Done"/);
  });

  it("[R-ROO-3] needs a question where it needs clarification", () => {
    const parsed = read({ ...base, status: "NeedsClarification" });
    assert.ok(parsed.ok);
    assert.match(spoken(reportProblem(completeReport(parsed.args))!), /clarification_question/);
  });

  it("[R-ROO-28] of a planner that is done needs a task or advice, and experts that exist", () => {
    const experts = [{ slug: "rooroo-developer", name: "Developer" }];
    const problem = (suggested_mode?: string) => {
      const task = { suggested_mode, goal_for_expert: "Build" };
      const parsed = read(
        { ...base, queue_tasks_json_lines: suggested_mode === undefined ? [] : [task] },
        true,
      );
      assert.ok(parsed.ok);
      return reportProblem(completeReport(parsed.args, "plan", experts), experts);
    };
    assert.equal(problem("developer"), undefined);
    assert.match(spoken(problem()!), /at least one task.*report Advice/);
    assert.match(spoken(problem("pilot")!), /no expert pilot\. Use one of: rooroo-developer/);
  });

  it("[R-ROO-28] may have a planner's advice beside its other fields", () => {
    const advice = { suggested_mode: "rooroo-developer", refined_goal: "Just do it" };
    const parsed = read({ status: "Advice", message: "One step", ...advice }, true);
    assert.ok(parsed.ok);
    assert.deepEqual(completeReport(parsed.args).advice_details, advice);
  });

  describe("[R-ROO-32] as weak models write it", () => {
    const whole = { status: "Done", message: "Good", output_artifact_paths: ["a.md"] };
    const json = JSON.stringify(whole);
    const sent = (text: string, isPlanner = false) =>
      parseArguments(completionTool(isPlanner ? "plan" : "task"), {
        id: "1",
        name: "attempt_completion",
        arguments: text,
      });

    const certain: Record<string, string> = {
      "in a fence": `\`\`\`json\n${json}\n\`\`\``,
      "in prose": `Here is the report.\n${json}\nThat is all.`,
      "after thinking": `<think>{"status": "Failed"} would be wrong.</think>${json}`,
      "with trailing commas":
        '{"status": "Done", "message": "Good", "output_artifact_paths": ["a.md",],}',
      "in single quotes":
        "{'status': 'Done', 'message': 'Good', 'output_artifact_paths': ['a.md']}",
      "a string instead of a list":
        '{"status":"Done","message":"Good","output_artifact_paths":"a.md"}',
      "another spelling of a status": json.replace("Done", "DONE"),
      "a string in result": JSON.stringify({ result: json }),
      "an object in result": JSON.stringify({ result: whole }),
      "a fenced string in result": JSON.stringify({ result: `\`\`\`\n${json}\n\`\`\`` }),
      "with fields that nobody asked for": json.replace("{", '{"confidence": 0.9, '),
      "with null where nothing is": json.replace("}", ', "error_details": null}'),
    };
    for (const [how, text] of Object.entries(certain)) {
      it(`is recovered: ${how}`, () => {
        const parsed = sent(text);
        assert.ok(parsed.ok, parsed.ok ? "" : parsed.message);
        const { status, message, output_artifact_paths } = completeReport(parsed.args);
        assert.deepEqual({ status, message, output_artifact_paths }, whole);
      });
    }

    const doubtful: Record<string, string> = {
      "a truncated end": json.slice(0, -12),
      "a truncated string": json.slice(0, 30),
      "two reports": `${json}\n${json.replace("Done", "Failed")}`,
      "no status": '{"message": "Good"}',
      "no message": '{"status": "Done", "message": ""}',
      "a status that there is none": json.replace("Done", "Mostly done"),
      "a list": `[${json}]`,
      "words only": "I am done.",
      "a number of files instead of their names": json.replace('["a.md"]', "1"),
    };
    for (const [how, text] of Object.entries(doubtful)) {
      it(`is asked for again, with the reason: ${how}`, () => {
        const parsed = sent(text);
        assert.ok(!parsed.ok);
        assert.match(
          parsed.message,
          /attempt_completion (are not JSON|do not fit).*Call it again with/,
        );
      });
    }

    const task = { suggested_mode: "rooroo-developer", goal_for_expert: "Go" };
    const line = JSON.stringify(task);
    const planned: Record<string, unknown> = {
      "a list": [task, task],
      "newline-joined objects": `${line}\n${line}`,
      "the same with blank lines and a last newline": `${line}\n\n${line}\n`,
      "a list as a string": `[${line}, ${line}]`,
      "a fenced list as a string": `\`\`\`json\n[${line},\n${line}]\n\`\`\``,
    };
    for (const [how, tasks] of Object.entries(planned)) {
      it(`has its tasks understood as ${how}`, () => {
        const parsed = sent(JSON.stringify({ ...base, queue_tasks_json_lines: tasks }), true);
        assert.ok(parsed.ok, parsed.ok ? "" : parsed.message);
        assert.equal(completeReport(parsed.args).queue_tasks_json_lines.length, 2);
      });
    }

    it("has one task understood as a list of one", () => {
      for (const tasks of [task, line]) {
        const parsed = sent(JSON.stringify({ ...base, queue_tasks_json_lines: tasks }), true);
        assert.ok(parsed.ok, parsed.ok ? "" : parsed.message);
        assert.equal(completeReport(parsed.args).queue_tasks_json_lines.length, 1);
      }
    });
  });

  it("says what is wrong with a report that is not JSON, and what fits", () => {
    const parsed = parseArguments(completionTool("task"), {
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
