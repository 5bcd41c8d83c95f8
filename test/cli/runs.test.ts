import assert from "node:assert/strict";
import type { HttpModelRequest, HttpReply } from "../fakes/httpModel.js";
import { calls } from "../fakes/navigatorWorld.js";
import { runReply } from "../fakes/runPlays.js";
import { closeStages, Stage } from "./stage.js";

const files = { "multiverse/assets/notes.md": "# Notes\n\nBees | wasps.\n" };

/** Agents that do as they are told, and a judge for whom what lists is a single command. */
function plays(request: HttpModelRequest): HttpReply {
  const told = request.messages[1]?.content ?? "";
  if (request.tools[0] === "judge_request") {
    return calls("judge_request", { is_single_command: told.includes("List") });
  }
  if (told.startsWith("<request>\nList the notes\n</request>") && !told.includes("<task>")) {
    return calls("attempt_completion", { status: "SUCCESS", message: "There is one: notes.md." });
  }
  const results = request.results.map(({ content }) => content);
  const [, first] = /^Write its output to: (\S+\/initial_analysis\.md)$/m.exec(told) ?? [];
  if (first !== undefined) {
    // By the paths of the disk, as it is told them.
    const [path = "", text = ""] = results;
    if (results.length === 0) return calls("glob", { pattern: "*/assets/**/*.md" });
    if (results.length === 1) return calls("read_file", { path });
    const root = path.replace(/multiverse.assets.notes\.md$/, "");
    if (results.length === 2) return calls("write_file", { path: root + first, content: text });
  }
  return runReply(told, results);
}

describe("rooroo run", () => {
  afterEach(closeStages);

  it("[R-MV-3] [R-MV-10] [R-MV-28] [R-MV-32] takes a request over a change and a confirmation to its outputs", async () => {
    const stage = await Stage.open(plays, files);
    const started = await stage.run("run", "start", "Write", "a", "report");
    assert.equal(started.code, 2, started.stderr);
    const [run = ""] = /run-\d{8}-\d{6}-001/.exec(started.stdout) ?? [];
    assert.match(started.stdout, /begins \(INITIAL_RUN\)/);
    assert.match(started.stdout, /\| Two pages at most \| format \|/);
    assert.match(started.stdout, new RegExp(`rooroo run confirm ${run}`));
    const waiting = await stage.json("run", "status", run);
    const proposal = `multiverse/runs/${run}/feedback_for_user.md`;
    assert.deepEqual(
      [waiting["status"], waiting["next"], waiting["proposal"]],
      ["AWAITING_CONFIRMATION", "your confirmation of the proposal", proposal],
    );

    const changed = await stage.run("run", "modify", "001", "Three", "pages");
    assert.equal(changed.code, 2, changed.stderr);
    assert.match(await stage.read(proposal.replace(".md", ".1.md")), /> Three pages\n$/);

    // What the run writes are files of its own: nobody has to allow them.
    const confirmed = await stage.run("run", "confirm");
    assert.equal(confirmed.code, 0, confirmed.stderr);
    assert.match(confirmed.stdout, /\[Job Completed\] .*multiverse\/outputs\/run-/);
    const output = `multiverse/outputs/${run}/report.md`;
    assert.match(await stage.read(output), /^# Made for /);
    const analysis = `multiverse/runs/${run}/workspace/ANALYZING/initial_analysis.md`;
    assert.match(await stage.read(analysis), /3 \| Bees \| wasps/);
    const listed = await stage.run("run", "list");
    assert.deepEqual(listed.stdout.trimEnd().split("\n"), [
      `${run}  COMPLETED`,
      "  Write a report",
      "  next: nothing, the run has ended",
    ]);
    const shown = await stage.run("run", "status");
    assert.match(shown.stdout, /GENERATING_OUTPUT COMPLETED[^]*8 of 8 tasks[^]*outputs\/run-/);
    const tables = [
      "db/process_runs.md",
      "db/knowledge_base_catalog.md",
      "db/user_instructions.md",
    ];
    const own = ["phases", "major_stages", "tasks"].map((name) => `runs/${run}/db/${name}.md`);
    const paths = [...tables, ...own].map((path) => `multiverse/${path}`);
    const checked = await stage.run("validate", "run-tables", ...paths);
    assert.deepEqual([checked.code, checked.stdout.match(/no problems/g)?.length], [0, 6]);
    assert.deepEqual(await stage.tasks(), []);
    assert.equal((await stage.run("run", "resume")).stdout, `${run} is complete.\n`);
    const again = await stage.run("run", "resume", run, "--json");
    const [notice, outcome, ...more] = again.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual([notice?.["text"], more], [`${run} is complete.`, []]);
    assert.deepEqual(outcome, {
      type: "outcome",
      status: "done",
      exitCode: 0,
      runId: run,
      next: [],
    });
  });

  it("[R-MV-2] goes on where it was killed, is cancelled, and says what it cannot do", async () => {
    let asked = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let isSlow = true;
    const stage = await Stage.open(
      async (request) => {
        if (isSlow && request.messages[1]?.content?.includes("<task>\nPropose") === true) {
          asked();
          await ended;
        }
        return plays(request);
      },
      { "db/process_runs.md": "" },
    );
    const first = stage.start("run", "start", "--phases", "Write");
    const ended = first.ended.then(() => undefined);
    await isAsked;
    first.kill("SIGKILL");
    await ended;
    isSlow = false;
    const [run = ""] = await stage.list("runs");
    const other = await stage.run("run", "resume");
    assert.equal(other.code, 2, other.stderr);
    const own = await stage.read(`runs/${run}/db/tasks.md`);
    assert.deepEqual(own.match(/\| T0\d /g), ["| T00 ", "| T02 ", "| T03 ", "| T04 "]);
    const cancelled = await stage.run("run", "cancel", run);
    assert.deepEqual(
      [cancelled.code, cancelled.stdout],
      [0, `${run} is cancelled; its files are kept.\n`],
    );
    const view = await stage.json("run", "status", run);
    assert.deepEqual(
      [view["status"], view["state"], view["failure"]],
      ["FAILED", "cancelled", `runs/${run}/failure.md`],
    );
    const why = await stage.run("run", "retry", run);
    assert.deepEqual([why.code, why.stderr.includes(`${run} was cancelled.`)], [1, true]);
    assert.equal((await stage.run("run", "resume", run)).code, 1);
    for (const wrong of [
      ["status", "run-9"],
      ["resume", "../.."],
      ["start", "x", "--simple", "--phases"],
      ["list", "--directory", "../elsewhere"],
    ]) {
      const { code, stderr } = await stage.run("run", ...wrong);
      assert.ok(code === 64 || wrong[0] === "list", `${wrong.join(" ")}: ${code}`);
      assert.match(stderr, /^rooroo: /);
    }
    const text = await stage.read("db/process_runs.md");
    await stage.write("db/process_runs.md", text.replace("FAILED", "LOST"));
    const broken = await stage.run("run", "list");
    assert.match(broken.stdout, /! db\/process_runs\.md:3: status says "LOST"/);
  });

  it("stops a run that another process runs, which resumes afterwards, and cancels one at work", async () => {
    let asked = (): void => undefined;
    let isSlow = true;
    const waits = () => new Promise<void>((resolve) => (asked = resolve));
    let isAsked = waits();
    const stage = await Stage.open(
      async (request) => {
        if (!isSlow || request.messages[1]?.content?.includes("<task>\nPropose") !== true) {
          return plays(request);
        }
        asked();
        return new Promise(() => undefined);
      },
      { "db/process_runs.md": "" },
    );
    const first = stage.start("run", "start", "--phases", "Write");
    await isAsked;
    const [run = ""] = await stage.list("runs");
    const stopped = await stage.run("run", "stop");
    assert.deepEqual([stopped.code, stopped.stdout], [0, `Stopped ${run}.\n`]);
    assert.equal((await first.ended).code, 1);
    const again = await stage.run("run", "stop", run, "--json");
    assert.deepEqual(JSON.parse(again.stdout), { run_id: run, found: 0, left: 0 });

    isSlow = false;
    assert.equal((await stage.run("run", "resume")).code, 2);
    isSlow = true;
    isAsked = waits();
    const changing = stage.start("run", "modify", run, "Shorter");
    await isAsked;
    const cancelled = await stage.run("run", "cancel", run);
    assert.equal(cancelled.code, 0, cancelled.stderr);
    assert.equal((await changing.ended).code, 1);
    assert.equal((await stage.json("run", "status", run))["status"], "FAILED");
  });

  it("[R-MV-4] does a single command at once", async () => {
    const stage = await Stage.open(plays, files);
    const none = await stage.run("run", "status");
    assert.deepEqual(
      [none.code, none.stderr],
      [64, "rooroo: There are no runs yet. Start one with rooroo run start.\n"],
    );
    const { code, stdout } = await stage.run("run", "start", "List the notes");
    assert.equal(code, 0);
    assert.match(stdout, /There is one: notes\.md\./);
    assert.deepEqual(await stage.list("multiverse"), ["assets"]);
    // Elsewhere it is a run, if the person says so.
    const other = ["--directory", "other", "--phases"];
    const run = await stage.run("run", "start", "List the notes", ...other);
    assert.match(run.stdout, /→ rooroo run confirm run-\S+ --directory other$/m);
    assert.deepEqual(await stage.list("multiverse"), ["assets"]);
    assert.equal((await stage.run("run", "cancel", "--directory", "other")).code, 0);
  });
});
