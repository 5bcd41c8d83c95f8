import assert from "node:assert/strict";
import { decideRun } from "../../../../src/core/runs/decideRun.js";
import { spoken } from "../../../../src/core/text/words.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { type Answer, RunStage } from "../../../fakes/runStage.js";
import { confirmed, failed, files, statuses, toldTo } from "./confirmedRun.js";

/** Returns a run whose task of the second phase fails as long as `isBroken` says so. */
function broken(isBroken: () => boolean): RunStage {
  return new RunStage(files, (unit) =>
    unit.startsWith("Executor P2-S1-T1") && isBroken()
      ? failed("Error: no bees\nat hive")
      : undefined,
  );
}

describe("a run that has failed and goes on", () => {
  it("[R-MV-24] tries again what has failed, and tells it why it did", async () => {
    let isBroken = true;
    const stage = broken(() => isBroken);
    const { run, end } = await confirmed(stage);
    assert.deepEqual(end, { status: "failed", reason: `${run} has failed.`, canSkip: true });
    const report = stage.files.text(`runs/${run}/failure.md`);
    isBroken = false;
    const done = await stage.decide(run, { type: "RETRY" });
    assert.equal(done.status, "done", spoken(done.reason));
    assert.equal(stage.files.text(`runs/${run}/failure.1.md`), report);
    assert.equal(stage.files.text(`runs/${run}/failure.md`), undefined);
    assert.deepEqual(stage.units.slice(stage.units.indexOf("Communicator report")), [
      "Communicator report",
      "Executor P2-S1-T1-try2",
      "Planner plan-phase-P3-try2",
      "Executor P3-S1-T1-try2",
      "Planner plan-phase-P4-try2",
      "Executor P4-S1-T1-try2",
    ]);
    const told = toldTo(stage, "Executor P2-S1-T1-try2");
    assert.match(told, /<data from="an earlier try, which failed">[^]*no bees\nat hive/);
    assert.doesNotMatch(toldTo(stage, "Executor P3-S1-T1-try2"), /no bees/);
    for (const name of ["phases", "major_stages", "tasks"] as const) {
      const rows = await statuses(stage, name, run);
      assert.ok(
        rows.every((row) => row.endsWith(" COMPLETED")),
        rows.join(),
      );
    }
    assert.match(stage.said.at(-1) ?? "", /^\[Job Completed\]/);
    assert.ok(stage.files.text(`runs/${run}/report_for_user.md`)?.startsWith("[Job Completed]"));
  });

  it("[R-MV-12] has its instructions in the table while it goes on, and those that they replace while it has failed", async () => {
    const rule = (content: string, ...supersedes: string[]) => {
      return { instruction_type: "format", content, supersedes, justification: "So be it." };
    };
    const proposals = [[rule("Two pages")], [rule("Nine pages", "I1")], [rule("Bold", "I1")]];
    let isBroken = false;
    let round = 0;
    const stage = new RunStage(files, (unit) => {
      if (unit.startsWith("Executor P2-S1-T1") && isBroken) return failed("No bees.");
      if (unit !== "Planner plan-feedback_generation-1") return undefined;
      const instructions = proposals[round++];
      return calls("attempt_completion", { summary: "A report.", instructions });
    });
    const rules = async () =>
      (await stage.store.rows("user_instructions")).map((row) =>
        [row.instruction_id, row.status, row.superseded_by_id].join(" ").trim(),
      );
    await confirmed(stage);
    isBroken = true;
    stage.clock.advance(60_000);
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "failed");
    assert.deepEqual(await rules(), ["I1 ACTIVE", `I2 SUPERSEDED ${run}`]);
    isBroken = false;
    assert.equal((await stage.decide(run, { type: "RETRY" })).status, "done");
    assert.deepEqual(await rules(), ["I1 SUPERSEDED I2", "I2 ACTIVE"]);
  });

  it("[R-MV-12] holds to nothing in the table once it is cancelled", async () => {
    const stage = broken(() => true);
    const { run } = await confirmed(stage);
    const set = (status: string) =>
      stage.store.write(run, [
        { table: "process_runs", edit: { type: "set", id: run, values: { status } } },
        {
          table: "user_instructions",
          edit: { type: "set", id: "I1", values: { status: "ACTIVE", superseded_by_id: "" } },
        },
      ]);
    // As if it were cancelled in the middle of its work.
    await set("PENDING");
    await decideRun(run, { type: "CANCEL" }, stage.store, new MemoryLock());
    const [row] = await stage.store.rows("user_instructions");
    assert.deepEqual([row?.status, row?.superseded_by_id], ["SUPERSEDED", run]);
  });

  it("[R-MV-20] is told of the output that the failed try has left, and writes none unseen", async () => {
    let tries = 0;
    let run = "";
    const path = () => `runs/${run}/workspace/STRATEGIZING/notes.md`;
    const both = (content: string) => ({
      toolCalls: [
        { name: "write_file", arguments: { path: path(), content } },
        { name: "attempt_completion", arguments: { status: "SUCCESS", summary: "Notes" } },
      ],
    });
    const results: string[] = [];
    const stage = new RunStage(files, (unit, { messages }) => {
      if (!unit.startsWith("Executor P2-S1-T1")) return undefined;
      results.push(
        ...messages.slice(-2).flatMap((one) => (one.role === "tool" ? one.content : [])),
      );
      const replies = [
        calls("write_file", { path: path(), content: "Half of it.\n" }),
        failed("Error: no bees"),
        both("All of it.\n"),
        calls("read_file", { path: path() }),
        both("All of it.\n"),
      ];
      return replies[tries++];
    });
    run = await stage.start("Write");
    await stage.drive(run);
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "failed");
    const done = await stage.decide(run, { type: "RETRY" });
    assert.equal(done.status, "done", spoken(done.reason));
    assert.match(
      toldTo(stage, "Executor P2-S1-T1-try2"),
      /\n\nThe earlier try has left something there: read it before you write\.\n/,
    );
    assert.ok(results.some((one) => one.startsWith("write_file failed in the same reply.")));
    assert.equal(stage.files.text(path()), "All of it.\n");
    assert.equal(tries, 5);
  });

  it("[R-MV-24] fails once more if it must, and is tried a third time", async () => {
    let tries = 0;
    const stage = broken(() => ++tries < 3);
    const { run } = await confirmed(stage);
    assert.equal((await stage.decide(run, { type: "RETRY" })).status, "failed");
    assert.equal((await stage.decide(run, { type: "RETRY" })).status, "done");
    const kept = stage.files.paths.filter((path) => /failure\.\d\.md$/.test(path));
    assert.equal(kept.length, 2);
    // It is told of the last failure, not of the first.
    const told = toldTo(stage, "Executor P2-S1-T1-try3");
    assert.match(told, /<data from="an earlier try, which failed">[^]*\n- try: 2\n/);
  });

  it("[R-MV-24] goes on without what has failed, and says so to who would need it and in the end", async () => {
    const answer: Answer = (unit, { messages }) => {
      if (unit === "Executor P2-S1-T1") return failed("Error: no bees\nat hive");
      if (!unit.startsWith("Planner plan-phase-P3")) return undefined;
      const strategy = /^(\S+STRATEGIZING\/notes\.md)/m.exec(messages[1]?.content ?? "");
      assert.equal(strategy, null, "what is not there is in no catalog");
      const task = { task_name: "Deepen", task_purpose: "Deepen it", output_path: "deep.md" };
      const references = [`runs/${run}/workspace/STRATEGIZING/notes.md`];
      const tasks = [{ ...task, related_references: references }];
      return calls("attempt_completion", { stages: [{ stage_name: "S", stage_goal: "G", tasks }] });
    };
    let run = "";
    const stage = new RunStage(files, answer);
    run = await stage.start("Write a report");
    await stage.drive(run);
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "failed");
    const done = await stage.decide(run, { type: "SKIP" });
    assert.equal(done.status, "done", spoken(done.reason));
    assert.deepEqual(await stage.rows("left_out", run), [
      `P2-S1-T1 | ${run} | Task in STRATEGIZING | task P2-S1-T1: Error: no bees ⏎ at hive`,
    ]);
    assert.ok((await statuses(stage, "tasks", run)).includes("P2-S1-T1 FAILED"));
    assert.ok((await statuses(stage, "phases", run)).every((row) => row.endsWith(" COMPLETED")));
    assert.match(
      toldTo(stage, "Executor P3-S1-T1-try2"),
      /STRATEGIZING\/notes\.md \(It is not there\.\)/,
    );
    assert.match(
      stage.said.at(-1) ?? "",
      /\nLeft out:\n- Task in STRATEGIZING: task P2-S1-T1: Error: no bees ⏎ at hive\n/,
    );
  });

  it("[R-MV-24] goes on without a stage or a phase whose plan has failed, and without a first document", async () => {
    for (const [unit, left] of [
      ["Planner plan-phase-P2", "P2"],
      ["Planner plan-stage-P1-S1", "P1-S1"],
      ["Executor T04", "T04"],
    ] as const) {
      const stage = new RunStage(files, (one) => (one === unit ? failed("No idea.") : undefined));
      const { run } = await confirmed(stage);
      assert.equal((await stage.decide(run, { type: "SKIP" })).status, "done", unit);
      assert.deepEqual(
        (await stage.store.rows("left_out", run)).map(({ part_id }) => part_id),
        [left],
      );
    }
  });

  it("[R-MV-27] goes on only if it has failed, and only without something", async () => {
    const stage = new RunStage(files, (unit) =>
      unit.startsWith("Planner plan-feedback") ? failed("No idea.") : undefined,
    );
    const run = await stage.start("Write");
    assert.deepEqual(await stage.drive(run), {
      status: "failed",
      reason: `${run} has failed.`,
      canSkip: false,
    });
    await assert.rejects(stage.decide(run, { type: "SKIP" }), { code: "nothingToLeaveOut" });
    assert.match(stage.said.at(-1) ?? "", /\nYou can have it tried again\.\n/);
    assert.equal((await stage.decide(run, { type: "RETRY" })).status, "failed");

    const well = new RunStage(files);
    const { run: done } = await confirmed(well);
    const signals = [{ type: "RETRY" }, { type: "SKIP" }] as const;
    for (const signal of signals) {
      await assert.rejects(well.decide(done, signal), {
        code: "runNotFailed",
        params: { runId: done, status: "COMPLETED" },
      });
    }
    // Its report says so in any language.
    const other = await well.start("Schreibe einen Bericht über die Bienen und den Honig");
    await well.drive(other);
    await well.decide(other, { type: "CANCEL" });
    for (const signal of signals) {
      await assert.rejects(well.decide(other, signal), { code: "runCancelled" });
    }
  });

  it("[R-MV-25] is as it was, or goes on, wherever the process is killed that takes the failure back", async () => {
    for (const type of ["RETRY", "SKIP"] as const) {
      for (let moment = 1; ; moment++) {
        let isBroken = true;
        const stage = broken(() => isBroken);
        const { run } = await confirmed(stage);
        isBroken = false;
        let left = moment;
        stage.files.beforeOperation = (operation) => {
          const isChange = ["createFile", "replaceFile", "removeFile"].includes(operation);
          if (isChange && --left === 0) throw new Error("killed");
        };
        const attempt = decideRun(run, { type }, stage.store, stage.lock);
        const isKilled = await attempt.then(
          () => false,
          () => true,
        );
        delete stage.files.beforeOperation;
        stage.lock = new MemoryLock();
        if (!isKilled) {
          assert.ok(moment > 6, String(moment));
          break;
        }
        assert.deepEqual(await statuses(stage, "process_runs", ""), [`${run} FAILED`]);
        const end = await stage.decide(run, { type });
        assert.equal(end.status, "done", `${type} ${moment}: ${spoken(end.reason)}`);
        const kept = stage.files.paths.filter((path) => /failure(\.\d)?\.md$/.test(path));
        assert.deepEqual(kept, [`runs/${run}/failure.1.md`], `${type} ${moment}`);
        assert.equal((await stage.rows("left_out", run)).length, type === "SKIP" ? 1 : 0);
      }
    }
  });
});
