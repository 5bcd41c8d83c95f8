import assert from "node:assert/strict";
import { Polling } from "../../../../src/vscode/timing/polling.js";
import { ManualClock } from "../../../fakes/manualClock.js";

describe("Polling", () => {
  /** Returns a polling whose looks take so many milliseconds, and how often it has looked. */
  function started(lookMs = 0) {
    const clock = new ManualClock();
    const looks = { count: 0 };
    const work = () => {
      clock.advance(lookMs);
      return Promise.resolve();
    };
    const polling: Polling = new Polling(clock, () => {
      looks.count++;
      return polling.around(work);
    });
    /** Lets time pass, and what it wakes come to its end. */
    const pass = async (ms: number) => {
      clock.advance(ms);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    };
    return { clock, looks, pass, polling, work };
  }

  it("looks again after each look, with a rest in between", async () => {
    const { looks, pass, polling, work } = started();
    await polling.around(work);
    await pass(4_999);
    assert.equal(looks.count, 0);
    await pass(1);
    assert.equal(looks.count, 1);
    await pass(4_999);
    assert.equal(looks.count, 1);
    await pass(1);
    assert.equal(looks.count, 2);
  });

  it("rests a hundred times as long as the work took", async () => {
    const { looks, pass, polling, work } = started(200);
    await polling.around(work);
    await pass(19_999);
    assert.equal(looks.count, 0);
    await pass(1);
    assert.equal(looks.count, 1);
  });

  it("begins its rest anew when work is done meanwhile, also where that fails", async () => {
    const { clock, looks, pass, polling } = started();
    await polling.around(() => Promise.resolve());
    await pass(4_000);
    const error = new Error("no");
    await assert.rejects(
      polling.around(() => Promise.reject(error)),
      error,
    );
    assert.equal(clock.sleeping, 1);
    await pass(4_000);
    assert.equal(looks.count, 0);
    await pass(1_000);
    assert.equal(looks.count, 1);
  });

  it("does not look while work is going on", async () => {
    const { clock, looks, pass, polling, work } = started();
    await polling.around(work);
    let finish = (): void => undefined;
    const long = polling.around(() => new Promise<void>((resolve) => (finish = resolve)));
    await pass(5_000);
    assert.equal(looks.count, 0);
    finish();
    await long;
    assert.equal(clock.sleeping, 1);
  });

  it("rests once, whichever of two pieces of work ends last", async () => {
    const { clock, polling, work } = started();
    await Promise.all([polling.around(work), polling.around(work)]);
    assert.equal(clock.sleeping, 1);
  });

  it("never looks again once it is disposed, at rest or at work", async () => {
    const resting = started();
    await resting.polling.around(resting.work);
    resting.polling.dispose();
    await resting.pass(5_000);
    assert.equal(resting.looks.count, 0);

    const working = started();
    await working.polling.around(() => {
      working.polling.dispose();
      return Promise.resolve();
    });
    assert.equal(working.clock.sleeping, 0);
  });
});
