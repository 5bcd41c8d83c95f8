import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Do it" };

/** Runs a command first; what it came to does not matter. */
function runs(command: string) {
  return plays(direct, {
    "rooroo-developer": ({ results }) =>
      results.length === 0
        ? calls("execute_command", { command })
        : completes({ message: "Over." }),
  });
}

/** A command whose processes note who they are. */
const sleepers = "sleep 300 & echo $! > pids; echo $$ >> pids; echo begun; wait";
const stubborn = `trap '' TERM; echo $$ > pids; echo begun; while true; do sleep 300; done`;

async function pids(stage: Stage): Promise<number[]> {
  for (;;) {
    const text = await stage.read("pids");
    if (text.endsWith("\n")) return text.trim().split("\n").map(Number);
    await pause(20);
  }
}

/** Returns whether a process is alive; one that has ended and only waits to be noticed by its parent is not. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(")")).charAt(2) !== "Z";
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function alive(pids: readonly number[]): Promise<number[]> {
  const states = await Promise.all(pids.map(isAlive));
  return pids.filter((_, index) => states[index]);
}

describe("stopping rooroo", () => {
  afterEach(closeStages);

  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`ends a running command with all its processes at ${signal}; the task can be resumed`, async () => {
      const stage = await Stage.open(runs(sleepers));
      const work = stage.start("ask", "Do it", "--approve", "all");
      const started = await pids(stage);
      assert.deepEqual(await alive(started), started);
      work.kill(signal);
      const ended = await work.ended;
      assert.equal(ended.code, code, ended.stderr);
      assert.deepEqual(await alive(started), []);
      assert.match(ended.stdout, /■ Stopped {2}ROO#TASK_\w+\n[^]*→ rooroo resume ROO#TASK_/);
      assert.deepEqual(await stage.list(".rooroo/locks"), [".gitignore"]);

      const [task] = await stage.tasks("interrupted");
      const resumed = await stage.runAll("resume", task?.taskId ?? "");
      assert.equal(resumed.code, 0, resumed.stderr);
      assert.match(resumed.stdout, /Over\./);
    });
  }

  it("leaves at once at the second signal, and takes the command along", async () => {
    const stage = await Stage.open(runs(stubborn));
    const work = stage.start("ask", "Do it", "--approve", "all", "--verbose");
    await work.prints(/begun/);
    const started = await pids(stage);
    const begun = performance.now();
    work.kill("SIGINT");
    await work.prints(/press Ctrl-C again to quit at once/);
    work.kill("SIGINT");
    assert.equal((await work.ended).code, 130);
    assert.ok(performance.now() - begun < 1500);
    // The process is gone; the system takes its children at its own pace.
    while ((await alive(started)).length > 0) await pause(10);
  });

  it("keeps a server running while its expert works, and ends it with the task", async () => {
    // It may open the pipe once more before the writer of a line has closed it, and find its end.
    const serve = `setsid bash -c 'echo $$ > pids; echo up; for i in {1..100}; do read -t 300 line < pipe && echo "heard $line"; done' & wait`;
    const seen: string[] = [];
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) => {
          seen.splice(0, seen.length, ...results.map(({ content }) => content));
          switch (results.length) {
            case 0:
              return calls("execute_command", { command: "mkfifo pipe" });
            case 1:
              return calls("execute_command", { command: serve, background: true });
            case 2:
              return calls("execute_command", { command: "echo hello > pipe" });
            case 3:
              return calls("command_output", { id: "c1", wait_seconds: 30 });
            default:
              return completes({ message: "Over." });
          }
        },
      }),
    );
    const ended = await stage.runAll("ask", "Do it");
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(seen[1] ?? "", /^c1 runs on\.\nNew output:\nup/);
    assert.match(seen[3] ?? "", /^c1 runs on\.\nNew output:\nheard hello/);
    assert.deepEqual(await alive(await pids(stage)), []);
  });

  it("ends at the next start what was left running by one that was killed", async () => {
    const stage = await Stage.open(
      runs("setsid sleep 300 & echo $! > pids; echo $$ >> pids; wait"),
    );
    const work = stage.start("ask", "Do it", "--approve", "all");
    const started = await pids(stage);
    work.kill("SIGKILL");
    await work.ended;
    assert.deepEqual(await alive(started), started);
    const [task] = await stage.tasks("interrupted");
    await stage.runAll("resume", task?.taskId ?? "");
    while ((await alive(started)).length > 0) await pause(10);
  });

  it("begins nothing any more when it is stopped before it has begun", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge", reply: "Hi!" }, {}));
    const other = await new FileLock(stage.root, "another rooroo").tryHold("recovery");
    assert.ok("held" in other);
    // The first lock that a process asks for puts this file back.
    await rm(stage.path(".rooroo/.gitignore"));
    const work = stage.start("ask", "hello");
    while (!(await stage.list(".rooroo")).includes(".gitignore")) await pause(10);
    work.kill("SIGINT");
    await work.prints(/Stopping…/);
    await other.held.release();
    const { code, stdout } = await work.ended;
    assert.deepEqual([code, stdout], [130, ""]);
    assert.equal(stage.model.requests.length, 0);
  });

  it("stops while the model thinks, and tells scripts so", async () => {
    const stage = await Stage.open(
      plays(direct, { "rooroo-developer": () => new Promise(() => undefined) }),
    );
    const work = stage.start("ask", "Do it", "--json");
    await work.prints(/sessionStarted/);
    work.kill("SIGTERM");
    const { code, stdout } = await work.ended;
    assert.equal(code, 143);
    const last = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { next: string[] };
    const [task] = await stage.tasks("interrupted");
    assert.deepEqual(last, {
      type: "outcome",
      status: "stopped",
      exitCode: 143,
      next: [`rooroo resume ${task?.taskId ?? ""}`],
    });
  });
});
