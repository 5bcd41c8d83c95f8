import assert from "node:assert/strict";
import { lazyObject } from "../../../src/core/lazyObject.js";

class Counter {
  private count = 1;

  add(number: number): Promise<number> {
    return Promise.resolve((this.count += number));
  }

  fail(): Promise<void> {
    return Promise.reject(new Error("It fails."));
  }
}

describe("an object that is loaded at the first call", () => {
  it("is loaded once, at the first call, and has its own state from then on", async () => {
    let loads = 0;
    const counter = lazyObject<Pick<Counter, "add" | "fail">>(() => {
      loads++;
      return Promise.resolve(new Counter());
    });
    assert.equal(loads, 0);
    assert.deepEqual(await Promise.all([counter.add(1), counter.add(2)]), [2, 4]);
    await assert.rejects(counter.fail(), /It fails/);
    assert.equal(loads, 1);
  });

  it("is not taken for a promise by what awaits it, and is not loaded by that", async () => {
    const unloaded = lazyObject<Pick<Counter, "add">>(() => Promise.reject(new Error("loaded")));
    assert.equal(await Promise.resolve(unloaded), unloaded);
  });
});
