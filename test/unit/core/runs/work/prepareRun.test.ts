import assert from "node:assert/strict";
import type { UserError } from "../../../../../src/core/errors.js";
import { phaseNames } from "../../../../../src/core/runs/documents/runLayout.js";
import { prepareRun } from "../../../../../src/core/runs/work/prepareRun.js";
import { type Said, spoken } from "../../../../../src/core/text/words.js";
import { RunStage } from "../../../../fakes/runStage.js";

/** Returns a run that waits to be confirmed, with its tasks planned. */
async function proposed(files: Record<string, string>) {
  const stage = new RunStage(files);
  const run = await stage.start("Write a report");
  await stage.drive(run);
  return { stage, run };
}

describe("the preparation of a run", () => {
  it("[R-MV-8] [R-MV-12] may be begun again from any point, and adds nothing twice", async () => {
    const { stage, run } = await proposed({ "assets/a.md": "# A\n" });
    for (const task of ["phase:0", "T00", "T02", "T03"] as const) {
      await prepareRun(task, run, stage.store);
      const once = new Map(stage.files.paths.map((path) => [path, stage.files.text(path)]));
      await prepareRun(task, run, stage.store);
      const twice = new Map(stage.files.paths.map((path) => [path, stage.files.text(path)]));
      assert.deepEqual(twice, once, task);
    }
    assert.equal((await stage.rows("user_instructions")).length, 1);
  });

  it("[R-MV-8] has the phases of the workspace's own template, whose words stay", async () => {
    const path = "db/templates/default_phases.md";
    const own = "| phase_name | phase_purpose |\n|-|-|\n| STRATEGIZING | Ours |\n";
    const { stage, run } = await proposed({ [path]: own });
    const phases = await stage.store.rows("phases", run);
    assert.deepEqual(
      phases.map(({ phase_id, phase_name, status }) => `${phase_id} ${phase_name} ${status}`),
      phaseNames.map((name, index) => `P${index + 1} ${name} PENDING`),
    );
    assert.equal(phases[1]?.phase_purpose, "Ours");
    assert.equal(stage.files.text(path), own);
  });

  it("[R-MV-12] supersedes nothing that another run has superseded meanwhile", async () => {
    const { stage, run } = await proposed({});
    const path = `runs/${run}/feedback_for_user.md`;
    const text = stage.files.text(path) ?? "";
    stage.files.put(path, text.replace("| format |  |", "| format | I1 |"));
    await assert.rejects(
      prepareRun("T02", run, stage.store),
      ({ code, params }: UserError) =>
        code === "instructionInactive" &&
        params["instruction"] === "I1" &&
        spoken(params["path"] as Said).endsWith("feedback_for_user.md"),
    );
    assert.deepEqual(await stage.rows("user_instructions"), []);
  });

  it("[R-MV-12] first has the table say what no longer holds since its run has failed", async () => {
    const { stage, run } = await proposed({});
    const runs = stage.files.text("db/process_runs.md") ?? "";
    stage.files.put("db/process_runs.md", `${runs}| run-0 | Write | FAILED | | | |\n`);
    const head = "| instruction_id | run_id | instruction_type | content | status |";
    stage.files.put(
      "db/user_instructions.md",
      `${head} superseded_by_id | justification |\n|-|-|-|-|-|-|-|\n| I1 | run-0 | tone | Plain | ACTIVE | | |\n`,
    );
    await prepareRun("T02", run, stage.store);
    assert.deepEqual(
      (await stage.store.rows("user_instructions")).map((row) =>
        [row.instruction_id, row.status, row.superseded_by_id].join(" ").trim(),
      ),
      ["I1 SUPERSEDED run-0", "I2 ACTIVE"],
    );
  });

  it("[R-MV-12] keeps one of two instructions in the same words, which takes the place of what the other would", async () => {
    const { stage, run } = await proposed({});
    const columns = "instruction_id | run_id | instruction_type | content | status";
    const rows = [
      "I4 | run-0 | format | Two  pages at most | ACTIVE |",
      "I5 | run-0 | tone | Plain | ACTIVE |",
    ];
    const more = "superseded_by_id | justification";
    stage.files.put(
      "db/user_instructions.md",
      [
        `| ${columns} | ${more} |`,
        "|-|-|-|-|-|-|-|",
        ...rows.map((row) => `| ${row} | |`),
        "",
      ].join("\n"),
    );
    const path = `runs/${run}/feedback_for_user.md`;
    const text = stage.files.text(path) ?? "";
    stage.files.put(
      path,
      text.replace("| format |  |", "| format | I4, I5 |") + "| Short | tone | | Yes |\n",
    );
    for (const time of ["once", "twice"]) {
      await prepareRun("T02", run, stage.store);
      assert.deepEqual(
        (await stage.store.rows("user_instructions")).map((row) =>
          [row.instruction_id, row.run_id, row.status, row.superseded_by_id].join(" ").trim(),
        ),
        ["I4 run-0 ACTIVE", "I5 run-0 SUPERSEDED I4", `I6 ${run} ACTIVE`],
        time,
      );
    }
  });

  it("[R-MV-12] [R-MV-31] catalogs what people have put in, but for what is hidden, and tells no secrets", async () => {
    const { stage, run } = await proposed({
      "assets/a/b.md": "\n## About *bees* \nText\n",
      "assets/bin.dat": "x\0y",
      "assets/plain.txt": "  First | line\nSecond",
      "assets/hidden.md": "# Hidden\n",
      "assets/.env": "A=1",
      "guidelines/server.pem": "KEY",
      ".rooignore": "hidden.md\n",
    });
    await prepareRun("T03", run, stage.store);
    const rows = (await stage.rows("knowledge_base_catalog")).map((row) => row.replace(run, "RUN"));
    assert.deepEqual(rows.slice(0, -1), [
      "assets/a/b.md | RUN | ORIGINAL_INPUT | T03 | About *bees*",
      "assets/bin.dat | RUN | ORIGINAL_INPUT | T03 | binary, 3 bytes",
      "assets/plain.txt | RUN | ORIGINAL_INPUT | T03 | First | line",
      "guidelines/server.pem | RUN | GUIDELINE_DOC | T03 | ",
    ]);
  });
});
