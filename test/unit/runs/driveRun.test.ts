import assert from "node:assert/strict";
import { ModelError } from "../../../src/core/errors.js";
import { decideRun } from "../../../src/core/runs/decideRun.js";
import { phaseNames } from "../../../src/core/runs/runLayout.js";
import { readRunTable, runTables, type TableName } from "../../../src/core/runs/runTables.js";
import { tableProblems } from "../../../src/core/runs/tableProblems.js";
import { modeOf, simpleTask } from "../../../src/core/runs/startRun.js";
import { golden } from "../../fakes/golden.js";
import { PlainCharts } from "../../fakes/plainCharts.js";
import { MemoryLock } from "../../fakes/memoryLock.js";
import { commands, reports } from "../../fakes/envelopes.js";
import { calls } from "../../fakes/navigatorWorld.js";
import { runReply } from "../../fakes/runPlays.js";
import { type Answer, RunStage } from "../../fakes/runStage.js";

const files = {
  "assets/notes.md": "# Notes\n\nA lot | of them.\n",
  "assets/.hidden": "x",
  "guidelines/style.md": "Short words.\n",
};
const failed = (log: string) => calls("attempt_completion", { status: "failed", error_log: log });

/** A run that has been confirmed, and gone on as far as it went. */
async function confirmed(stage: RunStage, request = "Write a report about bees") {
  const run = await stage.start(request);
  assert.equal((await stage.drive(run)).status, "waiting");
  const end = await stage.decide(run, { type: "CONFIRM" });
  return { run, end };
}

/** Statuses by row, of a table. */
async function statuses(stage: RunStage, name: TableName, run: string): Promise<string[]> {
  const rows: Readonly<Record<string, string>>[] = await stage.store.rows(name, run);
  return rows.map((row) => `${Object.values(row)[0] ?? ""} ${row["status"] ?? ""}`);
}

/** What the last agent of that name was told. */
function toldTo(stage: RunStage, unit: string): string {
  const at = stage.units.lastIndexOf(unit);
  const began = stage.events.filter(({ type }) => type === "began")[at];
  const taskId = began?.type === "began" ? began.taskId : "";
  const [, user = ""] = (stage.files.text(`.rooroo/tasks/${taskId}/transcript.jsonl`) ?? "").split(
    "\n",
  );
  return (JSON.parse(user) as { content: string }).content;
}

describe("a run", () => {
  it("[R-MV-1] [R-MV-2] [R-MV-8] [R-MV-11] [R-MV-12] [R-MV-13] [R-MV-22] [R-MV-28] goes from a request to its outputs", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write a report\nabout | bees");
    assert.equal(run, "run-20250102-030405-001");
    assert.equal((await stage.drive(run)).status, "waiting");
    assert.deepEqual(await stage.rows("user_instructions"), []);
    const end = await stage.decide(run, { type: "CONFIRM" });
    assert.deepEqual(end, { status: "done", reason: `${run} is complete.` });
    assert.deepEqual(stage.units, [
      "Planner plan-phase-0",
      "Planner plan-feedback_generation-1",
      "Communicator ask-1",
      "Executor T04",
      ...phaseNames.flatMap((_, index) => [
        `Planner plan-phase-P${index + 1}`,
        `Planner plan-stage-P${index + 1}-S1`,
        `Executor P${index + 1}-S1-T1`,
      ]),
      "Communicator report",
    ]);
    assert.deepEqual(
      stage.files.paths.filter((path) => !path.startsWith(".rooroo/")),
      [
        ...["assets/.hidden", "assets/notes.md", "db/knowledge_base_catalog.md"],
        ...["db/process_runs.md", "db/templates/default_phases.md", "db/user_instructions.md"],
        ...["guidelines/style.md", `outputs/${run}/.gitkeep`, `outputs/${run}/report.md`],
        ...["major_stages", "phases", "tasks"].map((name) => `runs/${run}/db/${name}.md`),
        ...[`runs/${run}/feedback_for_user.md`, `runs/${run}/report_for_user.md`],
        ...[
          ...["ANALYZING/.gitkeep", "ANALYZING/initial_analysis.md", "ANALYZING/notes.md"],
          ...["GENERATING_OUTPUT/.gitkeep", "REFINING_CONTENT/.gitkeep"],
          ...["REFINING_CONTENT/notes.md", "STRATEGIZING/.gitkeep", "STRATEGIZING/notes.md"],
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
      `I1 | ${run} | scope | Two pages at most | ACTIVE |  | You said so.`,
    ]);
    assert.match(stage.said.at(-1) ?? "", /^\[Job Completed\] .*outputs\/run-/);
    // Nothing is done to it any more.
    const before = new Map(stage.files.paths.map((path) => [path, stage.files.text(path)]));
    assert.deepEqual(await stage.drive(run), end);
    assert.deepEqual(
      new Map(stage.files.paths.map((path) => [path, stage.files.text(path)])),
      before,
    );
    await assert.rejects(stage.decide(run, { type: "CANCEL" }), /is over: it is COMPLETED/);
  });

  it("[R-MV-2] [R-MV-24] goes on from wherever it is killed, and asks no agent twice for what it handed in", async () => {
    const whole = new RunStage(files);
    const { run } = await confirmed(whole);
    const stage = new RunStage(files);
    assert.equal(await stage.start("Write a report about bees"), run);
    const changes = ["createFile", "replaceFile", "removeFile", "appendLines"];
    let kills = 0;
    /** Killed again and again, after one to thirteen changes of files. */
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
    assert.deepEqual(await driveKilled(), { status: "done", reason: `${run} is complete.` });
    assert.ok(kills > 15, `killed ${kills} times`);
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
      ...{ status: "waiting", reason: `${run} waits for your word on ${path}.` },
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
    await assert.rejects(
      stage.decide(run, { type: "MODIFY", words: " " }),
      /Say what is to change/,
    );

    const text = stage.files.text(path) ?? "";
    stage.files.put(path, text.replace("Two pages", "Four pages") + "\n| stray | row |\n");
    await assert.rejects(
      stage.decide(run, { type: "CONFIRM" }),
      /^UserError: runs\/.*feedback_for_user\.md:19: This row is in no table/,
    );
    stage.files.put(path, text.replace("Two pages at most | scope |  |", "Four pages | | I9 |"));
    await assert.rejects(stage.decide(run, { type: "CONFIRM" }), /I9 is no instruction that holds/);
    stage.files.put(path, text.replace("Two pages", "Four pages"));
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    assert.match((await stage.rows("user_instructions"))[0] ?? "", /Four pages at most/);

    stage.clock.advance(60_000);
    const other = await stage.start("Write a poem");
    await stage.drive(other);
    const end = await stage.decide(other, { type: "CANCEL" });
    assert.deepEqual(end, { status: "failed", reason: `${other} has failed.` });
    assert.match(stage.files.text(`runs/${other}/failure.md`) ?? "", /cancelled by user/);
    assert.deepEqual((await statuses(stage, "process_runs", "")).at(-1), `${other} FAILED`);
    await assert.rejects(stage.decide(other, { type: "CONFIRM" }), /does not wait to be confirmed/);
  });

  it("[R-MV-19] [R-MV-21] [R-MV-33] [R-MV-34] has what helps a task planned and done, before and after it", async () => {
    const answer: Answer = (unit) => {
      if (unit !== "Planner plan-stage-P1-S1") return undefined;
      const task = { task_name: "Count", task_purpose: "Count the bees" };
      const references = { related_references: ["assets/notes.md"], output_path: "count.md" };
      return calls("attempt_completion", {
        tasks: [{ ...task, ...references, pre_tool_purpose: "Look up how many there are" }],
      });
    };
    const after: Answer = (unit, request) =>
      unit === "Executor P1-S1-T1" && request.messages.some(({ role }) => role === "tool")
        ? calls("attempt_completion", {
            ...{ status: "SUCCESS", summary: "Numbers" },
            ...{ post_tool_required: true, post_tool_purpose: "Draw them" },
          })
        : answer(unit, request);
    const guide = { "guidelines/mcp_list.md": "# Survey\nAsk, then count, then draw.\n" };
    const stage = new RunStage({ ...files, ...guide }, after);
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "done", end.reason);
    const at = stage.units.indexOf("Planner plan-stage-P1-S1");
    assert.deepEqual(stage.units.slice(at + 1, at + 6), [
      "Planner plan-pre_tool-P1-S1-T1",
      "Executor P1-S1-T1-PRE1",
      "Executor P1-S1-T1",
      "Planner plan-post_tool-P1-S1-T1",
      "Executor P1-S1-T1-POST1",
    ]);
    const tools = await statuses(stage, "tool_tasks", run);
    assert.deepEqual(tools, ["P1-S1-T1-PRE1 COMPLETED", "P1-S1-T1-POST1 COMPLETED"]);
    const folder = `runs/${run}/workspace/ANALYZING/tools`;
    assert.ok(stage.files.text(`${folder}/P1-S1-T1-PRE1.md`));
    assert.match(
      toldTo(stage, "Executor P1-S1-T1"),
      /tools\/P1-S1-T1-PRE1\.md: About P1-S1-T1-PRE1/,
    );
    assert.match(toldTo(stage, "Planner plan-pre_tool-P1-S1-T1"), /Ask, then count/);
    assert.doesNotMatch(toldTo(stage, "Executor P1-S1-T1-PRE1"), /Ask, then count/);
    // Who executes knows nothing of them.
    assert.doesNotMatch(toldTo(stage, "Executor P1-S1-T1"), /mcp_list/);
    const types = await stage.rows("knowledge_base_catalog");
    assert.equal(types.filter((row) => row.includes("TOOL_OUTPUT")).length, 2);
  });

  it("[R-MV-33] wants a chart as a page of its own, and sources from who searches", async () => {
    let tries = 0;
    const stage = new RunStage(files, (unit, request) => {
      if (unit === "Planner plan-stage-P1-S1") {
        return calls("attempt_completion", {
          tasks: [
            {
              ...{ task_name: "Count", task_purpose: "Count", output_path: "count.md" },
              ...{ related_references: ["assets/notes.md"], post_tool_purpose: "Draw it" },
            },
          ],
        });
      }
      if (unit === "Planner plan-post_tool-P1-S1-T1") {
        const tool = { tool_type: "Data Visualization", tool_task_name: "Draw" };
        return calls("attempt_completion", {
          tool_tasks: [{ ...tool, tool_task_purpose: "Bars" }],
        });
      }
      if (unit !== "Executor P1-S1-T1-POST1") return undefined;
      const stem = /Write its output to: (\S+)\.html$/m.exec(
        request.messages[1]?.content ?? "",
      )?.[1];
      tries++;
      if (tries === 3) {
        assert.match(request.messages.at(-1)?.content ?? "", /nothing in .*POST1\.html yet/);
      }
      const endings = [".md", undefined, ".html"];
      const ending = endings[tries - 1];
      if (ending === undefined) return calls("attempt_completion", { status: "SUCCESS" });
      return calls("write_file", { path: `${stem ?? ""}${ending}`, content: "<svg/>" });
    });
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "done", end.reason);
    assert.match(toldTo(stage, "Executor P1-S1-T1-POST1"), /as SVG/);
    const row = (await stage.rows("knowledge_base_catalog")).find((one) => one.includes("POST1"));
    assert.ok(row?.startsWith(`runs/${run}/workspace/ANALYZING/tools/P1-S1-T1-POST1.html`), row);
  });

  it("[R-MV-33] has a chart drawn, not written, by who visualizes data and nobody else", async () => {
    const drawn = async (charts: PlainCharts | undefined) => {
      const offered: string[] = [];
      const stage: RunStage = new RunStage(files, (unit, request) => {
        const names = request.tools.map(({ name }) => name);
        if (names.includes("draw_chart")) offered.push(unit);
        if (unit === "Planner plan-stage-P1-S1") {
          const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
          const more = { related_references: ["assets/notes.md"], post_tool_purpose: "Draw it" };
          return calls("attempt_completion", { tasks: [{ ...task, ...more }] });
        }
        if (unit === "Planner plan-post_tool-P1-S1-T1") {
          const tool = { tool_type: "Data Visualization", tool_task_name: "Draw" };
          const tools = [{ ...tool, tool_task_purpose: "Bars" }];
          return calls("attempt_completion", { tool_tasks: tools });
        }
        if (unit !== "Executor P1-S1-T1-POST1") return undefined;
        if (request.messages.length > 2) return calls("attempt_completion", { status: "SUCCESS" });
        const told = request.messages[1]?.content ?? "";
        const path = /Write its output to: (\S+\.html)$/m.exec(told)?.[1] ?? "";
        if (!names.includes("draw_chart")) return calls("write_file", { path, content: "<svg/>" });
        return calls("draw_chart", {
          ...{ path, title: "Bees", description: "By hive.", mark: "bar" },
          rows: ["North", "South"].map((hive, index) => ({ hive, bees: index + 1 })),
          ...{ x: { field: "hive", type: "nominal" }, y: { field: "bees", type: "quantitative" } },
        });
      });
      stage.charts = charts;
      const { run, end } = await confirmed(stage);
      assert.equal(end.status, "done", end.reason);
      const page = `runs/${run}/workspace/ANALYZING/tools/P1-S1-T1-POST1.html`;
      return { offered: [...new Set(offered)], page: stage.files.text(page) ?? "" };
    };
    const charts = new PlainCharts();
    const { offered, page } = await drawn(charts);
    assert.deepEqual(offered, ["Executor P1-S1-T1-POST1"]);
    assert.equal(charts.asked.length, 1);
    assert.match(page, /<h1[^>]*>Bees<[^]*North/);
    // Where nothing can draw it is written.
    assert.deepEqual(await drawn(undefined), { offered: [], page: "<svg/>" });
  });

  it("[R-MV-32] gives planners what reads, executors all functions, and who speaks none", async () => {
    const offered = new Map<string, string[]>();
    const stage = new RunStage(files, (unit, { tools }) => {
      const names = tools.map(({ name }) => name).filter((name) => name !== "attempt_completion");
      offered.set(unit.split(" ")[0] ?? "", names);
      return undefined;
    });
    await confirmed(stage);
    const reading = ["list_directory", "read_file", "read_many_files", "glob"];
    assert.deepEqual(Object.fromEntries(offered), {
      Planner: [...reading, "search_file_content"],
      Communicator: [],
      Executor: [
        ...[...reading, "search_file_content", "write_file", "replace", "create_directory"],
        "run_shell_command",
      ],
    });
  });

  it("[R-MV-32] lets no function write in assets and guidelines, however a path is spelled", async () => {
    const path = "/workspace/assets/notes.md";
    const tried: (readonly [string, Record<string, unknown>])[] = [
      ["write_file", { path, content: "x" }],
      ["replace", { path: "./runs/../assets/notes.md", old_string: "Notes", new_string: "x" }],
      ["create_directory", { path: "/workspace/guidelines/new" }],
      ["create_directory", { path: "assets/new" }],
      ["run_shell_command", { command: "rm notes.md", directory: "/workspace/assets" }],
      ["draw_chart", { path: "assets/x.html" }],
    ];
    const stage: RunStage = new RunStage(
      files,
      (unit, { messages }) => {
        if (unit !== "Executor T04") return undefined;
        const results = messages.filter(({ role }) => role === "tool");
        const next = tried[results.length];
        if (next !== undefined) return calls(next[0], next[1]);
        for (const { content } of results.slice(0, tried.length - 1)) {
          assert.match(content, /may write only runs\/.*initial_analysis\.md/);
        }
        assert.match(results[tried.length - 1]?.content ?? "", /no tool "draw_chart"/);
        return failed("Nothing else to try.");
      },
      "all",
    );
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "failed");
    for (const [name, text] of Object.entries(files)) assert.equal(stage.files.text(name), text);
    const there = stage.files.paths.filter((one) => /^(assets|guidelines)/.test(one));
    assert.equal(there.length, Object.keys(files).length);
    assert.match(stage.files.text(`runs/${run}/failure.md`) ?? "", /Nothing else/);
  });

  it("[R-MV-24] [R-MV-25] [R-MV-26] ends with the first failure, says where, and is not taken up again", async () => {
    const log = "Error: no bees\n```\nat hive";
    const stage = new RunStage(files, (unit) =>
      unit === "Executor P2-S1-T1" ? failed(log) : undefined,
    );
    const { run, end } = await confirmed(stage);
    assert.deepEqual(end, { status: "failed", reason: `${run} has failed.` });
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

  it("[R-MV-20] takes no output for done that is not there, and lets nobody write anything else", async () => {
    const tried = [
      ...["assets/notes.md", "guidelines/style.md", "db/process_runs.md", "src/other.md"],
      ...["outputs/RUN/report.md", "runs/RUN/db/tasks.md", "runs/RUN/workspace/ANALYZING/else.md"],
    ];
    let [call, run] = [0, ""];
    const stage: RunStage = new RunStage(
      files,
      (unit, request) => {
        if (unit !== "Executor T04") return undefined;
        const path = tried[call++ - 1];
        if (call === 1) return calls("attempt_completion", { status: "SUCCESS" });
        if (path !== undefined) {
          return calls("write_file", { path: path.replace("RUN", run), content: "x" });
        }
        const results = request.messages.filter(({ role }) => role === "tool");
        assert.match(results[0]?.content ?? "", /There is nothing in .*initial_analysis\.md yet/);
        const refused = results.slice(1, tried.length + 1);
        assert.equal(refused.length, tried.length);
        for (const { content } of refused)
          assert.match(content, /may write only runs\/.*analysis\.md/);
        return call === tried.length + 2
          ? calls("write_file", {
              ...{ path: `runs/${run}/workspace/ANALYZING/initial_analysis.md`, content: "x" },
            })
          : calls("attempt_completion", { status: "SUCCESS" });
      },
      "all",
    );
    run = await stage.start("Write");
    await stage.drive(run);
    const before = stage.files.text("assets/notes.md");
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    assert.equal(stage.files.text("assets/notes.md"), before);
    assert.equal(stage.files.text("src/other.md"), undefined);
  });

  it("[R-MV-3] [R-MV-6] [R-MV-9] [R-MV-35] learns from earlier runs like it, and says what it takes the place of", async () => {
    const stage = new RunStage(files, (unit, request) => {
      const told = request.messages[1]?.content ?? "";
      if (unit !== "Planner plan-feedback_generation-1" || !told.includes("I1 [scope]"))
        return undefined;
      if (request.messages.length < 4) {
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
          ...{ instruction_type: "scope", content: "Five pages", supersedes },
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
    assert.equal(end.status, "done", end.reason);
    const told = toldTo(stage, "Planner plan-feedback_generation-1");
    assert.ok(told.includes(`${run} (COMPLETED): Write a report about bees`), told);
    assert.deepEqual(await stage.rows("user_instructions"), [
      `I1 | ${run} | scope | Two pages at most | SUPERSEDED | I2 | It has grown.`,
      `I2 | ${second} | scope | Five pages | ACTIVE |  | It has grown.`,
    ]);
    const task = toldTo(stage, "Executor P1-S1-T1");
    assert.match(task, /I2 \[scope\] Five pages/);
    assert.doesNotMatch(task, /I1 \[/);
    assert.match(task, /guidelines\/style\.md \(GUIDELINE_DOC\)/);
    // What earlier runs have made is known by the catalog.
    const plan = toldTo(stage, "Planner plan-phase-P1");
    assert.ok(plan.includes(`outputs/${run}/report.md (FINAL_OUTPUT)`), plan);
  });

  it("[R-MV-3] [R-MV-4] does a single command at once, and leaves no trace of a run", async () => {
    const judged: boolean[] = [true, false];
    const stage = new RunStage({ "a.txt": "x" }, (unit, { forcedTool, messages }) => {
      if (forcedTool === "judge_request") {
        return calls("judge_request", { is_single_command: judged.shift() });
      }
      if (!unit.startsWith("Helper")) return undefined;
      return messages.some(({ role }) => role === "tool")
        ? calls("attempt_completion", { status: "done", message: "There is one." })
        : calls("write_file", { path: "outputs/x.md", content: "x" });
    });
    const { signal } = new AbortController();
    const mode = () => modeOf("List the files", undefined, stage.store, stage.world, signal);
    assert.deepEqual([await mode(), await mode()], ["SIMPLE_TASK", "INITIAL_RUN"]);
    const end = await simpleTask("List the files", stage.store, stage.world, signal);
    assert.deepEqual(end, { status: "done", message: "There is one." });
    const made = stage.files.paths.filter((path) => !path.startsWith(".rooroo/"));
    assert.deepEqual(made, ["a.txt"]);
  });

  it("stops where it cannot go on, says why, and goes on when that is mended", async () => {
    let isAway = true;
    const stage = new RunStage(files, (unit) =>
      unit === "Planner plan-phase-P1" && isAway
        ? { error: new ModelError("unauthorised", "The key is wrong.") }
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
    assert.match(broken.reason, /^runs\/.*\/db\/tasks\.md:8: This row is in no table.* Mend it/);
    stage.files.put(path, text);
    stage.lock.occupy(`run-${run}`, "another window");
    assert.deepEqual(await stage.drive(run), {
      ...{ status: "elsewhere", reason: `${run} goes on in another window now.` },
    });
    stage.lock = new MemoryLock();
    assert.equal((await stage.drive(run)).status, "done");
  });

  it("trusts no table with places outside of the run, nor with ids that are paths", async () => {
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
    assert.match(
      end.reason,
      /tasks\.md: src\/runs\/.* is no place for what a task of this run makes/,
    );
    assert.equal(end.status, "stopped");
    stage.files.put("db/process_runs.md", "| run_id | status |\n|-|-|\n| ../x | PENDING |\n");
    const { problem } = await stage.store.read("../x");
    assert.match(problem ?? "", /^db\/process_runs\.md:1: There is no column user_request/);
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
    assert.equal(end.status, "done", end.reason);
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
    assert.match(end.reason, /took this over/);
    assert.deepEqual((await statuses(stage, "tasks", run)).at(-1), "T04 COMPLETED");
  });

  it("[R-MV-33] plans no search of the web where there is none", async () => {
    let tries = 0;
    const stage = new RunStage(files, (unit, request) => {
      if (unit === "Planner plan-stage-P1-S1") {
        assert.match(request.messages[1]?.content ?? "", /There is no web search here: plan none/);
        const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
        const more = { related_references: ["assets/notes.md"], pre_tool_purpose: "Look it up" };
        return calls("attempt_completion", { tasks: [{ ...task, ...more }] });
      }
      if (unit !== "Planner plan-pre_tool-P1-S1-T1") return undefined;
      if (++tries === 2) {
        assert.match(request.messages.at(-1)?.content ?? "", /There is no web search here/);
        return failed("No web.");
      }
      const tool = { tool_type: "web search", tool_task_name: "Look", tool_task_purpose: "Look" };
      return calls("attempt_completion", { tool_tasks: [tool] });
    });
    const { run, end } = await confirmed(stage);
    assert.deepEqual([end.status, tries], ["failed", 2]);
    assert.deepEqual((await statuses(stage, "tasks", run)).at(-1), "P1-S1-T1 FAILED");
  });

  it("is not kept from going on by what is wrong with another run", async () => {
    const stage = new RunStage(files);
    const run = await stage.start("Write");
    const text = stage.files.text("db/process_runs.md") ?? "";
    stage.files.put("db/process_runs.md", `${text}| run-x | Other | LOST |\n`);
    assert.equal((await stage.drive(run)).status, "waiting");
    assert.match(
      (await stage.store.read("run-x")).problem ?? "",
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
    assert.ok(reason.startsWith(`${path}:3: The row is of run-x, the table of ${run}.`), reason);
  });

  it("[R-MV-26] [R-MV-28] lets no words pass that leave out what has to be said", async () => {
    let tries = 0;
    const stage = new RunStage(files, (unit) =>
      unit === "Communicator report" && ++tries === 1
        ? calls("attempt_completion", { message: "All done!" })
        : undefined,
    );
    const { run } = await confirmed(stage);
    assert.equal(tries, 2);
    assert.equal(stage.said.at(-1), `[Job Completed] ${run} outputs/${run}/`);
    assert.equal(
      stage.files.text(`runs/${run}/report_for_user.md`),
      `${stage.said.at(-1) ?? ""}\n`,
    );
  });

  it("tells how it ended, even where no model can be had for that", async () => {
    const stage = new RunStage(files, (unit) =>
      unit.startsWith("Communicator")
        ? { error: new ModelError("unauthorised", "The key is wrong.") }
        : undefined,
    );
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "done");
    assert.deepEqual(
      stage.said.at(-1),
      `[Job Completed] ${run} is complete. Its outputs are in outputs/${run}/`,
    );
    assert.match(stage.said[0] ?? "", /waits for your word/);
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
});
