import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { UserError } from "../../../../src/core/errors.js";
import { Runs } from "../../../../src/core/runs/runs.js";
import { runLock } from "../../../../src/core/runs/work/driveRun.js";
import { stopWork, untilStopped } from "../../../../src/core/work/stop.js";
import { CountingIds } from "../../../fakes/countingIds.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { RunStage } from "../../../fakes/runStage.js";
import { neverAnswers } from "../../../fakes/scriptedModel.js";

/** Lets time pass until the promise has settled. */
async function passing<T>(clock: ManualClock, promise: Promise<T>, step = 1_000): Promise<T> {
  const state = { settled: false };
  void promise.catch(() => undefined).finally(() => (state.settled = true));
  while (!state.settled) {
    await nextTurn();
    if (clock.sleeping > 0) clock.advance(step);
  }
  return promise;
}

describe("a stop order", () => {
  const world = () => ({
    files: new MemoryFileSystem({}),
    clock: new ManualClock(),
    ids: new CountingIds(),
  });
  const never = new AbortController().signal;
  const untilAborted = (signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      signal.addEventListener("abort", () => {
        resolve((signal.reason as UserError).code);
      });
    });

  it("is heard by all that do the work, and by nobody else", async () => {
    const parts = world();
    let left = 2;
    const works = ["a", "a"].map((name) =>
      untilStopped(name, parts, never, untilAborted).finally(() => left--),
    );
    let other = "";
    const elsewhere = untilStopped("b", parts, never, untilAborted).then((why) => (other = why));
    // As in a process that has just begun to hear.
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    const stopped = stopWork("a", () => Promise.resolve(left), parts);
    assert.deepEqual(await passing(parts.clock, stopped), { found: 2, left: 0 });
    const reason = "stoppedByUser";
    assert.deepEqual(await Promise.all(works), [reason, reason]);
    assert.equal(other, "");
    const all = stopWork("b", () => Promise.resolve(other === "" ? 1 : 0), parts);
    assert.deepEqual(await passing(parts.clock, all), { found: 1, left: 0 });
    await elsewhere;
  });

  it("is for those who are at work when it is given", async () => {
    const parts = world();
    await stopWork("a", () => Promise.resolve(0), parts);
    const done = untilStopped("a", parts, never, async (signal) => {
      parts.clock.advance(2_000);
      await nextTurn();
      return signal.aborted;
    });
    assert.equal(await done, false);
    assert.equal(parts.clock.sleeping, 0);
  });

  it("waits half a minute for work that does not end, here or elsewhere", async () => {
    const parts = world();
    const began = parts.clock.now().getTime();
    const hangs = new Promise<never>(() => undefined);
    const stopped = stopWork("a", () => Promise.resolve(1), parts, hangs);
    assert.deepEqual(await passing(parts.clock, stopped), { found: 1, left: 1 });
    const seconds = (parts.clock.now().getTime() - began) / 1000;
    assert.ok(seconds >= 30 && seconds < 33, String(seconds));
  });
});

describe("a stop in one process", () => {
  it("ends the tasks of another, which can be resumed there", async () => {
    const files = new MemoryFileSystem({});
    const lock = new MemoryLock();
    const clock = new ManualClock();
    const begun = (): { stage: NavigatorStage; started: Promise<void> } => {
      let tell = (): void => undefined;
      const started = new Promise<void>((resolve) => (tell = resolve));
      const scripts = [
        neverAnswers(() => {
          tell();
        }),
        completes(),
      ];
      return { stage: new NavigatorStage(scripts, { files, lock, clock }), started };
    };
    const [one, other] = [begun(), begun()];
    const first = one.stage.navigator.say("/do A");
    await one.started;
    // Ids of tasks have the time in them.
    clock.advance(1_000);
    const running = [first, other.stage.navigator.say("/ask B")];
    await other.started;
    const stopped = await passing(clock, one.stage.navigator.stop());
    assert.deepEqual(stopped, { found: 2, left: 0 });
    const ends = await passing(clock, Promise.all(running));
    assert.deepEqual(ends, [{ status: "failed" }, { status: "failed" }]);
    assert.deepEqual(
      [one.stage.ends, other.stage.ends],
      [["Stopped: Stopped."], ["Stopped: Stopped."]],
    );
    const resumed = other.stage.navigator.resume(other.stage.started[0] ?? "");
    assert.equal((await resumed).status, "done");
  });

  it("ends a run that another drives", async () => {
    const stage = new RunStage({ "assets/notes.md": "# Notes\n" });
    const { experts, lock, files, publisher } = stage.world;
    const layout = () => Promise.resolve(stage.layout);
    const runs = new Runs({ experts, lock, files, publisher, layout, say: () => undefined });
    const run = await stage.start("Write a report about bees");
    let begun = (): void => undefined;
    const started = new Promise<void>((resolve) => (begun = resolve));
    stage.model.respond = neverAnswersAs(() => {
      begun();
    });
    const driving = stage.drive(run);
    await started;
    assert.equal(runs.isHere(run), false);
    const stopped = await passing(stage.clock, runs.stop(run));
    assert.deepEqual(stopped, { found: 1, left: 0 });
    assert.deepEqual(await driving, { status: "stopped", reason: "Stopped." });
    assert.equal(await lock.holder(runLock(run)), undefined);
  });
});

function neverAnswersAs(started: () => void): RunStage["model"]["respond"] {
  return async function* (_request, signal) {
    started();
    await new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      });
    });
  };
}
