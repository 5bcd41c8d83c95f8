import assert from "node:assert/strict";
import { builtInModes } from "../../../../src/core/experts/builtInModes.js";
import { isOwn, mayWrite } from "../../../../src/core/experts/mode.js";

const folder = ".rooroo/tasks/ROO#TASK_1";

describe("write scopes", () => {
  const may = (slug: string, path: string) =>
    mayWrite(builtInModes.get(slug)!.writes, path, folder);

  it("[R-ROO-30] keep each mode to its own places", () => {
    const cases: [string, string, boolean][] = [
      ["rooroo-developer", "src/main.js", true],
      ["rooroo-developer", `${folder}/notes.md`, true],
      ["rooroo-developer", ".rooroo/queue.jsonl", false],
      ["rooroo-developer", ".Rooroo/queue.jsonl", false],
      ["rooroo-developer", ".rooroo/tasks/ROO#TASK_12/notes.md", false],
      ["rooroo-analyzer", `${folder}/findings.md`, true],
      ["rooroo-analyzer", "src/main.js", false],
      ["rooroo-analyzer", ".rooroo/tasks/ROO#TASK_2/findings.md", false],
      ["rooroo-planner", ".rooroo/plans/p.md", true],
      ["rooroo-planner", ".rooroo/tasks/ROO#SUB_1/context.md", true],
      ["rooroo-planner", ".rooroo/tasks/ROO#SUB_1/report.json", false],
      ["rooroo-planner", "README.md", false],
      ["rooroo-idea-sparker", ".rooroo/brainstorming/names.md", true],
      ["rooroo-idea-sparker", ".rooroo/brainstorming/a/b.md", false],
      ["rooroo-idea-sparker", "names.md", false],
    ];
    for (const [slug, path, expected] of cases) {
      assert.equal(may(slug, path), expected, `${slug} ${path}`);
    }
  });

  it("[R-ROO-30] leave out what code keeps, in the expert's own folder too", () => {
    for (const name of [
      "context.md",
      "transcript.jsonl",
      "report.json",
      "question.json",
      "task.json",
    ]) {
      assert.equal(may("rooroo-developer", `${folder}/${name}`), false, name);
      assert.equal(may("rooroo-analyzer", `${folder}/${name}`), false, name);
    }
    assert.equal(isOwn("project", "src/main.js", folder), false);
  });
});
