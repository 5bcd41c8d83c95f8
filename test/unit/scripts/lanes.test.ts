import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Lanes {
  run(task: () => Promise<unknown>, needs?: { windows?: boolean; rank?: number }): Promise<unknown>;
}
// Scripts are not compiled, so they are found from the root and not from here.
const script = join(import.meta.dirname, "../../../../scripts/test/lanes.mjs");
const { Lanes } = (await import(pathToFileURL(script).href)) as {
  Lanes: new () => Lanes;
};

describe("the lanes of the test run", () => {
  /** Runs tasks that end when all others have waited for them, and returns which ones ran side by side. */
  async function sideBySide(names: readonly string[]): Promise<string[]> {
    const lanes = new Lanes();
    const running = new Set<string>();
    const seen: string[] = [];
    await Promise.all(
      names.map((name) =>
        lanes.run(
          async () => {
            running.add(name);
            seen.push([...running].join(" "));
            await new Promise((resolve) => setImmediate(resolve));
            running.delete(name);
          },
          { windows: name.startsWith("window") },
        ),
      ),
    );
    return seen;
  }

  it("have one task with windows and one without, as long as there are both", async () => {
    const seen = await sideBySide(["a", "window 1", "window 2", "window 3", "b", "c"]);
    assert.equal(seen.length, 6);
    for (const tasks of seen) assert.ok(!/window.*window/.test(tasks), tasks);
    assert.ok(seen.includes("window 1 b"), seen.join(", "));
  });

  it("have a window at once, and then no more beside it until only one task without is left", async () => {
    const lanes = new Lanes();
    const running = new Set<string>();
    const ends = new Map<string, () => void>();
    const take = (name: string, windows = false) =>
      lanes.run(
        async () => {
          running.add(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
          running.delete(name);
        },
        { windows },
      );
    const soon = () => new Promise((resolve) => setImmediate(resolve));
    const seen: string[] = [];
    const after = async (ended?: string) => {
      ends.get(ended ?? "")?.();
      await soon();
      seen.push([...running].join(" "));
    };
    const all = ["a", "b", "c"].map((name) => take(name));
    await soon();
    all.push(take("window", true), take("d"));
    await after();
    for (const ended of ["a", "b", "c", "window", "d"]) await after(ended);
    await Promise.all(all);
    assert.deepEqual(seen, ["a b c window", "b c window", "c window", "window d", "d", ""]);
  });

  it("are three where there are no windows", async () => {
    assert.ok((await sideBySide(["a", "b", "c", "d"])).includes("a b c"));
  });

  it("have two windows when nothing else is left", async () => {
    assert.ok((await sideBySide(["window 1", "window 2"])).includes("window 1 window 2"));
  });

  it("take the lowest rank of those that wait, and the first of several with the same", async () => {
    const lanes = new Lanes();
    const seen: string[] = [];
    const take = (name: string, rank: number) =>
      lanes.run(() => Promise.resolve(seen.push(name)), { rank });
    const first = ["1", "2", "3"].map((name) => take(name, 9));
    await Promise.all([...first, take("c", 2), take("a", 1), take("b", 1), take("d", 3)]);
    assert.deepEqual(seen, ["1", "2", "3", "a", "b", "c", "d"]);
  });

  it("go on after a task that fails", async () => {
    const lanes = new Lanes();
    const failed = lanes.run(() => Promise.reject(new Error("no")));
    const next = lanes.run(() => Promise.resolve("yes"));
    await assert.rejects(failed, /no/);
    assert.equal(await next, "yes");
  });
});
