import assert from "node:assert/strict";
import { spoken } from "../../../../src/core/text/words.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { RunStage } from "../../../fakes/runStage.js";
import { confirmed, failed, files } from "./confirmedRun.js";

describe("what the agents of a run may do", () => {
  it("[R-MV-2] [R-MV-32] gives planners what reads, executors all functions, and who speaks none", async () => {
    const offered = new Map<string, string[]>();
    const stage = new RunStage(files, (unit, { tools }) => {
      const names = tools.map(({ name }) => name).filter((name) => name !== "attempt_completion");
      offered.set(unit.split(" ")[0] ?? "", names);
      return unit === "Executor P4-S1-T1" ? failed("No bees.") : undefined;
    });
    await confirmed(stage);
    const reading = ["list_directory", "read_file", "read_many_files", "glob"];
    assert.deepEqual(Object.fromEntries(offered), {
      Planner: [...reading, "search_file_content"],
      Communicator: [],
      Executor: [
        ...reading,
        "search_file_content",
        "write_file",
        "replace",
        "create_directory",
        "run_shell_command",
      ],
    });
  });

  it("[R-MV-32] lets no function write in assets and guidelines, however a path is spelled", async () => {
    const path = "/workspace/assets/notes.md";
    const tried: (readonly [string, Record<string, unknown>])[] = [
      ["read_file", { path }],
      ["write_file", { path, content: "x" }],
      ["replace", { path: "./runs/../assets/notes.md", old_string: "Notes", new_string: "x" }],
      // Six failures in a row would end it.
      ["list_directory", { path: "/workspace/guidelines" }],
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
        for (const [at, [name]] of tried.slice(0, -1).entries()) {
          const refused = /may write only runs\/.*initial_analysis\.md/;
          const isReading = ["read_file", "list_directory"].includes(name);
          assert.equal(refused.test(results[at]?.content ?? ""), !isReading, name);
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

  it("[R-MV-20] takes no output for done that is not there, and lets nobody write anything else", async () => {
    // Six failures in a row would end it.
    const reads = "a call that works";
    const tried = [
      "assets/notes.md",
      "guidelines/style.md",
      "db/process_runs.md",
      reads,
      "src/other.md",
      "outputs/RUN/report.md",
      "runs/RUN/db/tasks.md",
      "runs/RUN/workspace/ANALYZING/else.md",
    ];
    // What is there has to be read before it is replaced.
    const there = tried.filter((path) => /^(assets|guidelines|db|runs\/RUN\/db)\//.test(path));
    let [call, run] = [-1, ""];
    const stage: RunStage = new RunStage(
      files,
      (unit, request) => {
        if (unit !== "Executor T04") return undefined;
        const path = tried[call++ - 1];
        if (call === 0) {
          const paths = there.map((one) => one.replace("RUN", run));
          return calls("read_many_files", { paths });
        }
        if (call === 1) return calls("attempt_completion", { status: "SUCCESS" });
        if (path === reads) return calls("list_directory", { path: "assets" });
        if (path !== undefined) {
          return calls("write_file", { path: path.replace("RUN", run), content: "x" });
        }
        const [, ...results] = request.messages.filter(({ role }) => role === "tool");
        assert.match(results[0]?.content ?? "", /There is nothing in .*initial_analysis\.md yet/);
        const refused = results.slice(1, tried.length + 1).filter((_, at) => tried[at] !== reads);
        assert.equal(refused.length, tried.length - 1);
        for (const { content } of refused)
          assert.match(content, /may write only runs\/.*analysis\.md/);
        return call === tried.length + 2
          ? calls("write_file", {
              path: `runs/${run}/workspace/ANALYZING/initial_analysis.md`,
              content: "x",
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

  it("[R-MV-20] [R-MV-22] takes no empty file for an output", async () => {
    let run = "";
    const output = () => `runs/${run}/workspace/ANALYZING/initial_analysis.md`;
    const stage = new RunStage(files, (unit, { messages }) => {
      if (unit !== "Executor T04") return undefined;
      const done = calls("attempt_completion", { status: "SUCCESS" });
      const results = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
      if (results.length === 0) return calls("write_file", { path: output(), content: "" });
      if (results.length !== 2) return done;
      assert.match(results[1] ?? "", /There is nothing in .*initial_analysis\.md yet/);
      return calls("write_file", { path: output(), content: "Bees." });
    });
    run = await stage.start("Write");
    await stage.drive(run);
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
    assert.equal(stage.files.text(output()), "Bees.");
    // Of what nobody says anything about, the catalog has the beginning.
    const rows = await stage.rows("knowledge_base_catalog");
    assert.ok(
      rows.includes(`${output()} | ${run} | ANALYSIS_REPORT | T04 | Bees.`),
      rows.join("\n"),
    );
  });

  it("[R-MV-35] lets nobody read what is another run's, but for what the catalog has of it", async () => {
    let [first, run] = ["", ""];
    const told: string[] = [];
    const tried = (): (readonly [string, Record<string, unknown>])[] => [
      ["read_file", { path: `outputs/${first}/report.md` }],
      ["read_many_files", { paths: [`runs/${first}/workspace/**/*.md`] }],
      ["read_file", { path: "db/knowledge_base_catalog.md" }],
      ["list_directory", { path: "runs" }],
      ["list_directory", { path: `/workspace/runs/${first}` }],
      ["glob", { pattern: "**/{tasks,report_for_user}.md" }],
      ["search_file_content", { pattern: "is complete|P1-S1-T1", path: "runs" }],
      ["run_shell_command", { command: `cat runs/${run}/db/tasks.md` }],
      ["read_file", { path: `runs/${first}/db/tasks.md` }],
      ["read_file", { path: `./RUNS/${first.toUpperCase()}/report_for_user.md` }],
      ["list_directory", { path: `runs/${first}/db` }],
      // Six failures in a row would end it.
      ["list_directory", { path: "assets" }],
      ["read_file", { path: `.rooroo/tasks/${unitOf(first)}/transcript.jsonl` }],
      ["run_shell_command", { command: `cat runs/${first}/db/tasks.md` }],
      ["run_shell_command", { command: "grep -r bees runs" }],
      ["read_file", { path: `outputs/${first}/draft.md` }],
    ];
    const unitOf = (id: string) => `ROO#RUN_${id.replace("run-", "")}_T04`;
    const stage: RunStage = new RunStage(
      files,
      (unit, { messages }) => {
        if (unit !== "Executor T04" || first === "") return undefined;
        const results = messages.filter(({ role }) => role === "tool");
        const next = tried()[results.length];
        if (next !== undefined) return calls(next[0], next[1]);
        if (told.length === 0) told.push(...results.map(({ content }) => content));
        return undefined;
      },
      "all",
    );
    const one = await confirmed(stage);
    assert.equal(one.end.status, "done");
    stage.clock.advance(60_000);
    run = await stage.start("Write a poem");
    first = one.run;
    stage.files.put(`outputs/${first}/draft.md`, "Nobody has catalogued this.");
    await stage.drive(run);
    const end = await stage.decide(run, { type: "CONFIRM" });
    assert.equal(end.status, "done", spoken(end.reason));
    const [report, workspace, catalog, runs, folder, found, matches, own, ...others] = told;
    assert.match(report ?? "", /Made for outputs/);
    assert.equal(workspace?.match(/Made for runs/g)?.length, 4);
    assert.ok(catalog?.includes(`outputs/${first}/report.md`), catalog);
    assert.equal(runs, `runs/${first}/\nruns/${run}/`);
    assert.equal(folder, `runs/${first}/feedback_for_user.md\nruns/${first}/workspace/`);
    assert.equal(found, `/workspace/runs/${run}/db/tasks.md`);
    assert.equal(matches, "No line matches.");
    assert.match(own ?? "", /^Exit code/);
    const refused = others.filter((_, at) => at !== 3);
    assert.equal(refused.length, 7);
    for (const content of refused) {
      assert.match(content, /^\S+ is of another run, and not in the catalog\. Do without it\.$/);
    }
  });
});
