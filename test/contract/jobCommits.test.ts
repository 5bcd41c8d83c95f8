import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { noDocuments } from "../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../src/core/changes/taskChanges.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import { jobNamed } from "../../src/core/jobs/documents/jobFolder.js";
import { Jobs } from "../../src/core/jobs/jobs.js";
import { undoable } from "../../src/core/jobs/undoTask.js";
import { outerLoop } from "../../src/core/jobs/work/outerLoop.js";
import type { Commits } from "../../src/core/ports/commits.js";
import type { LanguageModel } from "../../src/core/ports/model.js";
import { spoken } from "../../src/core/text/words.js";
import { diskJobs } from "../fakes/diskJobs.js";
import { does, judges } from "../fakes/jobStage.js";
import { ManualClock } from "../fakes/manualClock.js";
import { calls } from "../fakes/navigatorWorld.js";
import { type ModelScript, ScriptedModel } from "../fakes/scriptedModel.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("commits of a job's tasks", () => {
  const folder = temporaryFolder();
  const events: ConversationEvent[] = [];
  const clock = new ManualClock();

  function git(...args: readonly string[]): string {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const options = { cwd: folder.path, env, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", args, options).trimEnd();
  }
  const write = (path: string, text: string) => writeFile(join(folder.path, path), text);
  const read = (path: string) => readFile(join(folder.path, path), "utf8");
  const log = () => git("log", "--format=%s", "main..").split("\n");

  async function repository(tasks: readonly string[]): Promise<void> {
    events.length = 0;
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.test");
    await mkdir(join(folder.path, ".jixo"));
    const items = tasks.map((task) => `- [ ] ${task}\n  - status: Pending\n`).join("");
    await write(".jixo/trip.job.md", "---\nname: trip\ngit: commit\n---\n\nPlan a trip.\n");
    await write(
      ".jixo/trip.log.md",
      `---\ntitle: Trip\nprogress: "0%"\n---\n\n## Roadmap\n\n${items}\n## Work Log\n`,
    );
    await write("plan.txt", "one\ntwo\nthree\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "First");
  }

  function world(scripts: readonly ModelScript[] | ModelScript) {
    const scripted = new ScriptedModel(scripts);
    const judge = new ScriptedModel(() => judges(true));
    const model: LanguageModel = {
      name: scripted.name,
      respond: (request, signal) =>
        (request.forcedTool === "judge_plan" ? judge : scripted).respond(request, signal),
    };
    return diskJobs(folder.path, { model, clock, onEvent: (event) => events.push(event) });
  }

  const run = (scripts: readonly ModelScript[] | ModelScript, runners = 1) =>
    outerLoop(
      { name: "trip", startedBy: "person", runners, quota: 10 },
      world(scripts),
      new AbortController().signal,
    );

  /** Runs the job until one of its commits' operations throws, as if the process had been killed there. */
  async function diesAt(
    scripts: readonly ModelScript[],
    instead: (died: Error, commits: Commits) => Partial<Commits>,
  ): Promise<void> {
    const given = world(scripts);
    const { commits } = given.experts.host;
    assert.ok(commits);
    const died = new Error("killed");
    const dying: Commits = {
      begin: (branch, own) => commits.begin(branch, own),
      trailers: (keys) => commits.trailers(keys),
      commit: (branch, commit) => commits.commit(branch, commit),
      ...instead(died, commits),
    };
    const host = { ...given.experts.host, commits: dying };
    const services = { ...given, experts: { ...given.experts, host } };
    const { signal } = new AbortController();
    await assert.rejects(
      outerLoop({ name: "trip", startedBy: "person", runners: 1, quota: 10 }, services, signal),
      died,
    );
  }

  const reads = (path: string) => calls("read_file", { path });
  const writes = (path: string, content: string) => calls("write_to_file", { path, content });
  const warnings = () =>
    events.flatMap((event) =>
      event.type === "notice" && event.level === "warning" ? [event.text] : [],
    );

  it("[R-JIXO-34] are one for each task, with its changes, by which git revert undoes it", async () => {
    await repository(["1. Write a", "2. Look", "3. Write b"]);
    const { code } = await run([
      writes("a.txt", "a\n"),
      does({ summary: "Wrote a." }),
      does({ summary: "Looked." }),
      writes("b.txt", "b\n"),
      does({ summary: "Wrote b." }),
    ]);
    assert.equal(code, 0);
    assert.deepEqual(log(), ["3. Write b", "1. Write a"]);
    assert.equal(git("branch", "--show-current"), "job/trip");
    assert.equal(git("status", "--porcelain", "--", ":!.jixo", ":!.rooroo"), "");
    assert.match(
      git("log", "-1", "--format=%B"),
      /^3\. Write b\n\nWrote b\.\n\nJob: trip\nTask: 3\. Write b\nSession: ROO#JOB_\w+$/,
    );
    assert.equal(git("show", "--name-only", "--format=", "HEAD"), "b.txt");
    git("revert", "--no-edit", "HEAD~1");
    await assert.rejects(read("a.txt"));
    assert.equal(await read("b.txt"), "b\n");
  });

  it("[R-JIXO-34] are made on a branch that a killed process began and did not note", async () => {
    await repository(["1. Write a"]);
    await diesAt([], (died, commits) => ({
      begin: async (branch, own) => {
        await commits.begin(branch, own);
        throw died;
      },
    }));
    assert.equal(git("branch", "--show-current"), "job/trip");
    assert.doesNotMatch(await read(".jixo/trip.log.md"), /commits_since/);
    assert.equal((await run([writes("a.txt", "a\n"), does()])).code, 0);
    assert.match(await read(".jixo/trip.log.md"), /commits_since/);
    assert.deepEqual(log(), ["1. Write a"]);
  });

  it("[R-JIXO-34] are made where the process was killed before, and none twice", async () => {
    await repository(["1. Write a", "2. Write b"]);
    const scripts = [writes("a.txt", "a\n"), does(), writes("b.txt", "b\n"), does()];
    await diesAt(scripts, (died) => ({ commit: () => Promise.reject(died) }));
    assert.deepEqual(log(), [""]);
    assert.equal((await run([writes("b.txt", "b\n"), does()])).code, 0);
    assert.deepEqual(log(), ["2. Write b", "1. Write a"]);
    await run([]);
    assert.deepEqual(log().length, 2);
  });

  it("[R-JIXO-34] hold all tries of a task, and what a failed one has left has a commit of its own", async () => {
    await repository(["1. Write a", "2. Write b"]);
    await run([
      writes("a.txt", "half\n"),
      does({ result: "Pending", summary: "Half." }),
      writes("b.txt", "wrong\n"),
      does({ result: "Failed", summary: "No." }),
      calls("attempt_completion", { summary: "Out.", changes: [{ action: "cancel", item: "2" }] }),
      reads("a.txt"),
      writes("a.txt", "whole\n"),
      does(),
    ]);
    assert.deepEqual(log(), ["1. Write a", "Unfinished: 2. Write b"]);
    assert.equal(git("show", "HEAD:a.txt"), "whole");
    assert.equal(
      git("log", "-1", "--format=%(trailers:key=Session,valueonly)").split("\n").length,
      2,
    );
  });

  it("[R-JIXO-34] hold what the task did before somebody else changed the file, and after it", async () => {
    await repository(["1. Write"]);
    const edits = (from: string, to: string) =>
      calls("edit_file", { path: "plan.txt", old_text: from, new_text: to });
    const { code } = await run([
      reads("plan.txt"),
      edits("one", "ONE"),
      async () => {
        await write("plan.txt", "ONE\ntwo\nthree\nmine\n");
        return reads("plan.txt");
      },
      edits("two", "TWO"),
      does(),
    ]);
    assert.equal(code, 0);
    assert.equal(await read("plan.txt"), "ONE\nTWO\nthree\nmine\n");
    assert.deepEqual(log(), ["1. Write"]);
    assert.equal(git("show", "HEAD:plan.txt"), "ONE\nTWO\nthree");
  });

  it("[R-JIXO-34] never hold the user's own changes, and wait where both changed the same lines", async () => {
    await repository(["1. Write", "2. Write", "3. Write"]);
    const ends = { 1: "one\ntwo\nTASK\n", 2: "TASK\ntwo\nTASK\n" };
    const mine = "MINE\ntwo\nTASK\n";
    const { code } = await run(async (request) => {
      const told = request.messages[1]?.content ?? "";
      const task = Number(/Your objective: Task (\d)/.exec(told)?.[1]) as 1 | 2 | 3;
      const turn = request.messages.length;
      if (task === 3) return turn === 2 ? writes("other.txt", "x\n") : does();
      if (turn > 4) {
        // When task 1 has written its file, the user changes the line that task 2 will change.
        if (task === 1) await write("plan.txt", mine);
        return does();
      }
      return turn === 2 ? reads("plan.txt") : writes("plan.txt", ends[task]);
    });
    assert.equal(code, 0);
    assert.deepEqual(log(), ["3. Write", "1. Write"]);
    assert.equal(git("show", "HEAD:plan.txt"), "one\ntwo\nTASK");
    assert.deepEqual(warnings().length, 1);
    assert.match(
      warnings()[0] ?? "",
      /^2\. Write is not committed: plan\.txt has changes in the same lines/,
    );
    assert.equal(await read("plan.txt"), ends[2]);
    // Once the user commits what is theirs, the task's commit is made.
    await write("plan.txt", mine);
    git("commit", "--quiet", "-am", "Mine");
    await write("plan.txt", ends[2]);
    await run([]);
    assert.deepEqual(log(), ["2. Write", "Mine", "3. Write", "1. Write"]);
  });

  it("[R-JIXO-34] do not begin over changes that are not committed", async () => {
    await repository(["1. Write"]);
    await write("plan.txt", "mine\n");
    const end = await run([]);
    assert.equal(end.code, 1);
    assert.match(spoken(end.reason), /not committed \(M plan\.txt\)/);
    assert.equal(git("branch", "--show-current"), "main");
  });

  it("[R-JIXO-34] say it when the branch was switched meanwhile, and go on when it is back", async () => {
    await repository(["1. Write a"]);
    let turn = 0;
    await run(() => {
      if (++turn === 1) return writes("a.txt", "a\n");
      git("checkout", "--quiet", "main");
      return does();
    });
    assert.match(
      warnings()[0] ?? "",
      /job\/trip is not the current one any more, so nothing is committed\. Switch back/,
    );
    git("checkout", "--quiet", "job/trip");
    await run([]);
    assert.deepEqual(log(), ["1. Write a"]);
  });

  it("[R-JIXO-34] are followed by one that takes a task's changes back, when a person undoes it", async () => {
    await repository(["1. Write a", "2. Write b"]);
    await run([
      reads("plan.txt"),
      writes("plan.txt", "A\ntwo\nthree\n"),
      does(),
      writes("b.txt", "b\n"),
      does(),
    ]);
    const jobs = new Jobs(
      world([reads("plan.txt"), writes("plan.txt", "B\ntwo\nthree\n"), does()]),
    );
    const { files, signer, clock: now } = world([]).experts;
    const job = await jobNamed("trip", files);
    const { sessions } = undoable(job, "1");
    const changes = new TaskChanges(
      { files, signer, documents: noDocuments, clock: now },
      ".rooroo/tasks",
    );
    const undone = [];
    for (const session of sessions)
      undone.push(...(await changes.undo(session, () => Promise.resolve(true))));
    await jobs.setTaskBack("trip", "1", undone);
    assert.deepEqual(log(), ["Undo 1. Write a", "2. Write b", "1. Write a"]);
    assert.equal(git("status", "--porcelain", "--", ":!.jixo", ":!.rooroo"), "");
    assert.equal((await jobs.run({ name: "trip", runners: 1, quota: 10 })).code, 0);
    assert.deepEqual(log(), ["1. Write a", "Undo 1. Write a", "2. Write b", "1. Write a"]);
    assert.equal(git("show", "HEAD:plan.txt"), "B\ntwo\nthree");
  });
});
