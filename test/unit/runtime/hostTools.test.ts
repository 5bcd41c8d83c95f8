import assert from "node:assert/strict";
import { joinHostTools } from "../../../src/runtime/lazy.js";

describe("tools of several hosts", () => {
  it("have different names: of two with one name, that of the first host is offered and called", async () => {
    const host = (id: string, ...names: string[]) => ({
      offered: () => names.map((name) => ({ name, description: id, parameters: {} })),
      call: () => Promise.resolve({ text: id }),
    });
    const joined = joinHostTools([host("first", "a", "b"), host("second", "b", "c")]);
    const offered = joined.offered().map(({ name, description }) => `${name} ${description}`);
    assert.deepEqual(offered, ["a first", "b first", "c second"]);
    const { signal } = new AbortController();
    assert.equal((await joined.call("b", {}, signal)).text, "first");
    assert.equal((await joined.call("c", {}, signal)).text, "second");
  });
});
