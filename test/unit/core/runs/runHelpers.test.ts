import assert from "node:assert/strict";
import { noDocuments } from "../../../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../../../src/core/changes/taskChanges.js";
import { toolKind } from "../../../../src/core/runs/work/toolKind.js";
import { spoken } from "../../../../src/core/text/words.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { PlainCharts } from "../../../fakes/plainCharts.js";
import { type Answer, RunStage } from "../../../fakes/runStage.js";
import { confirmed, failed, files, statuses, toldTo } from "./confirmedRun.js";

describe("what helps the tasks of a run", () => {
  it("[R-MV-19] [R-MV-21] [R-MV-31] [R-MV-33] [R-MV-34] has what helps a task planned and done, before and after it", async () => {
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
            status: "SUCCESS",
            summary: "Numbers",
            post_tool_required: true,
            post_tool_purpose: "Draw them",
          })
        : answer(unit, request);
    const guide = { "guidelines/mcp_list.md": "# Survey\nAsk, then count, then draw.\n" };
    const stage = new RunStage({ ...files, ...guide }, after);
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "done", spoken(end.reason));
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
    const toPlan = toldTo(stage, "Planner plan-pre_tool-P1-S1-T1");
    assert.match(toPlan, /Ask, then count/);
    assert.match(toPlan, /operation of several steps, divide all of it into such actions/);
    assert.doesNotMatch(toldTo(stage, "Executor P1-S1-T1-PRE1"), /Ask, then count/);
    // Who executes knows nothing of them.
    assert.doesNotMatch(toldTo(stage, "Executor P1-S1-T1"), /mcp_list/);
    const types = await stage.rows("knowledge_base_catalog");
    assert.equal(types.filter((row) => row.includes("TOOL_OUTPUT")).length, 2);
  });

  it("[R-MV-22] has every file in the catalog that a helper has made", async () => {
    let run = "";
    const stage = new RunStage(files, (unit, { messages }) => {
      if (unit === "Planner plan-stage-P1-S1") {
        const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
        const more = { related_references: ["assets/notes.md"], pre_tool_purpose: "Look it up" };
        return calls("attempt_completion", { tasks: [{ ...task, ...more }] });
      }
      const ending = [".md", ".csv"][messages.filter(({ role }) => role === "tool").length];
      if (unit !== "Executor P1-S1-T1-PRE1" || ending === undefined) return undefined;
      const path = `runs/${run}/workspace/ANALYZING/tools/P1-S1-T1-PRE1${ending}`;
      return calls("write_file", { path, content: "Bees" });
    });
    run = await stage.start("Write");
    await stage.drive(run);
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    const made = (await stage.store.rows("knowledge_base_catalog")).filter(
      ({ source_task_id }) => source_task_id === "P1-S1-T1-PRE1",
    );
    assert.deepEqual(
      made.map(({ file_path, asset_type }) => [file_path.split("/").at(-1), asset_type]),
      [
        ["P1-S1-T1-PRE1.csv", "TOOL_OUTPUT"],
        ["P1-S1-T1-PRE1.md", "TOOL_OUTPUT"],
      ],
    );
  });

  it("[R-MV-34] tells no executor of operations of several steps, though a plan names their file", async () => {
    const guide = { "guidelines/mcp_list.md": "# Survey\nAsk, then count, then draw.\n" };
    const stage = new RunStage({ ...files, ...guide }, (unit) => {
      if (unit !== "Planner plan-stage-P1-S1") return undefined;
      const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
      const related_references = ["guidelines/mcp_list.md", "assets/notes.md"];
      return calls("attempt_completion", { tasks: [{ ...task, related_references }] });
    });
    assert.equal((await confirmed(stage)).end.status, "done");
    const told = toldTo(stage, "Executor P1-S1-T1");
    assert.match(told, /assets\/notes\.md/);
    assert.doesNotMatch(told, /mcp_list|Survey/);
  });

  it("[R-MV-15] [R-MV-16] [R-MV-19] takes no plan for one that plans nothing", async () => {
    const empty: Record<string, object> = {
      "Planner plan-phase-P1": { stages: [] },
      "Planner plan-stage-P1-S1": { tasks: [] },
      "Planner plan-pre_tool-P1-S1-T1": { tool_tasks: [] },
    };
    const told: string[] = [];
    const stage = new RunStage(files, (unit, { messages }) => {
      const nothing = empty[unit];
      if (nothing !== undefined && messages.length === 2) {
        return calls("attempt_completion", { status: "SUCCESS", ...nothing });
      }
      if (nothing !== undefined) told.push(messages.at(-1)?.content ?? "");
      if (unit !== "Planner plan-stage-P1-S1") return undefined;
      const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
      const more = { related_references: ["assets/notes.md"], pre_tool_purpose: "Look it up" };
      return calls("attempt_completion", { tasks: [{ ...task, ...more }] });
    });
    assert.equal((await confirmed(stage)).end.status, "done");
    assert.deepEqual(told, [
      "SUCCESS needs stages: at least one.",
      "SUCCESS needs tasks: at least one.",
      "SUCCESS needs tool_tasks: at least one.",
    ]);
  });

  it("[R-MV-21] asks an executor again that wants something added and does not say what", async () => {
    let told = "";
    const stage = new RunStage(files, (unit, request) => {
      if (unit !== "Executor P1-S1-T1") return undefined;
      const last = request.messages.at(-1)!;
      if (last.role !== "tool" || told !== "") return undefined;
      if (last.content.includes("post_tool_purpose")) {
        told = last.content;
        const none = { post_tool_required: false, post_tool_purpose: "Draw them" };
        return calls("attempt_completion", { status: "SUCCESS", summary: "Numbers", ...none });
      }
      return calls("attempt_completion", { status: "SUCCESS", post_tool_required: true });
    });
    const { end } = await confirmed(stage);
    assert.equal(end.status, "done", spoken(end.reason));
    assert.match(told, /post_tool_required needs post_tool_purpose/);
    // Where nothing is required, a purpose alone has nothing planned.
    assert.ok(stage.units.every((unit) => !unit.includes("post_tool")));
  });

  it("[R-MV-33] wants a chart as a page of its own, and sources from who searches", async () => {
    let tries = 0;
    const stage = new RunStage(files, (unit, request) => {
      if (unit === "Planner plan-stage-P1-S1") {
        return calls("attempt_completion", {
          tasks: [
            {
              task_name: "Count",
              task_purpose: "Count",
              output_path: "count.md",
              related_references: ["assets/notes.md"],
              post_tool_purpose: "Draw it",
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
    assert.equal(end.status, "done", spoken(end.reason));
    const toDraw = toldTo(stage, "Executor P1-S1-T1-POST1");
    assert.match(toDraw, /Choose the kind of chart that shows best what the data say[^]*as SVG/);
    assert.equal(toolKind("data visualisation"), toolKind("Data Visualization"));
    const toSearch = toolKind("Web Search")?.how ?? "";
    assert.match(toSearch, /report in Markdown: .* and the address of every source/);
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
          path,
          title: "Bees",
          description: "By hive.",
          mark: "bar",
          rows: ["North", "South"].map((hive, index) => ({ hive, bees: index + 1 })),
          x: { field: "hive", type: "nominal" },
          y: { field: "bees", type: "quantitative" },
        });
      });
      stage.charts = charts;
      const { run, end } = await confirmed(stage);
      assert.equal(end.status, "done", spoken(end.reason));
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

  it("[R-MV-33] takes no search of the web for granted where there is none, neither planned nor wanted afterwards", async () => {
    const told: string[] = [];
    const stage = new RunStage(files, (unit, { messages }) => {
      const last = messages.at(-1);
      const isAgain = last?.role === "tool" && last.content.includes("no web search");
      if (isAgain) told.push(`${unit}: ${last.content}`);
      if (unit === "Planner plan-stage-P1-S1" && !isAgain) {
        const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
        const more = { related_references: ["assets/notes.md"], pre_tool_purpose: "web search: x" };
        return calls("attempt_completion", { tasks: [{ ...task, ...more }] });
      }
      if (unit !== "Executor P1-S1-T1" || isAgain || last?.role !== "tool") return undefined;
      const post = { post_tool_required: true, post_tool_purpose: "Web Search: more of them" };
      return calls("attempt_completion", { status: "SUCCESS", ...post });
    });
    assert.equal((await confirmed(stage)).end.status, "done");
    assert.deepEqual(
      told.map((one) => one.split(".")[0]),
      [
        "Planner plan-stage-P1-S1: There is no web search here",
        "Executor P1-S1-T1: There is no web search here",
      ],
    );
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
      const last = request.messages.at(-1)?.content ?? "";
      if (++tries > 1) assert.match(last, /There is no web search here/);
      const tool_type = ["web search", "Web Search"][tries - 1];
      if (tool_type === undefined) return failed("No web.");
      const tool = { tool_type, tool_task_name: "Look", tool_task_purpose: "Look" };
      return calls("attempt_completion", { tool_tasks: [tool] });
    });
    const { run, end } = await confirmed(stage);
    assert.deepEqual([end.status, tries], ["failed", 3]);
    assert.deepEqual(await statuses(stage, "tool_tasks", run), []);
  });

  /** Returns a stage whose run's first task wants help, before and after it, where `answer` says nothing else. */
  const helped = (answer: Answer) =>
    new RunStage(files, (unit, request) => {
      const own = answer(unit, request);
      if (own !== undefined || unit !== "Planner plan-stage-P1-S1") return own;
      const task = { task_name: "Count", task_purpose: "Count", output_path: "count.md" };
      const more = { pre_tool_purpose: "Look it up", post_tool_purpose: "Draw it" };
      const related_references = ["assets/notes.md"];
      return calls("attempt_completion", { tasks: [{ ...task, ...more, related_references }] });
    });
  const count = (run: string) => `runs/${run}/workspace/ANALYZING/count.md`;

  it("[R-MV-19] [R-MV-24] fails the run where a task needs it before its own work, until a person goes on without it", async () => {
    for (const broken of ["Executor P1-S1-T1-PRE1", "Planner plan-pre_tool-P1-S1-T1"]) {
      const stage = helped((unit) => (unit === broken ? failed("The page is gone.") : undefined));
      const { run, end } = await confirmed(stage);
      assert.equal(end.status, "failed", broken);
      assert.ok(!stage.units.includes("Executor P1-S1-T1"), broken);
      assert.match(stage.files.text(`runs/${run}/failure.md`) ?? "", /The page is gone\./);
      assert.doesNotMatch(stage.said.join("\n"), /Job Completed/);
    }
  });

  it("[R-MV-19] [R-MV-21] [R-MV-24] is left out with a note in the output and in the report: what improves a result when it fails, what a task needs by a person's word", async () => {
    const stage = helped((unit) => {
      if (unit.startsWith("Executor P1-S1-T1-PRE1")) return failed("The page\nis gone.");
      return unit.startsWith("Executor P1-S1-T1-POST1")
        ? failed("There are no numbers.")
        : undefined;
    });
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "failed");
    assert.equal((await stage.decide(run, { type: "SKIP" })).status, "done");
    assert.deepEqual(await statuses(stage, "tool_tasks", run), [
      "P1-S1-T1-PRE1 FAILED",
      "P1-S1-T1-POST1 FAILED",
    ]);
    assert.deepEqual(await stage.rows("left_out", run), [
      `P1-S1-T1-PRE1 | ${run} | Tool before (Calculation) | tool task P1-S1-T1-PRE1: The page ⏎ is gone.`,
      `P1-S1-T1-POST1 | ${run} | Tool now (Calculation) | There are no numbers.`,
    ]);
    assert.equal(
      stage.files.text(count(run)),
      `# Made for ${count(run)}\n\n> Left out: Tool before (Calculation). Reason: tool task P1-S1-T1-PRE1: The page ⏎ is gone.\n\n> Left out: Tool now (Calculation). Reason: There are no numbers.\n`,
    );
    assert.match(
      toldTo(stage, "Executor P1-S1-T1-try2"),
      /<data from="what was left out">\nLeft out: Tool before \(Calculation\)\. Reason: tool task P1-S1-T1-PRE1: The page ⏎ is gone\./,
    );
    assert.match(
      stage.said.at(-1) ?? "",
      /\nLeft out:\n- Tool before \(Calculation\): tool task P1-S1-T1-PRE1: The page ⏎ is gone\.\n- Tool now .*: There are no numbers\.\n/,
    );
    // The notes are undone with what the executor wrote.
    const { clock, world } = stage;
    const { signer } = world.experts;
    const changes = new TaskChanges(
      { files: stage.files, documents: noDocuments, clock, signer },
      ".rooroo/tasks",
    );
    const taskId = stage.sessions[stage.units.indexOf("Executor P1-S1-T1-try2")] ?? "";
    const undone = await changes.undo(taskId, () => Promise.resolve(true));
    assert.deepEqual(undone, [{ path: count(run), type: "removed" }]);
  });

  it("[R-MV-19] [R-MV-24] is noted in the output that it was to help, if nothing else fails", async () => {
    const stage = helped((unit) =>
      unit === "Executor P1-S1-T1-PRE1" ? failed("The page is gone.") : undefined,
    );
    const { run } = await confirmed(stage);
    await stage.decide(run, { type: "SKIP" });
    const notes = stage.files.text(count(run))?.match(/^> Left out: .*$/gm);
    assert.deepEqual(notes, [
      "> Left out: Tool before (Calculation). Reason: tool task P1-S1-T1-PRE1: The page is gone.",
    ]);
  });

  it("[R-MV-24] is left out when its plan fails, too", async () => {
    const stage = helped((unit) =>
      unit.startsWith("Planner plan-post_tool") ? failed("No idea.") : undefined,
    );
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "done", spoken(end.reason));
    assert.deepEqual(
      (await stage.store.rows("left_out", run)).map((row) => [row.part_id, row.part_name]),
      [["P1-S1-T1-POST1", "Draw it"]],
    );
    assert.match(stage.files.text(count(run)) ?? "", /> Left out: Draw it\. Reason: No idea\.\n$/);
  });

  it("[R-MV-24] is tried again together with a task that failed after it", async () => {
    let isBroken = true;
    const stage = helped((unit) => {
      if (unit === "Executor P1-S1-T1") return failed("Nothing to go by.");
      return isBroken && unit === "Executor P1-S1-T1-PRE1"
        ? failed("The page is gone.")
        : undefined;
    });
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "failed");
    isBroken = false;
    assert.equal((await stage.decide(run, { type: "RETRY" })).status, "done");
    assert.ok(stage.units.includes("Executor P1-S1-T1-PRE1-try2"));
    const tools = await statuses(stage, "tool_tasks", run);
    assert.deepEqual(tools, ["P1-S1-T1-PRE1 COMPLETED", "P1-S1-T1-POST1 COMPLETED"]);
    assert.doesNotMatch(stage.said.at(-1) ?? "", /Left out/);
    assert.doesNotMatch(stage.files.text(count(run)) ?? "", /Left out/);
  });
});
