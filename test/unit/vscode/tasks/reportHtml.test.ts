import assert from "node:assert/strict";
import type { TaskView } from "../../../../src/core/navigator/overview/overview.js";
import { english } from "../../../../src/core/text/translator.js";
import { reportHtml } from "../../../../src/vscode/tasks/reportHtml.js";

const task: TaskView = {
  taskId: "ROO#TASK_1",
  mode: "rooroo-developer",
  goal: "Mend <b>all</b>",
  state: "done",
  planId: null,
  changedAt: 0,
};
const report = {
  status: "Done",
  message:
    "Mended **both**. <script>alert(1)</script> ![look](https://example.org/?secret) [no](javascript:alert(1))",
  output_artifact_paths: ["src/a<b>.ts"],
  clarification_question: null,
  error_details: null,
  advice_details: null,
  queue_tasks_json_lines: [],
  plan_overview: null,
} as const;

describe("a report as a page", () => {
  it("has everything that people look for, and nothing that runs or is fetched", () => {
    const html = reportHtml(
      task,
      {
        ...report,
        output_artifact_paths: [...report.output_artifact_paths],
        queue_tasks_json_lines: [],
      },
      english,
      "en",
    );
    assert.match(html, /^<html lang="en">\n<head>\n<title>Mend &lt;b&gt;all&lt;\/b&gt;<\/title>/);
    assert.match(html, /<h1>Mend &lt;b&gt;all&lt;\/b&gt;<\/h1>/);
    assert.match(html, /Done · Developer/);
    assert.match(html, /Mended <strong>both<\/strong>\. &lt;script&gt;.* look /);
    assert.match(html, /<code>src\/a&lt;b&gt;\.ts<\/code>/);
    assert.doesNotMatch(html, /<img|<script|href="javascript/);
  });

  it("says so if the file cannot be read as a report", () => {
    assert.match(reportHtml(task, undefined, english, "en"), /cannot be read/);
  });
});
