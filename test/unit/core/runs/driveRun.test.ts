import assert from "node:assert/strict";
import { temporaryName } from "../../../../src/core/access/temporaryName.js";
import { ModelError, type UserError } from "../../../../src/core/errors.js";
import { decideRun } from "../../../../src/core/runs/decideRun.js";
import { phaseNames, RunLayout } from "../../../../src/core/runs/documents/runLayout.js";
import {
  readRunTable,
  runTables,
  type TableName,
} from "../../../../src/core/runs/documents/runTables.js";
import { tableProblems } from "../../../../src/core/runs/documents/tableProblems.js";
import { type Said, spoken } from "../../../../src/core/text/words.js";
import type { Beginning } from "../../../../src/core/work/requestedWork.js";
import { commands, reports } from "../../../fakes/envelopes.js";
import { golden } from "../../../fakes/golden.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { runReply } from "../../../fakes/runPlays.js";
import { type Answer, RunStage } from "../../../fakes/runStage.js";
import { confirmed, failed, files, statuses, toldTo } from "./confirmedRun.js";

describe("a run", () => {
  it("[R-MV-1] [R-MV-2] [R-MV-8] [R-MV-11] [R-MV-12] [R-MV-13] [R-MV-22] [R-MV-27] [R-MV-28] [R-MV-31] goes from a request to its outputs", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write a report\nabout | bees");
    assert.equal(run, "run-20250102-030405-001");
    assert.equal((await stage.drive(run)).status, "waiting");
    assert.deepEqual(await stage.rows("user_instructions"), []);
    const end = await stage.decide(run, { type: "CONFIRM" });
    assert.deepEqual(end, { status: "done", reason: `${run} is complete.` });
    assert.deepEqual(stage.units, [
      "Planner plan-feedback_generation-1",
      "Executor T04",
      "Planner plan-phase-P1",
      // Its planner has left the stage's tasks to a later plan.
      "Planner plan-stage-P1-S1",
      "Executor P1-S1-T1",
      ...phaseNames
        .slice(1)
        .flatMap((_, index) => [
          `Planner plan-phase-P${index + 2}`,
          `Executor P${index + 2}-S1-T1`,
        ]),
    ]);
    assert.deepEqual(
      stage.files.paths.filter((path) => !path.startsWith(".rooroo/")),
      [
        "assets/.hidden",
        "assets/notes.md",
        "db/knowledge_base_catalog.md",
        "db/process_runs.md",
        "db/templates/default_phases.md",
        "db/user_instructions.md",
        "guidelines/style.md",
        `outputs/${run}/.gitkeep`,
        `outputs/${run}/report.md`,
        ...["major_stages", "phases", "tasks"].map((name) => `runs/${run}/db/${name}.md`),
        `runs/${run}/feedback_for_user.md`,
        `runs/${run}/report_for_user.md`,
        ...[
          "ANALYZING/.gitkeep",
          "ANALYZING/initial_analysis.md",
          "ANALYZING/notes.md",
          "GENERATING_OUTPUT/.gitkeep",
          "REFINING_CONTENT/.gitkeep",
          "REFINING_CONTENT/notes.md",
          "STRATEGIZING/.gitkeep",
          "STRATEGIZING/notes.md",
        ].map((path) => `runs/${run}/workspace/${path}`),
      ],
    );
    for (const name of Object.keys(runTables) as TableName[]) {
      const text: string = stage.files.text(stage.layout.table(name, run)) ?? "";
      assert.deepEqual(tableProblems(name, readRunTable(name, text)), [], name);
    }
    await golden("runs/process_runs.md", stage.files.text("db/process_runs.md") ?? "");
    await golden("runs/catalog.md", stage.files.text("db/knowledge_base_catalog.md") ?? "");
    await golden("runs/feedback.md", stage.files.text(`runs/${run}/feedback_for_user.md`) ?? "");
    assert.match(toldTo(stage, "Executor T04"), /assets\/notes\.md: Notes/);
    assert.deepEqual(await stage.rows("user_instructions"), [
      `I1 | ${run} | format | Two pages at most | ACTIVE |  | You said so.`,
    ]);
    assert.match(stage.said.at(-1) ?? "", /^\[Job Completed\] .*outputs\/run-/);
    // Nothing is done to it any more.
    const before = new Map(stage.files.paths.map((path) => [path, stage.files.text(path)]));
    assert.deepEqual(await stage.drive(run), end);
    assert.deepEqual(
      new Map(stage.files.paths.map((path) => [path, stage.files.text(path)])),
      before,
    );
    await assert.rejects(stage.decide(run, { type: "CANCEL" }), {
      code: "runOver",
      params: { runId: run, status: "COMPLETED" },
    });
  });

  it("[R-MV-2] [R-MV-24] goes on from wherever it is killed, and asks no agent twice for what it submitted", async () => {
    const whole = new RunStage(files);
    const { run } = await confirmed(whole);
    const stage = new RunStage(files);
    assert.equal(await stage.start("Write a report about bees"), run);
    const changes = ["createFile", "replaceFile", "removeFile", "appendLines"];
    let kills = 0;
    /** Does work whose process is killed again and again, after one to thirteen changes of files. */
    const killed = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        let left = 2 + ((kills * 5) % 13);
        stage.files.beforeOperation = (operation) => {
          if (changes.includes(operation) && --left === 0) throw new Error("killed");
        };
        // A process that is killed lets go of its locks.
        stage.lock = new MemoryLock();
        try {
          return await work();
        } catch (error) {
          assert.match(String(error), /killed/);
          assert.ok(++kills < 200, stage.units.at(-1));
        } finally {
          delete stage.files.beforeOperation;
        }
      }
    };
    const driveKilled = () => killed(() => stage.drive(run));
    assert.equal((await driveKilled()).status, "waiting");
    await killed(() => decideRun(run, { type: "CONFIRM" }, stage.store, stage.lock));
    const left = temporaryName("runs.md", "00000000ffffffff", "01234567");
    const cutOff = [`db/${left}`, `${stage.store.layout.run(run)}/db/${left}`];
    for (const path of cutOff) stage.files.put(path, "half");
    assert.deepEqual(await driveKilled(), { status: "done", reason: `${run} is complete.` });
    assert.ok(kills > 15, `killed ${kills} times`);
    assert.deepEqual(
      stage.files.paths.filter((path) => path.endsWith(left)),
      [],
    );
    for (const name of Object.keys(runTables) as TableName[]) {
      assert.deepEqual(await stage.rows(name, run), await whole.rows(name, run), name);
    }
    for (const path of stage.files.paths.filter((one) => one.endsWith("transcript.jsonl"))) {
      const handedIn = stage.files.text(path)?.match(/"name":"attempt_completion"/g);
      assert.equal(handedIn?.length, 1, path);
      assert.equal(stage.files.text(path)?.match(/"type":"user"/g)?.length, 1, path);
    }
  });

  it("[R-MV-10] waits for the person, over restarts, and is changed, confirmed or cancelled", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write a report about bees");
    const path = `runs/${run}/feedback_for_user.md`;
    assert.deepEqual(await stage.drive(run), {
      status: "waiting",
      reason: `${run} is awaiting your confirmation of ${path}.`,
    });
    const requests = stage.model.requests.length;
    stage.lock = new MemoryLock();
    assert.equal((await stage.drive(run)).status, "waiting");
    assert.equal(stage.model.requests.length, requests);
    assert.match(stage.said.at(-1) ?? "", /Two pages at most/);

    assert.equal(
      (await stage.decide(run, { type: "MODIFY", words: "Three\npages" })).status,
      "waiting",
    );
    const kept = stage.files.text(`runs/${run}/feedback_for_user.1.md`) ?? "";
    assert.ok(kept.endsWith("## What is to change\n\n> Three\n> pages\n"), kept);
    assert.match(toldTo(stage, "Planner plan-feedback_generation-2"), /> Three\n> pages\n/);
    await assert.rejects(stage.decide(run, { type: "MODIFY", words: " " }), {
      code: "changeEmpty",
    });
    // Who proposes once more is told of all changes that were wanted.
    await stage.decide(run, { type: "MODIFY", words: "In German" });
    assert.match(
      toldTo(stage, "Planner plan-feedback_generation-3"),
      /\.1\.md">[^]*> Three\n> pages\n[^]*\.2\.md">[^]*> In German\n/,
    );

    const text = stage.files.text(path) ?? "";
    stage.files.put(path, text.replace("Two pages", "Four pages") + "\n| stray | row |\n");
    await assert.rejects(
      stage.decide(run, { type: "CONFIRM" }),
      ({ code, params }: UserError) =>
        code === "proposalInvalid" &&
        params["path"] === `runs/${run}/feedback_for_user.md` &&
        params["line"] === 26 &&
        spoken(params["problem"] as Said).startsWith("This row is in no table"),
    );
    stage.files.put(path, text.replace("Two pages at most | format |  |", "Four pages | | I9 |"));
    await assert.rejects(
      stage.decide(run, { type: "CONFIRM" }),
      ({ code, params }: UserError) =>
        code === "instructionInactive" && params["instruction"] === "I9",
    );
    stage.files.put(path, text.replace("Two pages", "Four pages"));
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    assert.match((await stage.rows("user_instructions"))[0] ?? "", /Four pages at most/);

    stage.clock.advance(60_000);
    const other = await stage.start("Write a poem");
    await stage.drive(other);
    const end = await stage.decide(other, { type: "CANCEL" });
    assert.deepEqual(end, { status: "failed", reason: `${other} was cancelled.` });
    assert.match(stage.files.text(`runs/${other}/failure.md`) ?? "", /cancelled by user/);
    // The person knows that, and no model is asked to tell them.
    const told = stage.files.text(`runs/${other}/report_for_user.md`);
    assert.equal(told, `${other}: cancelled by user.\n`);
    assert.ok(stage.units.every((unit) => !unit.startsWith("Communicator")));
    assert.deepEqual((await statuses(stage, "process_runs", "")).at(-1), `${other} FAILED`);
    await assert.rejects(stage.decide(other, { type: "CONFIRM" }), { code: "runNotAwaiting" });
  });

  it("[R-MV-10] never has a proposal that could be taken for a confirmed one", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write a report about bees");
    const path = `runs/${run}/feedback_for_user.md`;
    stage.files.beforeOperation = () => {
      if (stage.files.text(path) === undefined) return;
      assert.match(stage.files.text("db/process_runs.md") ?? "", /\| AWAITING_CONFIRMATION \|/);
    };
    assert.equal((await stage.drive(run)).status, "waiting");
  });

  it("[R-MV-10] has been cancelled, or waits still, wherever the process is killed that cancels it", async () => {
    for (let moment = 1; ; moment++) {
      const stage = new RunStage(files);
      const run = await stage.start("Write");
      await stage.drive(run);
      let left = moment;
      stage.files.beforeOperation = (operation) => {
        const isChange = ["createFile", "replaceFile", "removeFile"].includes(operation);
        if (isChange && --left === 0) throw new Error("killed");
      };
      const attempt = decideRun(run, { type: "CANCEL" }, stage.store, stage.lock);
      const isKilled = await attempt.then(
        () => false,
        () => true,
      );
      delete stage.files.beforeOperation;
      stage.lock = new MemoryLock();
      const [row] = await stage.store.rows("process_runs");
      const isCancelled = row?.status === "FAILED";
      if (!isCancelled) await decideRun(run, { type: "CANCEL" }, stage.store, stage.lock);
      assert.equal((await stage.drive(run)).reason, `${run} was cancelled.`, String(moment));
      if (isKilled) continue;
      assert.ok(moment > 3, String(moment));
      break;
    }
  });

  it("[R-MV-10] takes no decision on a proposal that is being written anew, nor on a run at work", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write a report about bees");
    await stage.drive(run);
    const path = `runs/${run}/feedback_for_user.md`;
    const text = stage.files.text(path) ?? "";
    const signals = [{ type: "CONFIRM" }, { type: "MODIFY", words: "Shorter" }] as const;
    await stage.files.removeFile(path);
    for (const signal of signals) {
      await assert.rejects(stage.decide(run, signal), {
        code: "runNotProposed",
      });
    }
    stage.files.put(path, text);
    const release = stage.lock.occupy(`run-${run}`, "another window");
    for (const signal of [...signals, { type: "CANCEL" } as const]) {
      await assert.rejects(decideRun(run, signal, stage.store, stage.lock), {
        code: "runHeldElsewhere",
      });
    }
    release();
    assert.deepEqual(await statuses(stage, "process_runs", ""), [`${run} AWAITING_CONFIRMATION`]);
    assert.equal(stage.files.text(path), text);
  });

  it("[R-MV-7] is prepared by exactly four tasks, which no model is asked for", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write");
    assert.equal((await stage.drive(run)).status, "waiting");
    assert.deepEqual(stage.units, ["Planner plan-feedback_generation-1"]);
    const rows = await stage.store.rows("tasks", run);
    assert.deepEqual(
      rows.map((row) => [row.task_id, row.stage_id, row.execution_order]),
      ["T00", "T02", "T03", "T04"].map((id, index) => [id, "0", String(index + 1)]),
    );
    assert.ok(rows.every((row) => row.task_name !== "" && row.task_purpose !== ""));
  });

  it("stops where it cannot go on, says why, and goes on when that is mended", async () => {
    let isAway = true;
    const stage = new RunStage(files, (unit) =>
      unit === "Planner plan-phase-P1" && isAway
        ? { error: new ModelError("unauthorised", "The key is wrong.", {}) }
        : undefined,
    );
    const { run, end } = await confirmed(stage);
    assert.deepEqual(end, { status: "stopped", reason: "The key is wrong." });
    isAway = false;
    const path = `runs/${run}/db/tasks.md`;
    const text = stage.files.text(path) ?? "";
    stage.files.put(path, `${text}\n| T9 | lost |\n`);
    const broken = await stage.drive(run);
    assert.equal(broken.status, "stopped");
    assert.match(
      spoken(broken.reason),
      /^runs\/.*\/db\/tasks\.md:8: This row is in no table.* Fix it/,
    );
    stage.files.put(path, text);
    stage.lock.occupy(`run-${run}`, "another window");
    assert.deepEqual(await stage.drive(run), {
      status: "elsewhere",
      reason: `${run} is running in another window.`,
    });
    stage.lock = new MemoryLock();
    assert.equal((await stage.drive(run)).status, "done");
  });

  it("[R-MV-1] trusts no table with places outside of the run, nor with ids that are paths", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write");
    await stage.drive(run);
    const path = `runs/${run}/db/tasks.md`;
    const text = stage.files.text(path) ?? "";
    const place = `runs/${run}/workspace/ANALYZING/initial_analysis.md`;
    stage.files.put(path, text.replace(place, "src/main.js"));
    await assert.rejects(
      stage.decide(run, { type: "CONFIRM" }),
      /tasks\.md:6: output_path says "src\/main/,
    );
    // A run of the same name, but elsewhere.
    stage.files.put(path, text.replace(place, `src/${place}`));
    const end = await stage.decide(run, { type: "CONFIRM" });
    assert.match(spoken(end.reason), /tasks\.md: a task of this run may not write src\/runs\//);
    assert.equal(end.status, "stopped");
    stage.files.put("db/process_runs.md", "| run_id | status |\n|-|-|\n| ../x | PENDING |\n");
    const { problem } = await stage.store.read("../x");
    assert.match(spoken(problem ?? ""), /^db\/process_runs\.md:1: There is no column user_request/);
  });

  it("goes on with a model that cannot call tools", async () => {
    const stage: RunStage = new RunStage(files, (unit, { messages }) => {
      const told = messages[1]?.content ?? "";
      const wrote = messages.some(({ content }) => content.startsWith('{"observation'));
      const { toolCalls = [] } = runReply(told, wrote ? ["Created it"] : []);
      const [call] = toolCalls;
      const args = call?.arguments as Record<string, unknown>;
      if (call?.name === "attempt_completion") return reports(args);
      const { path, content } = args as { path: string; content: string };
      return commands({ edit: { path, edits: [{ start: 0, end: 0, newText: content }] } });
    });
    stage.dialect = "envelope";
    const { end } = await confirmed(stage);
    assert.equal(end.status, "done", spoken(end.reason));
  });

  it("writes nothing of what came too late, when another has taken the run over", async () => {
    let run = "";
    const stage: RunStage = new RunStage(files, (unit) => {
      if (unit === "Planner plan-stage-P1-S1") stage.lock.occupy(`run-${run}`);
      return undefined;
    });
    run = await stage.start("Write");
    await stage.drive(run);
    const end = await stage.decide(run, { type: "CONFIRM" });
    assert.equal(end.status, "stopped");
    assert.match(spoken(end.reason), /took this over/);
    assert.deepEqual((await statuses(stage, "tasks", run)).at(-1), "T04 COMPLETED");
  });

  it("[R-MV-2] writes no result, nor a failure, once another has taken the run over", async () => {
    const lost = async (answer?: Answer) => {
      const stage = new RunStage(files, answer);
      const run = await stage.start("Write");
      await stage.drive(run);
      const publish = stage.events.push.bind(stage.events);
      stage.events.push = (...events) => {
        const ends = events.some(
          (event) => event.type === "sessionEnded" && event.taskId.endsWith("_plan-stage-P1-S1"),
        );
        if (ends) stage.lock.occupy(`run-${run}`);
        return publish(...events);
      };
      const end = await stage.decide(run, { type: "CONFIRM" });
      assert.equal(end.status, "stopped");
      assert.match(spoken(end.reason), /took this over/);
      assert.deepEqual((await statuses(stage, "tasks", run)).at(-1), "T04 COMPLETED");
      assert.deepEqual(await statuses(stage, "major_stages", run), ["P1-S1 PENDING"]);
      assert.equal(stage.files.text(`runs/${run}/failure.md`), undefined);
    };
    await lost();
    await lost((unit) => (unit === "Planner plan-stage-P1-S1" ? failed("No idea.") : undefined));
  });

  it("[R-MV-2] does not even note where it is, once another has taken the run over", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write");
    await stage.drive(run);
    const stages = `runs/${run}/db/major_stages.md`;
    let noted = "";
    stage.files.beforeOperation = (operation, path) => {
      // It reads the stages that it has just written, to see what comes next.
      const isNext = operation.startsWith("read") && path === stages;
      if (!isNext || noted !== "" || stage.files.text(stages)?.includes("PENDING") !== true) return;
      noted = stage.files.text("db/process_runs.md") ?? "";
      stage.lock.occupy(`run-${run}`);
    };
    const end = await stage.decide(run, { type: "CONFIRM" });
    assert.match(spoken(end.reason), /took this over/);
    assert.equal(stage.files.text("db/process_runs.md"), noted);
    assert.match(noted, /\| P1 /);
  });

  it("is not kept from going on by what is wrong with another run", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write");
    const text = stage.files.text("db/process_runs.md") ?? "";
    stage.files.put("db/process_runs.md", `${text}| run-x | Other | LOST |\n`);
    assert.equal((await stage.drive(run)).status, "waiting");
    assert.match(
      spoken((await stage.store.read("run-x")).problem ?? ""),
      /process_runs\.md:4: status says "LOST"/,
    );
  });

  it("[R-MV-35] does nothing with tables that are another run's", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write");
    await stage.drive(run);
    const path = `runs/${run}/db/phases.md`;
    stage.files.put(path, (stage.files.text(path) ?? "").replaceAll(run, "run-x"));
    const { status, reason } = await stage.drive(run);
    assert.equal(status, "stopped");
    assert.ok(
      spoken(reason).startsWith(`${path}:3: The row is of run-x, the table of ${run}.`),
      spoken(reason),
    );
  });

  it("[R-MV-17] [R-MV-31] has the plan of its outputs in the catalog, and outputs wherever its root is", async () => {
    let run = "";
    const stage = new RunStage({ "multiverse/assets/notes.md": "# Notes\n" }, (unit) => {
      if (unit !== "Planner plan-phase-P4") return undefined;
      const outputs = ["plan.md", `multiverse/outputs/${run}/report.md`];
      const tasks = outputs.map((output_path) => {
        const task = { task_name: "Put together", task_purpose: "Put it together", output_path };
        return { ...task, related_references: ["multiverse/assets/notes.md"] };
      });
      return calls("attempt_completion", { stages: [{ stage_name: "S", stage_goal: "G", tasks }] });
    });
    stage.layout = new RunLayout("multiverse");
    run = await stage.start("Write");
    await stage.drive(run);
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    const made = await stage.store.rows("knowledge_base_catalog");
    assert.deepEqual(
      made.slice(-2).map(({ file_path, asset_type }) => [file_path, asset_type]),
      [
        [`multiverse/runs/${run}/workspace/GENERATING_OUTPUT/plan.md`, "ASSEMBLY_PLAN"],
        [`multiverse/outputs/${run}/report.md`, "FINAL_OUTPUT"],
      ],
    );
  });

  it("[R-MV-5] gives each run an id of its own", async () => {
    const stage = new RunStage();
    const ids = [await stage.start("One"), await stage.start("Two | three")];
    assert.deepEqual(ids, ["run-20250102-030405-001", "run-20250102-030405-002"]);
    assert.deepEqual(await stage.rows("process_runs"), [
      `${ids[0] ?? ""} | One | PENDING |  |  | `,
      `${ids[1] ?? ""} | Two | three | PENDING |  |  | `,
    ]);
  });

  it("[R-MV-5] takes no id that another has just taken, and begun again is the run that it was", async () => {
    const stage = new RunStage();
    const one = await stage.start("One");
    const log: string[] = [];
    const note = (what: string) => Promise.resolve(void log.push(what));
    const begun = (more: Partial<Beginning> = {}): Beginning => ({
      becomes: note,
      end: () => note("end"),
      leave: () => note("leave"),
      ...more,
    });
    let others = 0;
    const becomes = async (id: string) => {
      await note(id);
      // In this moment another window begins a run.
      if (others++ === 0) await stage.start("Other");
    };
    const run = await stage.start("Two", begun({ becomes }));
    const [second, third] = [one.replace(/1$/, "2"), one.replace(/1$/, "3")];
    assert.equal(run, third);
    assert.deepEqual(log.splice(0), [second, third, "end"]);
    // Its process was killed before the row was written, or after that.
    for (const became of [one.replace(/1$/, "9"), third]) {
      assert.equal(await stage.start("Two", begun({ became })), became);
      assert.deepEqual(log.splice(0), [became, "end"]);
    }
    assert.deepEqual(
      (await stage.store.rows("process_runs")).map((row) => `${row.run_id} ${row.user_request}`),
      [`${one} One`, `${second} Other`, `${third} Two`, `${one.replace(/1$/, "9")} Two`],
    );
  });
});
