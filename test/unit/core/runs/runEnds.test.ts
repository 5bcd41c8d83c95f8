import assert from "node:assert/strict";
import { ModelError } from "../../../../src/core/errors.js";
import { failureReason } from "../../../../src/core/runs/work/failure.js";
import { spoken } from "../../../../src/core/text/words.js";
import { golden } from "../../../fakes/golden.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { runReply } from "../../../fakes/runPlays.js";
import { RunStage } from "../../../fakes/runStage.js";
import { confirmed, failed, files, statuses, toldTo } from "./confirmedRun.js";

describe("the end of a run", () => {
  it("[R-MV-24] [R-MV-25] [R-MV-26] ends with the first failure, says where, and is not taken up again", async () => {
    const log = "Error: no bees\n```\nat hive";
    const stage = new RunStage(files, (unit) =>
      unit === "Executor P2-S1-T1" ? failed(log) : undefined,
    );
    const { run, end } = await confirmed(stage);
    assert.deepEqual(end, { status: "failed", reason: `${run} has failed.`, canSkip: true });
    assert.deepEqual(stage.units.slice(-2), ["Executor P2-S1-T1", "Communicator report"]);
    assert.deepEqual((await statuses(stage, "tasks", run)).at(-1), "P2-S1-T1 FAILED");
    assert.deepEqual((await statuses(stage, "major_stages", run)).at(-1), "P2-S1 FAILED");
    assert.equal((await statuses(stage, "phases", run))[1], "P2 FAILED");
    assert.equal(
      (await stage.rows("process_runs"))[0],
      `${run} | Write a report about bees | FAILED | P2 | P2-S1 | P2-S1-T1`,
    );
    await golden("runs/failure.md", stage.files.text(`runs/${run}/failure.md`) ?? "");
    assert.match(toldTo(stage, "Communicator report"), /Error: no bees/);
    const requests = stage.model.requests.length;
    assert.equal((await stage.drive(run)).status, "failed");
    assert.equal(stage.model.requests.length, requests);
  });

  it("[R-MV-26] is told in the language of the request, and its reason is read again", async () => {
    const stage = new RunStage(files, (unit) =>
      unit === "Executor P2-S1-T1" ? failed("Keine Bienen") : undefined,
    );
    const run = await stage.start("Schreibe einen Bericht über die Bienen und den Honig");
    await stage.drive(run);
    await stage.decide(run, { type: "CONFIRM" });
    const failure = stage.files.text(`runs/${run}/failure.md`) ?? "";
    assert.match(failure, /^# run-\S+ ist fehlgeschlagen\n[^]*\n## Fehlerprotokoll\n/);
    assert.equal(failureReason(failure), "task P2-S1-T1: Keine Bienen");
    const report = stage.said.at(-1) ?? "";
    assert.match(
      report,
      /\n\nSie können es noch einmal versuchen lassen oder [^]*\n\nErgebnisse: /,
    );
  });

  it("[R-MV-25] has written why before anything says that it has failed", async () => {
    const stage = new RunStage(files, (unit) =>
      unit === "Executor P1-S1-T1" ? failed("Error: no bees") : undefined,
    );
    const run = await stage.start("Write");
    const tables = ["tasks", "major_stages", "phases", "process_runs"] as const;
    const seen = new Set<string>();
    stage.files.beforeOperation = () => {
      const hasFailed = tables.filter((name) =>
        stage.files.text(stage.layout.table(name, run))?.includes("FAILED"),
      );
      seen.add(hasFailed.join());
      const why = stage.files.text(`runs/${run}/failure.md`) ?? "";
      if (hasFailed.length > 0) assert.match(why, /Error: no bees/);
    };
    await stage.drive(run);
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "failed");
    // From the smallest part to the run, one table after the other.
    const parts = ["", ...tables.map((_, index) => tables.slice(0, index + 1).join())];
    assert.deepEqual([...seen], parts);
  });

  it("[R-MV-25] says of nothing that it has failed, once another has taken the run over", async () => {
    const stage = new RunStage(files, (unit) =>
      unit === "Executor P1-S1-T1" ? failed("Error: no bees") : undefined,
    );
    const run = await stage.start("Write");
    await stage.drive(run);
    stage.files.beforeOperation = (operation, path) => {
      if (operation === "createFile" && path.endsWith("/failure.md")) {
        stage.lock.occupy(`run-${run}`);
      }
    };
    const end = await stage.decide(run, { type: "CONFIRM" });
    assert.match(spoken(end.reason), /took this over/);
    assert.deepEqual((await statuses(stage, "tasks", run)).at(-1), "P1-S1-T1 PENDING");
    assert.deepEqual(await statuses(stage, "process_runs", ""), [`${run} PENDING`]);
  });

  it("[R-MV-24] fails, too, when a plan cannot be made, or what helps a task cannot be done", async () => {
    const planned = new RunStage(files, (unit) =>
      unit === "Planner plan-phase-P1" ? failed("No idea.") : undefined,
    );
    const { run } = await confirmed(planned);
    assert.equal((await statuses(planned, "phases", run))[0], "P1 FAILED");
    assert.match(planned.files.text(`runs/${run}/failure.md`) ?? "", /plan_target phase:P1/);
    const proposed = new RunStage(files, (unit) =>
      unit === "Planner plan-feedback_generation-1" ? failed("No idea.") : undefined,
    );
    const other = await proposed.start("Write");
    assert.equal((await proposed.drive(other)).status, "failed");
    assert.deepEqual(await statuses(proposed, "process_runs", ""), [`${other} FAILED`]);
  });

  it("[R-MV-24] wants to know why, from whoever says that it failed", async () => {
    const told: string[] = [];
    const silent = ["Planner plan-phase-P1", "Executor T04"];
    const ends: string[] = [];
    for (const one of silent) {
      const stage = new RunStage(files, (unit, { messages }) => {
        if (unit !== one) return undefined;
        if (messages.length > 2) told.push(messages.at(-1)?.content ?? "");
        return failed(messages.length > 2 ? "No bees." : " ");
      });
      const { run, end } = await confirmed(stage);
      ends.push(end.status);
      assert.match(stage.files.text(`runs/${run}/failure.md`) ?? "", /\nNo bees\.\n/);
    }
    assert.deepEqual(ends, ["failed", "failed"]);
    const why = "FAILED needs error_log: say what went wrong, in full.";
    assert.deepEqual(told, [why, why]);
  });

  it("[R-MV-26] names the run that has failed, whatever the communicator says", async () => {
    let tries = 0;
    const stage = new RunStage(files, (unit) => {
      if (unit === "Planner plan-phase-P1") return failed("No idea.");
      if (unit !== "Communicator report" || ++tries > 1) return undefined;
      return calls("attempt_completion", { message: "It did not work." });
    });
    const { run } = await confirmed(stage);
    assert.equal(tries, 2);
    assert.ok(stage.said.at(-1)?.startsWith(`${run}\n`), stage.said.at(-1));
  });

  it("[R-MV-28] says with code what a run has come to, and what it has used", async () => {
    const usage = { inputTokens: 1_000, outputTokens: 234, cachedTokens: 0, costUsd: 0.05 };
    const stage = new RunStage(files, (_unit, { messages }) => {
      const results = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
      return { ...runReply(messages[1]?.content ?? "", results), usage };
    });
    const { run } = await confirmed(stage);
    assert.ok(stage.units.every((unit) => !unit.startsWith("Communicator")));
    const report = stage.files.text(`runs/${run}/report_for_user.md`) ?? "";
    assert.equal(`${stage.said.at(-1) ?? ""}\n`, report);
    await golden("runs/report.md", report);
    // Another run's agents are not counted.
    stage.clock.advance(60_000);
    const other = await confirmed(stage, "Write of wasps");
    const [, used = ""] = /Used: (\d+) requests/.exec(report) ?? [];
    const second = stage.files.text(`runs/${other.run}/report_for_user.md`) ?? "";
    assert.ok(second.includes(`Used: ${used} requests`), second);
  });

  it("[R-MV-26] tells that it has failed, even where no model can be had for that", async () => {
    const stage = new RunStage(files, (unit) => {
      if (unit === "Planner plan-phase-P1") return failed("No idea.");
      return unit.startsWith("Communicator")
        ? { error: new ModelError("unauthorised", "The key is wrong.", {}) }
        : undefined;
    });
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "failed");
    const [said = ""] = stage.said.slice(-1);
    assert.ok(said.startsWith(`${run} has failed.\n`), said);
    assert.match(
      said,
      /No idea\.[^]*You can have it tried again or go on without[^]*Outputs: none\./,
    );
  });
});
