import assert from "node:assert/strict";
import { RandomIds } from "../../../src/node/randomIds.js";
import { SystemClock } from "../../../src/node/systemClock.js";
import { ManualClock } from "../../fakes/manualClock.js";

describe("RandomIds", () => {
  it("have the length that is asked for, and differ", () => {
    const ids = new RandomIds();
    for (const length of [1, 6, 7, 32]) {
      assert.match(ids.hex(length), new RegExp(`^[0-9a-f]{${length}}$`));
    }
    assert.notEqual(ids.hex(32), ids.hex(32));
  });
});

for (const clock of [new SystemClock(), new ManualClock()]) {
  describe(clock.constructor.name, () => {
    it("stops a sleep with the signal's own reason", async () => {
      const stopper = new AbortController();
      const reason = new Error("stopped");
      const sleep = clock.sleep(1_000_000, stopper.signal);
      stopper.abort(reason);
      await assert.rejects(sleep, reason);
      await assert.rejects(clock.sleep(1, AbortSignal.abort(reason)), reason);
    });
  });
}

describe("ManualClock", () => {
  it("wakes, in order, those whose time has come", async () => {
    const clock = new ManualClock("2025-01-01T00:00:00.000Z");
    const { signal } = new AbortController();
    const order: string[] = [];
    const sleeps = [20, 10].map((ms) => clock.sleep(ms, signal).then(() => order.push(`${ms}`)));
    clock.advance(9);
    await Promise.resolve();
    assert.deepEqual(order, []);
    assert.equal(clock.sleeping, 2);
    clock.advance(11);
    await Promise.all(sleeps);
    assert.deepEqual(order, ["10", "20"]);
    assert.equal(clock.now().toISOString(), "2025-01-01T00:00:00.020Z");
  });
});
