import assert from "node:assert/strict";
import { coalesce } from "../../../../src/vscode/timing/coalesce.js";
import { ManualClock } from "../../../fakes/manualClock.js";

describe("coalesce", () => {
  /** Returns work that goes on until the test ends it, and how often it has begun. */
  function started() {
    const clock = new ManualClock();
    const begun: (() => void)[] = [];
    const ask = coalesce(() => new Promise<void>((resolve) => begun.push(resolve)), 80, clock);
    const pass = async (ms: number) => {
      clock.advance(ms);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    };
    /** Ends the work that has begun last. */
    const finish = () => {
      begun.at(-1)?.();
      return pass(0);
    };
    return { ask, begun, clock, finish, pass };
  }

  it("runs the work once for all calls before it begins", async () => {
    const { ask, begun, finish, pass } = started();
    ask();
    await pass(79);
    ask();
    assert.equal(begun.length, 0);
    await pass(1);
    assert.equal(begun.length, 1);
    await finish();
    await pass(80);
    assert.equal(begun.length, 1);
    ask();
    await pass(80);
    assert.equal(begun.length, 2);
  });

  it("runs it once more, and not at the same time, when it is called for while it runs", async () => {
    const { ask, begun, finish, pass } = started();
    ask();
    await pass(80);
    ask();
    ask();
    await pass(80);
    assert.equal(begun.length, 1);
    await finish();
    assert.equal(begun.length, 1);
    await pass(80);
    assert.equal(begun.length, 2);
    await finish();
    await pass(80);
    assert.equal(begun.length, 2);
  });

  it("runs nothing once it is disposed, waiting or running", async () => {
    const waiting = started();
    waiting.ask();
    waiting.ask.dispose();
    await waiting.pass(80);
    assert.equal(waiting.begun.length, 0);

    const running = started();
    running.ask();
    await running.pass(80);
    running.ask();
    running.ask.dispose();
    await running.finish();
    await running.pass(80);
    assert.equal(running.begun.length, 1);
    assert.equal(running.clock.sleeping, 0);
  });
});
