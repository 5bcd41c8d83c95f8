import assert from "node:assert/strict";
import { RunLayout } from "../../../../src/core/runs/documents/runLayout.js";
import { carryOutRunAction } from "../../../../src/core/runs/runAction.js";
import { modeOf } from "../../../../src/core/runs/startRun.js";
import { spoken } from "../../../../src/core/text/words.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { RunStage } from "../../../fakes/runStage.js";
import { confirmed, failed, files, toldTo } from "./confirmedRun.js";

describe("how a request is taken up", () => {
  it("[R-MV-3] [R-MV-6] [R-MV-9] [R-MV-12] [R-MV-15] [R-MV-35] learns from earlier runs like it, and says what it takes the place of", async () => {
    const stage = new RunStage(files, (unit, request) => {
      const told = request.messages[1]?.content ?? "";
      if (unit !== "Planner plan-feedback_generation-1" || !told.includes("I1 [format] Two pages"))
        return undefined;
      if (request.messages.length < 4) {
        return calls("attempt_completion", { ...proposal([]), instructions: [] });
      }
      if (request.messages.length < 6) {
        assert.match(request.messages.at(-1)?.content ?? "", /needs instructions: at least one/);
        return calls("attempt_completion", proposal(["I7"]));
      }
      assert.match(
        request.messages.at(-1)?.content ?? "",
        /I7 is no active instruction\. There are: I1/,
      );
      return calls("attempt_completion", proposal(["I1"]));
    });
    const proposal = (supersedes: string[]) => ({
      summary: "Another report.",
      instructions: [
        {
          instruction_type: "format",
          content: "Five pages",
          supersedes,
          justification: "It has grown.",
        },
      ],
      conflicts: ["Two pages were said before.\n| content | x |"],
    });
    const mode = (isSimple?: boolean) =>
      modeOf(
        "Write a report about bees",
        isSimple,
        stage.store,
        stage.world,
        new AbortController().signal,
      );
    assert.equal(await mode(false), "INITIAL_RUN");
    const { run } = await confirmed(stage);
    assert.doesNotMatch(
      toldTo(stage, "Planner plan-feedback_generation-1"),
      /from="(active instructions|earlier)/,
    );
    assert.equal(await mode(false), "CONTINUOUS_RUN");
    stage.clock.advance(60_000);
    const { run: second, end } = await confirmed(stage, "Write another report about the bees");
    assert.equal(end.status, "done", spoken(end.reason));
    const told = toldTo(stage, "Planner plan-feedback_generation-1");
    assert.ok(told.includes(`${run} (COMPLETED): Write a report about bees`), told);
    assert.deepEqual(await stage.rows("user_instructions"), [
      `I1 | ${run} | format | Two pages at most | SUPERSEDED | I2 | It has grown.`,
      `I2 | ${second} | format | Five pages | ACTIVE |  | It has grown.`,
    ]);
    // What is at odds is shown, and nothing in it is taken for an instruction.
    assert.match(
      stage.files.text(`runs/${second}/feedback_for_user.md`) ?? "",
      /\n> Two pages were said before\.\n> \| content \| x \|\n/,
    );
    const task = toldTo(stage, "Executor P1-S1-T1");
    assert.match(task, /I2 \[format\] Five pages/);
    assert.doesNotMatch(task, /I1 \[/);
    assert.match(task, /<data from="guidelines\/style\.md">\nShort words\./);
    // What earlier runs have made is known by the catalog.
    const plan = toldTo(stage, "Planner plan-phase-P1");
    assert.ok(plan.includes(`outputs/${run}/report.md (FINAL_OUTPUT)`), plan);
    // What unlike ones have made is not.
    stage.clock.advance(60_000);
    const unlike = await confirmed(stage, "Translate it");
    assert.equal(unlike.end.status, "done", spoken(unlike.end.reason));
    assert.doesNotMatch(toldTo(stage, "Planner plan-phase-P2"), /FINAL_OUTPUT/);
    // Of the instructions of runs like it, the next one is told what became of them, too.
    stage.clock.advance(60_000);
    await stage.drive(await stage.start("Write one more report about the bees"));
    const history = toldTo(stage, "Planner plan-feedback_generation-1");
    assert.ok(history.includes(`${run} (COMPLETED): Write a report about bees\n- I1 `), history);
    assert.match(history, /^- I1 \[format\], SUPERSEDED by I2: Two pages at most$/m);
    assert.match(history, /^- I2 \[format\], ACTIVE: Five pages$/m);
    // A phase is planned by its purpose, and by the instructions that hold.
    const [phase] = await stage.store.rows("phases", second);
    assert.ok(phase !== undefined && plan.includes(phase.phase_purpose), plan);
    assert.match(plan, /I2 \[format\] Five pages/);
  });

  it("[R-MV-9] [R-MV-12] follows and replaces no instruction that has ended with its run", async () => {
    const rule = (instruction_type: string, content: string, ...supersedes: string[]) => {
      return { instruction_type, content, supersedes, justification: "So be it." };
    };
    const proposals = [
      [rule("goal", "A report"), rule("format", "Two pages")],
      [rule("format", "Nine pages", "I2")],
      [rule("format", "Three pages", "I1"), rule("tone", "Plain")],
      [rule("format", "Three pages", "I2"), rule("tone", "Plain")],
    ];
    const refused: string[] = [];
    let round = 0;
    const stage = new RunStage(files, (unit, { messages }) => {
      if (unit === "Executor T04" && round === 2) return failed("No bees.");
      if (unit !== "Planner plan-feedback_generation-1") return undefined;
      const last = messages.at(-1);
      if (last?.role === "tool") refused.push(last.content);
      const instructions = proposals[round++];
      return calls("attempt_completion", { summary: "A report.", instructions });
    });
    const next = async () => {
      stage.clock.advance(60_000);
      return confirmed(stage, "Write a report about bees");
    };
    assert.equal((await next()).end.status, "done");
    const second = await next();
    assert.equal(second.end.status, "failed");
    assert.equal((await next()).end.status, "done");
    assert.deepEqual(refused, ["I1 is no active instruction. There are: I2."]);
    const told = toldTo(stage, "Planner plan-feedback_generation-1");
    assert.match(told, /<instructions>\nI2 \[format\] Two pages\n<\/instructions>/);
    assert.match(told, /^- I1 \[goal\], ended with its run: A report$/m);
    assert.match(told, /^- I3 \[format\], ended with its run: Nine pages$/m);
    assert.match(
      toldTo(stage, "Executor T04"),
      /<instructions>\nI4 \[format\] Three pages\nI5 \[tone\] Plain\n<\/instructions>/,
    );
    assert.deepEqual(
      (await stage.store.rows("user_instructions")).map((row) => [
        row.status,
        row.superseded_by_id,
      ]),
      [
        ["ACTIVE", ""],
        ["SUPERSEDED", "I4"],
        ["SUPERSEDED", second.run],
        ["ACTIVE", ""],
        ["ACTIVE", ""],
      ],
    );
  });

  it("[R-MV-9] proposes each instruction once, and says what will be done", async () => {
    const rule = { instruction_type: "scope", content: "Two pages", justification: "So be it." };
    const told: string[] = [];
    const stage = new RunStage(files, (unit, { messages }) => {
      if (unit !== "Planner plan-feedback_generation-1") return undefined;
      if (messages.length > 2) told.push(messages.at(-1)?.content ?? "");
      const twice = { ...rule, content: " Two pages " };
      const instructions = told.length > 0 ? [rule] : [rule, twice];
      const summary = told.length === 1 ? " " : "A report.";
      const conflicts = ["One page was said", "So was none"];
      const questions = ["For whom?", "Until when?\nIf ever."];
      return calls("attempt_completion", { summary, instructions, conflicts, questions });
    });
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "done");
    // The person is shown all of it.
    const shown = stage.files.text(`runs/${run}/feedback_for_user.md`) ?? "";
    assert.match(shown, /\n## What will be done\n\n> A report\.\n/);
    assert.ok(
      shown.endsWith(
        "\n\n## What is at odds with earlier instructions\n\n> One page was said\n\n> So was none\n\n## Open questions\n\n> For whom?\n\n> Until when?\n> If ever.\n",
      ),
      shown,
    );
    assert.deepEqual(told, [
      "Say it once only: Two pages",
      "SUCCESS needs summary: what will be done and made.",
    ]);
    assert.equal((await stage.rows("user_instructions")).length, 1);
  });

  it("[R-MV-3] judges by a model only what the user has not said, and in doubt plans a run", async () => {
    const stage = new RunStage({}, () => ({ text: "Hm." }));
    const mode = (isSimple?: boolean) =>
      modeOf("List the files", isSimple, stage.store, stage.world, new AbortController().signal);
    const isAsked = () => stage.model.requests.length > 0;
    assert.deepEqual([await mode(true), await mode(false)], ["SIMPLE_TASK", "INITIAL_RUN"]);
    assert.equal(isAsked(), false);
    assert.equal(await mode(), "INITIAL_RUN");
    assert.equal(isAsked(), true);
  });

  it("[R-MV-3] [R-MV-4] does a single command at once, and leaves no trace of a run", async () => {
    const judged: boolean[] = [true, false];
    // On some systems a folder has a name in any case.
    const kept = ["Runs/x.md", "outputs/x.md", "db/x.md", "assets/x.md", "guidelines/x.md"];
    const tried = kept.map((path) => calls("write_file", { path, content: "x" }));
    const stage = new RunStage({ "a.txt": "x" }, (unit, { forcedTool }) => {
      if (forcedTool === "judge_request") {
        return calls("judge_request", { is_single_command: judged.shift() });
      }
      if (!unit.startsWith("Helper")) return undefined;
      return (
        tried.shift() ?? calls("attempt_completion", { status: "done", message: "There is one." })
      );
    });
    const { signal } = new AbortController();
    const request = "List the files";
    const mode = () => modeOf(request, undefined, stage.store, stage.world, signal);
    assert.deepEqual([await mode(), await mode()], ["SIMPLE_TASK", "INITIAL_RUN"]);
    const action = { type: "start", request, isSimple: true } as const;
    const end = await carryOutRunAction(action, stage.store, stage.world, signal);
    assert.deepEqual(end, { status: "done", reason: "There is one.", runId: undefined });
    assert.deepEqual(stage.said, ["There is one."]);
    const refused = stage.model.requests.at(-1)?.messages.filter(({ role }) => role === "tool");
    assert.equal(refused?.length, kept.length);
    for (const { content } of refused) assert.match(content, /nothing of the runs/);
    const made = stage.files.paths.filter((path) => !path.startsWith(".rooroo/"));
    assert.deepEqual(made, ["a.txt"]);
  });

  it("[R-MV-4] says that a single command has failed, and keeps to the runs' own place", async () => {
    const paths = ["multiverse/db/x.md", "db/x.md"];
    const tried = paths.map((path) => calls("write_file", { path, content: "x" }));
    const said = calls("attempt_completion", { status: "failed", message: "There is none." });
    const stage = new RunStage({}, () => tried.shift() ?? said, "all");
    stage.layout = new RunLayout("multiverse");
    const action = { type: "start", request: "List the files", isSimple: true } as const;
    const { signal } = new AbortController();
    const end = await carryOutRunAction(action, stage.store, stage.world, signal);
    assert.deepEqual(end, { status: "failed", reason: "There is none.", runId: undefined });
    const made = stage.files.paths.filter((path) => !path.startsWith(".rooroo/"));
    assert.deepEqual(made, ["db/x.md"]);
  });
});
