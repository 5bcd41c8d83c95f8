import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { JobFacts } from "../../src/core/jobs/facts/jobFacts.js";
import { listedProcess } from "../../src/node/processes/processTable.js";
import { reports } from "../fakes/envelopes.js";
import type { HttpScript } from "../fakes/httpModel.js";
import { calls } from "../fakes/navigatorWorld.js";
import { readPage } from "../fakes/readPage.js";
import type { Rooroo } from "./rooroo.js";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const samples = join(import.meta.dirname, "../../../test/fixtures/jobs");
const sample = (name: string) => readFile(join(samples, name), "utf8");

describe("rooroo and jobs", () => {
  afterEach(closeStages);

  it("validates logs, with the line and the rule of each problem", async () => {
    const stage = await Stage.open(plays({}, {}), {
      "good.log.md": await sample("plain.log.md"),
      "bad.log.md": "## Roadmap\n- [ ] 1. Go\n  - status: Locked\n",
    });
    const { code, stdout } = await stage.run("validate", "job-log", "good.log.md", "bad.log.md");
    assert.equal(code, 1);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "good.log.md: 3 tasks, no problems.",
      "bad.log.md:3: R-JIXO-26: Task 1 is Locked, but nobody is named as runner.",
    ]);
    const json = await stage.run("validate", "job-log", "good.log.md", "bad.log.md", "--json");
    const lines = json.stdout.trimEnd().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      [
        { file: "good.log.md", valid: true, problems: [] },
        {
          file: "bad.log.md",
          valid: false,
          problems: [
            {
              line: 3,
              field: "R-JIXO-26",
              message: "Task 1 is Locked, but nobody is named as runner.",
            },
          ],
        },
      ],
    );
    assert.equal((await stage.run("validate", "job-log", "good.log.md")).code, 0);
  });

  it("lists jobs, and shows one with what it calls for next", async () => {
    const files = {
      ".jixo/importer.job.md": await sample("open.job.md"),
      ".jixo/importer.log.md": await sample("plain.log.md"),
      ".jixo/fresh.task.md": "Make it.\n",
      ".jixo/a.b.job.md": "---\nname: [\n---\nGo.\n",
      ".jixo/a.b.log.md": "---\ntitle: [\n---\n- [x] 1. Go\n",
    };
    const stage = await Stage.open(plays({}, {}), files, { TZ: "UTC" });
    const listed = await stage.run("job", "list");
    assert.deepEqual(listed.stdout.trimEnd().split("\n"), [
      " 100%  a.b  External",
      "       next: ends with 1: The front matter cannot be edited as it is. Fix it by hand.",
      "   0%  fresh  External",
      "       next: a planner: Create the plan",
      "  33%  importer  External  Move the importer  ? has an open question",
      "       next: a runner: Task 1.2. Move the parser",
      "",
      "External: It may have come with the folder, and nobody has run it here. Read it first; running it by its name takes it over.",
    ]);
    const shown = await stage.run("job", "status", "importer");
    const lines = shown.stdout.trimEnd().split("\n");
    // The day is told with the year if that is another one by now.
    assert.match(lines.splice(5, 1)[0] ?? "", /^ {2}1 Mar (\d{4} )?09:00 – .*10:00$/);
    assert.deepEqual(
      [shown.code, ...lines],
      [
        0,
        "Move the importer  .jixo/importer.job.md",
        "  External: It may have come with the folder, and nobody has run it here. Read it first; running it by its name takes it over.",
        "  ━━━━━━━━━━━━━───────────────────────────  33%  1 of 3 tasks done",
        "  2 to do",
        "  Nobody is at work, and the job waits for your answer · No estimate",
        "",
        "In the way",
        "  ? Q-1: By day, or by place?",
        "    Work goes on by a default plan.",
        '    → rooroo answer Q-1 "…"  or in .jixo/importer.job.md, line 11',
        "  ✗ The runner of 1.2 is gone.",
        "    The next run takes the work up again.",
        "    → rooroo job run importer",
        "",
        "Done",
        "  ✓ 1.1. Read the old importer",
        "  all tasks: rooroo job status importer --verbose",
        "",
        "  next: a runner: Task 1.2. Move the parser",
      ],
    );
    const view = await stage.json("job", "status", "importer");
    assert.deepEqual(view["next"], {
      role: "Runner",
      task: "1.2",
      exitCode: null,
      objective: "Task 1.2. Move the parser",
    });
    const broken = await stage.run("job", "status", "a.b");
    assert.match(
      broken.stdout,
      /^ {2}! \.jixo\/a\.b\.job\.md:\d: The front matter is not YAML in column \d+: /m,
    );
    const unknown = await stage.run("job", "status", "a");
    assert.deepEqual([unknown.code, unknown.stdout], [64, ""]);
    assert.match(unknown.stderr, /There is no job a\. There are: a\.b, fresh, importer\./);
    for (const [path, text] of Object.entries(files)) assert.equal(await stage.read(path), text);
  });

  it("makes a job, runs it with several runners to its end, and tells how", async () => {
    const stage = await Stage.open(jobPlays, {});
    const none = await stage.run("job", "status");
    assert.equal(none.code, 64);
    assert.match(none.stderr, /Create one with rooroo job new\./);
    const made = await stage.run("job", "new", "trip", "--goal", "Plan a trip.", "--dir", "src");
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^Created \.jixo\/trip\.job\.md\./);
    assert.equal(
      await stage.read(".jixo/trip.job.md"),
      '---\nname: "trip"\ndirs: ["src"]\n---\n\nPlan a trip.\n',
    );
    assert.equal((await stage.run("job", "new", "trip", "--goal", "Again.")).code, 1);
    const run = await stage.runAll("job", "run", "trip", "--runners", "2");
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stdout, /Job Planner[^]*Create the plan[^]*Job completed successfully\./);
    for (const name of ["one", "two", "three"]) {
      assert.equal(await stage.read(`src/${name}.txt`), `${name}\n`);
    }
    const view = await stage.json("job", "status", "trip");
    assert.deepEqual([view["progress"], view["tasks"]], [100, { Completed: 3 }]);
    assert.equal((await stage.run("validate", "job-log", ".jixo/trip.log.md")).code, 0);
    // What a runner changed can be reviewed and undone like any task's changes, but it is no task.
    assert.deepEqual(await stage.tasks(), []);
    const changed: string[] = [];
    for (const unit of await stage.list(".rooroo/tasks")) {
      const { stdout } = await stage.run("changes", unit);
      const path = /src\/\w+\.txt/.exec(stdout)?.[0];
      if (path === undefined) continue;
      assert.notEqual(await stage.read(path), "");
      assert.equal((await stage.runAll("undo", unit)).code, 0);
      assert.equal(await stage.read(path), "");
      changed.push(path);
    }
    assert.deepEqual(changed.sort(), ["src/one.txt", "src/three.txt", "src/two.txt"]);
  });

  it("[R-JIXO-30] ends with 2 after --once and --loop while work is left, with 64 for what cannot be", async () => {
    const stage = await Stage.open(jobPlays, { ".jixo/trip.job.md": "Plan a trip.\n" });
    const once = await stage.runAll("job", "run", "trip", "--once");
    assert.deepEqual([once.code, stage.model.requests.length], [2, 1]);
    assert.equal((await stage.runAll("job", "run", "trip", "--loop", "2")).code, 2);
    assert.equal((await stage.json("job", "status", "trip"))["progress"], 66);
    for (const wrong of [
      ["none"],
      ["trip", "--once", "--loop", "2"],
      ["trip", "--runners", "0"],
      ["trip", "--max-turns", "x"],
    ]) {
      assert.equal((await stage.run("job", "run", ...wrong)).code, 64, wrong.join(" "));
    }
  });

  it("says that the job file asks for the model that the server does not know", async () => {
    const file = "---\nmodel: gemini-2.0-flash\n---\nPlan a trip.\n";
    const stage = await Stage.open(() => ({ status: 404, message: "No such model." }), {
      ".jixo/trip.job.md": file,
    });
    const { code, stderr } = await stage.runAll("job", "run", "trip");
    assert.equal(code, 1);
    assert.match(
      stderr + (await stage.read(".jixo/trip.log.md")),
      /\.jixo\/trip\.job\.md that asks for this model/,
    );
  });

  it("says what cannot be read of a job file before it runs the job", async () => {
    const file = "---\nname: trip\ncheck: [npm test\n---\nPlan a trip.\n";
    const stage = await Stage.open(jobPlays, { ".jixo/trip.job.md": file });
    const { stderr } = await stage.runAll("job", "run", "trip", "--once");
    assert.match(stderr, /^! \.jixo\/trip\.job\.md:3: The front matter is not YAML in column 17: /);
  });

  it("[R-JIXO-20] commits Pending, lets go of its locks and can be run again when Ctrl-C stops it", async () => {
    const { stage, process } = await atWork();
    const live = await stage.json("job", "status", "trip");
    assert.deepEqual(live["staleLocks"], []);
    process.kill("SIGINT");
    assert.equal((await process.ended).code, 130);
    const log = await stage.read(".jixo/trip.log.md");
    assert.doesNotMatch(log, /Locked/);
    assert.match(log, /Stopped by the user; work will be resumed\./);
    assert.deepEqual(
      (await stage.list(".rooroo/locks")).filter((name) => name.startsWith("job")),
      [],
    );
    assert.equal((await stage.runAll("job", "run", "trip")).code, 0);
  });

  it("[R-JIXO-8] ends what a killed runner has left running before its task is taken up again", async () => {
    const stage = await Stage.open(
      (request, index) =>
        index === 1
          ? calls("execute_command", { command: "echo up $$; sleep 300" })
          : jobPlays(request, index),
      { ".jixo/trip.job.md": "Plan a trip.\n" },
    );
    const first = stage.start("job", "run", "trip", "--approve", "all", "--verbose");
    await first.prints(/up \d+/);
    const pid = Number(/up (\d+)/.exec(first.stdout)?.[1]);
    first.kill("SIGKILL");
    await first.ended;
    // It runs on, unless another rooroo, of a test beside this one, has begun and ended it by now.
    assert.deepEqual((await stage.json("job", "status", "trip"))["staleLocks"], ["1"]);
    assert.equal((await stage.runAll("job", "run", "trip")).code, 0);
    assert.equal(listedProcess(pid), undefined);
  });

  it("[R-JIXO-29] stops a job that another process runs, which waited for its cycle or works", async () => {
    const { stage, process } = await atWork("--wait");
    const live = await stage.json("job", "status", "trip");
    const [runner] = live["runners"] as Record<string, unknown>[];
    assert.deepEqual(
      [runner?.["role"], runner?.["task"], runner?.["turn"], runner?.["quota"]],
      ["Runner", "1", 0, 60],
    );
    const stop = await stage.run("job", "stop", "trip");
    assert.deepEqual([stop.code, stop.stdout], [0, "Stopped trip (1 runner).\n"]);
    const { code, stderr } = await process.ended;
    assert.equal(code, 1);
    assert.match(stderr, /Stopped\. Run the job again to continue\./);
    assert.match(
      await stage.read(".jixo/trip.log.md"),
      /Stopped by the user; work will be resumed/,
    );
    const nobody = await stage.run("job", "stop", "trip");
    assert.deepEqual([nobody.code, nobody.stdout], [0, "trip is not running.\n"]);
    assert.equal((await stage.runAll("job", "run", "trip")).code, 0);
    // The next cycle is an hour away: it waits, and hears the order all the same.
    const text = await stage.read(".jixo/trip.job.md");
    await stage.write(".jixo/trip.job.md", `---\nevery: 1h\n---\n${text}`);
    const waiting = stage.start("job", "run", "trip", "--wait", "--until", "2099-01-01T00:00");
    await waiting.prints(/This cycle is complete\. The next begins at \S+ Waiting\./);
    assert.equal((await stage.run("job", "stop", "trip")).code, 0);
    assert.equal((await waiting.ended).code, 1);
  });

  it("[R-JIXO-25] answers a job's question where it stands", async () => {
    const stage = await Stage.open(jobPlays, {
      ".jixo/importer.job.md": await sample("open.job.md"),
    });
    const answered = await stage.run("answer", "Q-1", "By", "day.");
    assert.deepEqual(
      [answered.code, answered.stdout],
      [
        0,
        "The answer was written to .jixo/importer.job.md; the next lifecycle of importer applies it.\n",
      ],
    );
    assert.match(await stage.read(".jixo/importer.job.md"), /\*\*Response\*\*:\n- By day\.\n/);
    const again = await stage.run("answer", "Q-1", "By place.");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /Question Q-1 is answered already/);
    assert.equal((await stage.run("answer", "Q-1", " ")).code, 64);
    for (const wrong of ["25:00", "tomorrow", "2020-01-01T00:00"]) {
      assert.equal((await stage.run("job", "run", "importer", "--until", wrong)).code, 64, wrong);
    }
  });

  it("shows what a job and its tasks have changed, and undoes a task, which is done anew then", async () => {
    const script: HttpScript = ({ messages }) => {
      const told = String(messages[1]?.content);
      const [, task = ""] = /Your objective: Task (\d)/.exec(told) ?? [];
      const isWritten = messages.some(({ role }) => role === "tool");
      return isWritten
        ? calls("attempt_completion", { result: "Succeeded", summary: `Wrote ${task}.` })
        : calls("write_to_file", { path: `${task}.txt`, content: `${task}\n` });
    };
    const tasks = "- [ ] 1. One\n  - status: Pending\n- [ ] 2. Two\n  - status: Pending\n";
    const stage = await Stage.open(script, {
      ".jixo/two.job.md": "Write two files.\n",
      ".jixo/two.log.md": `---\ntitle: Two\nplanned_for: ""\n---\n\n## Roadmap\n\n${tasks}\n## Work Log\n`,
    });
    const run = () => stage.run("job", "run", "two", "--approve", "all");
    assert.equal((await run()).code, 0);
    const log = () => readFile(join(stage.root, ".jixo/two.log.md"), "utf8");
    assert.match(
      await log(),
      /Task 2\. Two\n- \*\*Result\*\*: Succeeded\n- \*\*Changes\*\*: 1 file \(\+1 −0\): 2\.txt\n- \*\*Usage\*\*: .*2 requests/,
    );
    assert.match(
      (await stage.run("job", "changes", "two")).stdout,
      /1\.txt {2}added[^]*2\.txt {2}added/,
    );
    const ofTask = await stage.run("job", "changes", "two", "2");
    assert.match(ofTask.stdout, /^2\.txt {2}added/);
    const undone = await stage.run("job", "undo", "two", "2");
    assert.equal(undone.code, 0);
    assert.match(
      undone.stdout,
      /✓ 2\.txt removed\nTask 2 is Pending again, and the log says so\.\n/,
    );
    assert.match(
      await log(),
      /2\. Two\n {2}- status: Pending\n[^]*Undo Task 2\. Two\n.*\n- \*\*Reason\*\*: undone/,
    );
    await assert.rejects(readFile(join(stage.root, "2.txt")));
    assert.equal((await stage.run("validate", "job-log", ".jixo/two.log.md")).code, 0);
    assert.match((await stage.run("job", "undo", "two", "7")).stderr, /The roadmap has no task 7/);
    assert.equal((await run()).code, 0);
    assert.equal(await readFile(join(stage.root, "2.txt"), "utf8"), "2\n");
  });

  it("begins no lifecycle beyond a job's budget, and goes on with a larger one", async () => {
    const tasks = ["1", "2", "3"].map((task) => `- [ ] ${task}. Task\n  - status: Pending\n`);
    const done = calls("attempt_completion", { result: "Succeeded", summary: "Done." });
    const stage = await Stage.open(() => done, {
      ".jixo/three.job.md": "Do three.\n",
      ".jixo/three.log.md": `---\ntitle: Three\n---\n\n## Roadmap\n\n${tasks.join("")}\n## Work Log\n`,
    });
    const run = (budget: string) =>
      stage.run("job", "run", "three", "--approve", "all", "--wait", "--budget", budget);
    const ended = await run("requests=2");
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /The job has used 2 requests of its budget of 2 requests/);
    const status = await stage.run("job", "status", "three");
    assert.match(
      status.stdout,
      /66% {2}2 of 3 tasks done\n {2}1 to do\n[^]* · 2 of 2 requests · [^]*✗ The budget is used up: 2 of 2 requests\./,
    );
    assert.equal((await run("requests=9")).code, 0);
    const over = await stage.run("job", "status", "three");
    assert.match(over.stdout, /100% {2}3 of 3 tasks done\n[^]* · 3 of 9 requests/);
    assert.doesNotMatch(over.stdout, /In the way/);
  });

  it("tells the only job's status without its name, and as JSON with all figures", async () => {
    const stage = await Stage.open(jobPlays, { ".jixo/trip.job.md": "Plan a trip.\n" });
    assert.equal((await stage.runAll("job", "run", "trip", "--budget", "cost=5")).code, 0);
    const { stdout } = await stage.run("job", "status");
    assert.match(
      stdout,
      /^Trip {2}\.jixo\/trip\.job\.md\n.*100% {2}3 of 3 tasks done\n {2}The job is done\n/,
    );
    assert.match(stdout, /\$0\.00 of \$5\.00 · 3 files \(\+3 −0\)\n/);
    const { facts } = (await stage.json("job", "status")) as { facts: JobFacts };
    assert.deepEqual(
      facts.tasks.map(({ id, state, tries, changes }) => [id, state, tries, changes?.files]),
      [
        ["1", "done", 1, 1],
        ["2", "done", 1, 1],
        ["3", "done", 1, 1],
      ],
    );
    assert.deepEqual(
      [facts.sums.lifecycles, facts.sums.requests, facts.sums.budget],
      [4, 7, { cost: 5 }],
    );
    await stage.write(".jixo/other.job.md", "Something else.\n");
    const unnamed = await stage.run("job", "status");
    assert.deepEqual([unnamed.code, unnamed.stdout], [64, ""]);
    assert.match(unnamed.stderr, /Name one of the jobs\. There are: other, trip\./);
  });

  it("writes a job's page where git does not see it, or where it is told to", async () => {
    const stage = await Stage.open(jobPlays, { ".jixo/trip.job.md": "Plan a trip.\n" });
    assert.equal((await stage.runAll("job", "run", "trip")).code, 0);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: stage.root }).toString().trim();
    git("init", "--quiet");
    const written = await stage.run("job", "page", "trip");
    const path = ".rooroo/jobs/trip/trip.html";
    assert.deepEqual([written.code, written.stdout], [0, `Wrote ${stage.path(path)}\n`]);
    assert.equal(git("check-ignore", path), path);
    const page = readPage(await stage.read(path));
    assert.deepEqual([page.problems, page.texts("h1")], [[], ["Trip"]]);
    assert.ok(page.texts("code").includes("rooroo job undo trip 2"));
    const elsewhere = await stage.json("job", "page", "trip", "--output", "out/night.html");
    assert.deepEqual(elsewhere, { job: "trip", path: stage.path("out/night.html") });
    assert.deepEqual(readPage(await stage.read("out/night.html")).texts("h1"), ["Trip"]);
    for (const wrong of [["none"], ["trip", "--output", "src/one.txt"]]) {
      assert.equal((await stage.run("job", "page", ...wrong)).code, 64, wrong.join(" "));
    }
    assert.equal(await stage.read("src/one.txt"), "one\n");
  });

  it("is offered a job for long work, makes it and runs it", async () => {
    const stage = await Stage.open((request, index) => {
      const goal = "Move all tests.";
      if (index === 0)
        return calls("triage", { route: "job", name: "tests", goal, reason: "long" });
      return jobPlays(request, index);
    }, {});
    const asked = await stage.runAll("ask", "Move all tests over night");
    assert.equal(asked.code, 2);
    assert.match(
      asked.stdout,
      /name: tests[^]*ask '\/job tests Move all tests\.\n[^]*Move all tests over night'/,
    );
    const made = await stage.runAll("ask", "/job tests Move all tests.");
    assert.equal(made.code, 0);
    assert.equal(
      await stage.read(".jixo/tests.job.md"),
      '---\nname: "tests"\n---\n\nMove all tests.\n',
    );
    const ran = await stage.runAll("ask", "/job tests");
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal((await stage.json("job", "status", "tests"))["progress"], 100);
  });

  it("does a job in envelopes, for a model that cannot call tools", async () => {
    const stage = await Stage.open(
      ({ messages }) =>
        messages[0]?.content?.includes("PLANNER") === true
          ? reports({
              title: "Trip",
              summary: "Planned.",
              changes: [{ action: "add", items: [{ text: "1. Go" }] }],
            })
          : reports({ result: "Succeeded", summary: "Went." }),
      { ".jixo/trip.job.md": "Plan a trip.\n" },
    );
    const run = await stage.runAll("job", "run", "trip", "--dialect", "envelope");
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.match(await stage.read(".jixo/trip.log.md"), /\*\*Summary\*\*: Went\./);
  });
});

/** Runs a job as far as its first task, whose runner gets no answer while the process lives. */
async function atWork(...args: string[]): Promise<{ stage: Stage; process: Rooroo }> {
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => (asked = resolve));
  const stage: Stage = await Stage.open(
    async (request, index) => {
      if (index === 1) {
        asked();
        await process.ended;
      }
      return jobPlays(request, index);
    },
    { ".jixo/trip.job.md": "Plan a trip.\n" },
  );
  const process: Rooroo = stage.start("job", "run", "trip", "--approve", "all", ...args);
  await isAsked;
  return { stage, process };
}

/** Plans three tasks, each of which writes a file of its own. */
const jobPlays: HttpScript = ({ messages, results }) => {
  if (messages[0]?.content?.includes("PLANNER") === true) {
    const items = ["1. one", "2. two", "3. three"].map((text) => ({ text }));
    const changes = [{ action: "add", items }];
    return calls("attempt_completion", { title: "Trip", summary: "Planned.", changes });
  }
  const name = /objective: Task \d+\. (\w+)/.exec(messages[1]?.content ?? "")?.[1] ?? "";
  return results.length === 0
    ? calls("write_to_file", { path: `src/${name}.txt`, content: `${name}\n` })
    : calls("attempt_completion", { result: "Succeeded", summary: `Wrote ${name}.` });
};
