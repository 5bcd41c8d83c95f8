import assert from "node:assert/strict";
import { plannedTasks } from "../../../../../src/core/runs/work/planner.js";
import { type PhaseName, RunLayout } from "../../../../../src/core/runs/documents/runLayout.js";
import { runId, stateOf, taskRow } from "../runRows.js";
import { planReports } from "../../../../../src/core/runs/work/runReports.js";

const layout = new RunLayout("multiverse");
const folder = `multiverse/runs/${runId}/workspace`;
const known = {
  layout,
  state: stateOf({
    tasks: [
      taskRow("T00", "COMPLETED", { output_path: "" }),
      taskRow("P1-S1-T1", "PENDING", { output_path: `${folder}/ANALYZING/old.md` }),
    ],
  }),
  catalog: ["multiverse/assets/a.md"],
};
const given = (output_path: string, ...related_references: string[]) => ({
  task_name: "Count",
  task_purpose: "Count it",
  output_path,
  related_references,
});
const plan = (tasks: ReturnType<typeof given>[], phase: PhaseName = "ANALYZING") =>
  plannedTasks(tasks, phase, known);

describe("the tasks that a planner hands in", () => {
  it("[R-MV-17] begin from the catalog, from an earlier task's output, or not at all", () => {
    const first = given("one.md", "`./multiverse/assets/a.md`");
    const made = plan([
      first,
      given("two.md", `${folder}/ANALYZING/one.md`, `${folder}/ANALYZING/old.md`),
    ]);
    assert.ok("tasks" in made);
    assert.deepEqual(
      made.tasks.map(({ outputPath, references }) => [outputPath, ...references]),
      [
        [`${folder}/ANALYZING/one.md`, "multiverse/assets/a.md"],
        [`${folder}/ANALYZING/two.md`, `${folder}/ANALYZING/one.md`, `${folder}/ANALYZING/old.md`],
      ],
    );
    assert.deepEqual(plan([given("one.md", "multiverse/assets/b.md")]), {
      problem:
        "Count begins from multiverse/assets/b.md, which is neither in the catalog nor the output of an earlier task.",
    });
    assert.ok("problem" in plan([given("two.md", `${folder}/ANALYZING/one.md`), first]));
    assert.match(JSON.stringify(plan([given("one.md", " ")])), /Count begins from nothing, which/);
  });

  it("[R-MV-17] say what they begin from and what is to be done, in more than blanks", () => {
    const fits = (more: object) => {
      const task = { ...given("one.md", "multiverse/assets/a.md"), ...more };
      return planReports.stage.safeParse({ status: "SUCCESS", tasks: [task] }).success;
    };
    assert.equal(fits({}), true);
    assert.equal(fits({ related_references: [] }), false);
    for (const name of ["task_name", "task_purpose", "output_path"]) {
      assert.equal(fits({ [name]: "" }), false, name);
      assert.equal(fits({ [name]: " \n" }), false, name);
    }
  });

  it("[R-MV-17] lead to a new file of the phase, and only at the end to an output", () => {
    const outputs = `multiverse/outputs/${runId}`;
    const leads = (path: string, phase?: PhaseName) =>
      "tasks" in plan([given(path, "multiverse/assets/a.md")], phase);
    assert.ok(leads("one.md"));
    assert.ok(leads("Übersicht (1).md"));
    assert.ok(leads(`${folder}/ANALYZING/parts/one.md`));
    assert.ok(leads(`${outputs}/report.md`, "GENERATING_OUTPUT"));
    for (const path of [
      "",
      "old.md",
      ".hidden",
      "a\nb.md",
      "..",
      "x.",
      `${folder}/ANALYZING/`,
      "a|b.md",
      `${folder}/STRATEGIZING/one.md`,
      `${folder}/ANALYZING/../STRATEGIZING/one.md`,
      `${folder}/ANALYZING/tools/one.md`,
      `${outputs}/report.md`,
      "multiverse/assets/a.md",
      "/etc/passwd",
      `multiverse/runs/other/workspace/ANALYZING/one.md`,
      "src/main.js",
    ]) {
      assert.ok(!leads(path), path);
    }
    const twice = plan([
      given("a.md", "multiverse/assets/a.md"),
      given("a.md", "multiverse/assets/a.md"),
    ]);
    assert.match("problem" in twice ? twice.problem : "", /is another task's output already/);
  });
});
