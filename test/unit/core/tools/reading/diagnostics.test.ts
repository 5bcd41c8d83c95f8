import assert from "node:assert/strict";
import type { ToolResult } from "../../../../../src/core/agent/tool.js";
import { editFile } from "../../../../../src/core/tools/editing/editFile.js";
import { getDiagnostics } from "../../../../../src/core/tools/reading/getDiagnostics.js";
import { DiagnosticsWatch } from "../../../../../src/core/tools/reading/problemWatch.js";
import { ManualClock } from "../../../../fakes/manualClock.js";
import { MemoryDiagnostics } from "../../../../fakes/memoryDiagnostics.js";
import { ToolWorld } from "../toolWorld.js";

const done: ToolResult = { ok: true, content: "Edited." };
const edit = { path: "src/a.ts", old_text: "1", new_text: "x" };

/** Resolves when everyone who was told something has gone on as far as they can without time passing. */
async function quiet(): Promise<void> {
  for (let tick = 0; tick < 20; tick++) await Promise.resolve();
}

class Stage {
  readonly clock = new ManualClock();
  readonly diagnostics = new MemoryDiagnostics();
  readonly problems = new DiagnosticsWatch(this.diagnostics, this.clock);
  readonly world = new ToolWorld({ "src/a.ts": "let a = 1;\n" }, {}, { problems: this.problems });

  /** Lets whoever waits for language servers wait in vain, until the work is done. */
  async waitsInVain<T>(work: Promise<T>): Promise<T> {
    let result: { value: T } | undefined;
    const ended = work.then((value) => (result = { value }));
    while (result === undefined) {
      await Promise.race([this.clock.untilSleeping(), ended]);
      this.clock.advance(10_000);
      await quiet();
    }
    return result.value;
  }
}

describe("get_diagnostics", () => {
  it("lists a file's or a folder's problems, the worst first, and bounds their number", async () => {
    const stage = new Stage();
    const { world, diagnostics } = stage;
    diagnostics.say({
      "src/a.ts": ["warning 3 unused", "error 7 no\u202Ename"],
      "src2/b.ts": ["hint 1 other"],
    });
    const list = (path?: string) => stage.waitsInVain(world.use(getDiagnostics, { path }));
    assert.equal(
      (await list("src")).content,
      "src/a.ts:7 error: no⟨U+202E⟩name (ts 1)\nsrc/a.ts:3 warning: unused (ts 1)",
    );
    assert.match((await list()).content, /src2\/b\.ts:1 hint: other/);
    diagnostics.say({ "src/a.ts": Array.from({ length: 150 }, (_, n) => `error 1 no ${n}`) });
    const { content } = await list("src/a.ts");
    assert.equal(content.split("\n").length, 101);
    assert.match(content, /\(and 50 more\)$/);
  });

  it("says that a file has no problems only once it has been checked", async () => {
    const { world, diagnostics, clock } = new Stage();
    const asked = world.use(getDiagnostics, { path: "src/a.ts" });
    await clock.untilSleeping();
    assert.ok(diagnostics.watched.has("src/a.ts"));
    diagnostics.say({ "src/a.ts": ["error 1 wrong"] });
    await quiet();
    clock.advance(300);
    assert.match((await asked).content, /error: wrong/);
  });

  it("reads nothing outside of the workspace, and knows what is not there", async () => {
    const { world } = new Stage();
    assert.match(await world.refusal(getDiagnostics, { path: "/etc" }), /outside the workspace/);
    assert.match(await world.refusal(getDiagnostics, { path: "none" }), /There is no none/);
  });
});

describe("an edit", () => {
  it("comes back with the problems that it made, not with those that were there", async () => {
    const stage = new Stage();
    const { diagnostics, clock, world } = stage;
    diagnostics.say({ "src/a.ts": ["error 1 old", "error 9 twice"] });
    await stage.waitsInVain(stage.problems.now("src/a.ts", world.context.signal));
    diagnostics.say({ "src/a.ts": ["error 1 old", "error 9 twice"] });

    const edited = world.use(editFile, edit);
    await clock.untilSleeping();
    assert.equal(world.files.text("src/a.ts"), "let a = x;\n");
    diagnostics.say({ "src/a.ts": [] });
    diagnostics.say({
      "src/a.ts": [
        "error 2 old",
        "error 9 twice",
        "error 10 twice",
        "error 1 no x",
        "hint 1 short",
      ],
    });
    await quiet();
    clock.advance(250);
    const { ok, content } = await edited;
    assert.equal(ok, true);
    assert.match(
      content,
      /\nNew problems there, as the editor sees it:\nsrc\/a\.ts:10 error: twice \(ts 1\)\nsrc\/a\.ts:1 error: no x \(ts 1\)$/,
    );
    assert.equal(diagnostics.listening, 1, "only the watch itself listens on");
  });

  it("waits a few times for a kind of file that nobody checks, and always once somebody does", async () => {
    const { clock, diagnostics, problems } = new Stage();
    const { signal } = new AbortController();
    const edits = (path: string) => problems.after(path, () => Promise.resolve(done), signal);
    const waits = async (path: string): Promise<boolean> => {
      diagnostics.watched.add(path);
      const edited = edits(path);
      await quiet();
      const waiting = clock.sleeping > 0;
      clock.advance(2_000);
      assert.deepEqual(await edited, done);
      return waiting;
    };
    assert.deepEqual(
      [await waits("a.md"), await waits("b.md"), await waits("a.md"), await waits("a.md")],
      [true, true, true, false],
    );
    diagnostics.say({ "c.md": [] });
    for (let time = 0; time < 5; time++) assert.equal(await waits("b.md"), true);
  });

  it("that failed is not waited for, and one that is stopped ends at once", async () => {
    const { clock, diagnostics, problems } = new Stage();
    const stop = new AbortController();
    const failed = { ok: false, content: "no" };
    const watched = problems.now("a.ts", stop.signal);
    await clock.untilSleeping();
    clock.advance(2_000);
    await watched;
    assert.equal(await problems.after("a.ts", () => Promise.resolve(failed), stop.signal), failed);
    diagnostics.say({ "a.ts": [] });
    const stopped = problems.after("a.ts", () => Promise.resolve(done), stop.signal);
    await clock.untilSleeping();
    stop.abort(new Error("Stopped."));
    assert.equal(await stopped, done, "the edit was made");
  });
});
