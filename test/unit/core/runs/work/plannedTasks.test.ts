import assert from "node:assert/strict";
import { type PhaseName, RunLayout } from "../../../../../src/core/runs/documents/runLayout.js";
import { plannedTasks } from "../../../../../src/core/runs/work/planner.js";
import { planReports } from "../../../../../src/core/runs/work/runReports.js";
import { calls } from "../../../../fakes/navigatorWorld.js";
import { RunStage } from "../../../../fakes/runStage.js";
import { runId, stateOf, taskRow } from "../runRows.js";

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

describe("the tasks that a planner submits", () => {
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

  it("[R-MV-15] [R-MV-17] may come with their stages, and are written before these", async () => {
    const folderOf = (name: string) => `runs/RUN/workspace/ANALYZING/${name}`;
    let run = "";
    const stages = (reference: string) => [
      { stage_name: "Count", stage_goal: "Numbers", tasks: [given("one.md", "assets/notes.md")] },
      { stage_name: "Later", stage_goal: "Open" },
      { stage_name: "Tell", stage_goal: "Text", tasks: [given("two.md", reference)] },
    ];
    const told: string[] = [];
    const stage = new RunStage({ "assets/notes.md": "# Notes\n" }, (unit, { messages }) => {
      if (unit !== "Planner plan-phase-P1") return undefined;
      const last = messages.at(-1);
      if (last?.role === "tool") told.push(last.content);
      const reference =
        told.length === 0 ? "assets/other.md" : folderOf("one.md").replace("RUN", run);
      return calls("attempt_completion", { stages: stages(reference) });
    });
    run = await stage.start("Write");
    await stage.drive(run);
    let order = "";
    const own = `runs/${run}/db`;
    stage.files.beforeOperation = () => {
      const hasStages = stage.files.text(`${own}/major_stages.md`)?.includes("P1-S1") === true;
      const hasTasks = stage.files.text(`${own}/tasks.md`)?.includes("P1-S3-T1") === true;
      if (hasStages !== hasTasks) order ||= hasTasks ? "tasks first" : "stages first";
    };
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    assert.equal(order, "tasks first");
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /begins from assets\/other\.md, which is neither/);
    const rows = await stage.store.rows("tasks", run);
    assert.deepEqual(
      rows.flatMap(({ task_id: id, related_references: from }) =>
        id.startsWith("P1") ? [`${id} ${from.replace(run, "RUN")}`] : [],
      ),
      [
        "P1-S1-T1 assets/notes.md",
        `P1-S3-T1 ${folderOf("one.md")}`,
        // The stage in between is planned when it begins.
        "P1-S2-T1 assets/notes.md",
      ],
    );
    const planners = stage.units.filter(
      (unit) => unit.startsWith("Planner plan-") && unit.includes("P1"),
    );
    assert.deepEqual(planners, ["Planner plan-phase-P1", "Planner plan-stage-P1-S2"]);
  });

  it("[R-MV-2] [R-MV-15] are there once, if the process is killed between them and their stages", async () => {
    const tasks = [given("one.md", "assets/notes.md")];
    const stage = new RunStage({ "assets/notes.md": "# Notes\n" }, (unit) =>
      unit === "Planner plan-phase-P1"
        ? calls("attempt_completion", {
            stages: [{ stage_name: "Count", stage_goal: "Numbers", tasks }],
          })
        : undefined,
    );
    const run = await stage.start("Write");
    await stage.drive(run);
    stage.files.beforeOperation = (operation, path) => {
      if (operation === "createFile" && path.endsWith("/major_stages.md"))
        throw new Error("killed");
    };
    await assert.rejects(stage.decide(run, { type: "CONFIRM" }), /killed/);
    delete stage.files.beforeOperation;
    const ids = async () => (await stage.store.rows("tasks", run)).map(({ task_id }) => task_id);
    const killed = await ids();
    assert.equal(killed.at(-1), "P1-S1-T1");
    assert.equal((await stage.drive(run)).status, "done");
    assert.deepEqual((await ids()).slice(0, killed.length + 1), [...killed, "P2-S1-T1"]);
    const asked = stage.model.requests.filter(({ messages }) =>
      messages[1]?.content.includes("The phase is ANALYZING"),
    );
    assert.equal(asked.length, 1);
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
