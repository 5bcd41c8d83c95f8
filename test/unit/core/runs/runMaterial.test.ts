import assert from "node:assert/strict";
import { RunLayout } from "../../../../src/core/runs/documents/runLayout.js";
import { spoken } from "../../../../src/core/text/words.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { type Answer, RunStage } from "../../../fakes/runStage.js";
import { confirmed, toldTo } from "./confirmedRun.js";

/** Returns what is said of the material as the run begins. */
const foundBy = (stage: RunStage) =>
  stage.events.flatMap((event) =>
    event.type === "notice" && event.text.startsWith("The material") ? [event.text] : [],
  );

/** Runs below the folder `multiverse`, beside folders of the workspace's own. */
function beside(files: Record<string, string>, answer?: Answer): RunStage {
  const stage = new RunStage(files, answer);
  stage.layout = new RunLayout("multiverse");
  return stage;
}

const catalogued = async (stage: RunStage) =>
  (await stage.store.rows("knowledge_base_catalog")).flatMap((row) =>
    row.source_task_id === "T03" ? [`${row.file_path} ${row.asset_type}`] : [],
  );

describe("the material of a run", () => {
  const elsewhere = {
    "assets/notes.md": "# Notes\n\nBees.\n",
    "assets/hives.csv": "city,hives\nOslo,120\n",
    "guidelines/style.md": "Short words.\n",
    "guidelines/mcp_list.md": "# Survey\nAsk, then count.\n",
  };

  it("[R-MV-9] [R-MV-12] is said before the proposal, and offered where it lies elsewhere", async () => {
    const stage = beside({ ...elsewhere, "multiverse/guidelines/own.md": "Ours.\n" });
    const run = await stage.start("Write");
    await stage.drive(run);
    assert.deepEqual(foundBy(stage), [
      "The material: no files in multiverse/assets/, 2 files in assets/, 1 file in multiverse/guidelines/. If you confirm the proposal as it is, the run reads assets/, too.",
    ]);
    assert.ok(
      stage.said[0]?.startsWith(
        `If you confirm the proposal as it is, the run reads assets/, too.\n\n# What ${run} is`,
      ),
      stage.said[0],
    );
    const proposal = stage.files.text(`multiverse/runs/${run}/feedback_for_user.md`) ?? "";
    const [, listed = ""] = /## Material\n\n([^]*?)\n\n## /.exec(proposal) ?? [];
    assert.deepEqual(listed.split("\n"), [
      "- `multiverse/assets/` has no files.",
      "- `assets/` has 2 files: hives.csv (20 bytes), notes.md (15 bytes). Remove this line if the run is not to read them.",
      "- `multiverse/guidelines/` has 1 file: own.md (6 bytes).",
    ]);
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    assert.deepEqual(await catalogued(stage), [
      "assets/hives.csv ORIGINAL_INPUT",
      "assets/notes.md ORIGINAL_INPUT",
      "multiverse/guidelines/own.md GUIDELINE_DOC",
    ]);
    assert.match(toldTo(stage, "Executor T04"), /<data from="assets\/hives\.csv">\ncity,hives\n/);
  });

  it("[R-MV-12] [R-MV-34] is not read from elsewhere if the user has removed that from the proposal", async () => {
    const stage = beside(elsewhere);
    const run = await stage.start("Write");
    await stage.drive(run);
    const path = `multiverse/runs/${run}/feedback_for_user.md`;
    const text = stage.files.text(path) ?? "";
    stage.files.put(path, text.replace(/^- `assets\/`.*\r?\n/m, ""));
    await stage.decide(run, { type: "CONFIRM" });
    assert.deepEqual(await catalogued(stage), [
      "guidelines/mcp_list.md GUIDELINE_DOC",
      "guidelines/style.md GUIDELINE_DOC",
    ]);
    const told = toldTo(stage, "Executor T04");
    assert.match(told, /<data from="guidelines\/style\.md">\nShort words\./);
    assert.doesNotMatch(told, /mcp_list|Survey|notes\.md/);
    // Another run reads them; this choice is each run's own.
    stage.clock.advance(60_000);
    const { end } = await confirmed(stage, "Write more");
    assert.equal(end.status, "done", spoken(end.reason));
    assert.match(toldTo(stage, "Executor T04"), /<data from="assets\/notes\.md">/);
    stage.clock.advance(60_000);
    const third = await stage.start("Write less");
    await stage.drive(third);
    const own = `multiverse/runs/${third}/feedback_for_user.md`;
    stage.files.put(own, (stage.files.text(own) ?? "").replace(/^- `assets\/`.*\n/m, ""));
    await stage.decide(third, { type: "CONFIRM" });
    assert.doesNotMatch(toldTo(stage, "Executor T04"), /assets\/notes\.md/);
  });

  it("[R-MV-34] has operations of several steps told to who plans what helps a task, from elsewhere, too", async () => {
    const stage = beside(elsewhere, (unit) => {
      if (unit !== "Planner plan-stage-P1-S1") return undefined;
      const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
      const more = { related_references: ["assets/notes.md"], pre_tool_purpose: "Ask them" };
      return calls("attempt_completion", { tasks: [{ ...task, ...more }] });
    });
    assert.equal((await confirmed(stage)).end.status, "done");
    const told = toldTo(stage, "Planner plan-pre_tool-P1-S1-T1");
    assert.match(told, /<data from="guidelines\/mcp_list\.md">\n# Survey\nAsk, then count\./);
  });

  it("is not looked for elsewhere where the runs have their own", async () => {
    const stage = beside({
      ...elsewhere,
      "multiverse/assets/a.md": "A",
      "multiverse/guidelines/b.md": "B",
    });
    await stage.drive(await stage.start("Write"));
    assert.deepEqual(foundBy(stage), [
      "The material: 1 file in multiverse/assets/, 1 file in multiverse/guidelines/.",
    ]);
    assert.ok(stage.said[0]?.startsWith("# What run-"), stage.said[0]);
  });

  it("[R-MV-9] is known to who proposes by names, sizes and beginnings, as far as experts may read it", async () => {
    const long = `# Long\n\n${"Bees and hives. ".repeat(200)}`;
    const stage = new RunStage({
      "assets/long.md": long,
      "assets/hives.csv": "city,hives\nOslo,120\n",
      "assets/key.pem": "SECRET",
      "assets/hidden.md": "HIDDEN",
      ".rooignore": "assets/hidden.md\n",
      "guidelines/style.md": "Short words.\n",
    });
    await stage.drive(await stage.start("Write"));
    const told = toldTo(stage, "Planner plan-feedback_generation-1");
    const [, material = ""] = /<data from="the material">\n([^]*?)\n<\/data>/.exec(told) ?? [];
    assert.ok(
      material.startsWith(
        "assets/hives.csv (ORIGINAL_INPUT, 20 bytes)\n    city,hives\n    Oslo,120\nassets/key.pem (ORIGINAL_INPUT, 6 bytes)\nassets/long.md (ORIGINAL_INPUT, 3 kB)\n    # Long\n",
      ),
      material,
    );
    assert.ok(material.endsWith("guidelines/style.md (GUIDELINE_DOC, 13 bytes)\n    Short words."));
    assert.ok(material.length < 1_000, String(material.length));
    assert.doesNotMatch(told, /SECRET|HIDDEN/);
  });

  it("[R-MV-35] is given to executors as text: guidelines up to their limit, small files whole; planners are given the guidelines", async () => {
    const big = `# Big\n\n${"Many bees. ".repeat(2_000)}`;
    const stage = new RunStage({
      "assets/notes.md": "# Notes\n",
      "assets/big.md": big,
      "assets/picture.png": "\u0000\u0001",
      "guidelines/a.md": "First rule.\n",
      "guidelines/b.md": `Second rule.\n${"More. ".repeat(3_000)}`,
      "guidelines/c.md": "Third rule.\n",
    });
    await confirmed(stage);
    const told = toldTo(stage, "Executor T04");
    assert.match(told, /<data from="guidelines\/a\.md">\nFirst rule\.\n/);
    assert.match(told, /Second rule\.[^]*\(Cut here: read the file for the rest\.\)\n<\/data>/);
    assert.match(told, /<data from="guidelines">\nguidelines\/b\.md .*\nguidelines\/c\.md /);
    assert.doesNotMatch(told, /<data from="guidelines\/c\.md">/);
    assert.match(told, /<data from="assets\/notes\.md">\n# Notes\n/);
    assert.doesNotMatch(told, /Many bees|<data from="assets\/picture/);
    assert.match(told, /\nassets\/big\.md: Big\n/);
    assert.ok(told.length < 20_000, String(told.length));
    // Who plans is told the guidelines in the same way, but no file's text.
    for (const unit of ["Planner plan-phase-P1", "Planner plan-stage-P1-S1"]) {
      const plan = toldTo(stage, unit);
      assert.match(plan, /<data from="guidelines\/a\.md">\nFirst rule\.\n/);
      assert.match(plan, /Second rule\.[^]*\(Cut here: read the file for the rest\.\)\n<\/data>/);
      assert.match(plan, /\nguidelines\/c\.md \(GUIDELINE_DOC\): Third rule\.\n/);
      assert.doesNotMatch(plan, /<data from="(?:guidelines\/c|assets)/);
      assert.ok(plan.length < 20_000, String(plan.length));
    }
  });

  it("begins a message with what is the same for the next one", async () => {
    const stage = new RunStage({
      "assets/notes.md": "# Notes\n",
      "guidelines/style.md": "Short words.\n",
    });
    await confirmed(stage);
    const shared = (one: string, other: string): string => {
      const [a, b] = [toldTo(stage, one), toldTo(stage, other)];
      let at = 0;
      while (a[at] === b[at]) at++;
      return a.slice(0, at);
    };
    const executors = shared("Executor P2-S1-T1", "Executor P3-S1-T1");
    assert.match(executors, /<instructions>[^]*Short words\.[^]*# Notes/);
    const planners = shared("Planner plan-phase-P2", "Planner plan-phase-P3");
    assert.match(planners, /Short words\.[^]*ANALYZING\/initial_analysis\.md \(ANALYSIS_REPORT\)/);
  });
});
