import assert from "node:assert/strict";
import type { HeldLock, Lock } from "../../src/core/ports/locks.js";

/** Defines the tests of what every {@link Lock} promises. */
export function lockContract(make: () => Lock): void {
  let lock: Lock;
  beforeEach(() => {
    lock = make();
  });

  it("is held by one at a time, and says by whom", async () => {
    assert.equal(await lock.holder("run"), undefined);
    const first = await held(lock, "run");
    const second = await lock.tryHold("run");
    assert.ok("holder" in second);
    assert.equal(second.holder.label, "test");
    assert.match(second.holder.since, /^\d{4}-\d\d-\d\dT/);
    assert.deepEqual(await lock.holder("run"), second.holder);
    await first.release();
    assert.equal(await lock.holder("run"), undefined);
    await (await held(lock, "run")).release();
  });

  it("knows its locks apart", async () => {
    await held(lock, "one");
    await held(lock, "two");
  });

  it("releases only its own hold, and only once", async () => {
    const first = await held(lock, "run");
    await first.release();
    const second = await held(lock, "run");
    await first.release();
    assert.ok("holder" in (await lock.tryHold("run")));
    await second.release();
  });

  it("gives exactly one of many the lock", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, () => lock.tryHold("run")));
    assert.equal(results.filter((result) => "held" in result).length, 1);
  });

  it("lets work run alone, in the order of asking", async () => {
    const order: number[] = [];
    let running = 0;
    const work = async (number: number) => {
      assert.equal(++running, 1);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(number);
      running--;
      return number;
    };
    const numbers = Array.from({ length: 10 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((number) => lock.exclusively("queue", () => work(number))),
    );
    assert.deepEqual(results, numbers);
    assert.deepEqual(order, numbers);
    assert.equal(await lock.holder("queue"), undefined);
  });

  it("goes on after work that failed", async () => {
    const failure = new Error("failed");
    await assert.rejects(
      lock.exclusively("queue", () => Promise.reject(failure)),
      failure,
    );
    assert.equal(await lock.exclusively("queue", () => Promise.resolve(1)), 1);
  });
}

export async function held(lock: Lock, name: string): Promise<HeldLock> {
  const result = await lock.tryHold(name);
  assert.ok("held" in result, `${name} is held by somebody else`);
  return result.held;
}
