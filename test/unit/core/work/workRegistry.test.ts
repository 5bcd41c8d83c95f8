import assert from "node:assert/strict";
import { UserError } from "../../../../src/core/errors.js";
import { WorkRegistry } from "../../../../src/core/work/workRegistry.js";

describe("WorkRegistry", () => {
  /** Resolves when the work is stopped, with the reason. */
  const untilStopped = (signal: AbortSignal) =>
    new Promise<string>((resolve) => {
      signal.addEventListener("abort", () => {
        resolve((signal.reason as UserError).code);
      });
    });

  it("knows what runs, and forgets it when it has ended or failed", async () => {
    const registry = new WorkRegistry();
    const done = registry.run("a", () => Promise.resolve(1));
    const failed = registry.run("b", () => Promise.reject(new Error("no")));
    assert.deepEqual(registry.ids, ["a", "b"]);
    assert.ok(registry.has("a"));
    assert.equal(await done, 1);
    await assert.rejects(failed, /no/);
    assert.equal(registry.size, 0);
  });

  it("stops one work with a reason, and resolves when it has ended", async () => {
    const registry = new WorkRegistry();
    const [a, b] = [registry.run("a", untilStopped), registry.run("b", untilStopped)];
    await registry.stop("a", new UserError("stopped", "Stopped."));
    assert.equal(await a, "stopped");
    assert.deepEqual(registry.ids, ["b"]);
    await registry.stopAll(new UserError("windowClosed", "The window was closed."));
    assert.equal(await b, "windowClosed");
    await registry.stop("c", new UserError("notRunning", "Nobody runs it."));
  });
});
