import assert from "node:assert/strict";
import { FileError } from "../../../../src/core/errors.js";
import { editFile } from "../../../../src/core/tools/editing/editFile.js";
import { writeToFile } from "../../../../src/core/tools/editing/writeToFile.js";
import { readFile } from "../../../../src/core/tools/reading/readFile.js";
import { ToolWorld } from "../tools/toolWorld.js";

const path = "src/a.txt";

/** Returns how often each operation is asked of the disk for the file while the work is done. */
async function operationsOf(
  world: ToolWorld,
  work: () => Promise<unknown>,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  world.files.beforeOperation = (operation, asked) => {
    if (asked === path) counts[operation] = (counts[operation] ?? 0) + 1;
  };
  await work();
  return counts;
}

describe("a located path", () => {
  it("is located once for a call: what was judged is what is read and written", async () => {
    const existing = new ToolWorld({ [path]: "old\n" });
    await existing.reads(path);
    const replaced = await operationsOf(existing, () =>
      existing.use(writeToFile, { path, content: "new\n" }),
    );
    // One look at the file, one for the mode that Undo restores.
    assert.deepEqual(replaced, { locate: 1, stat: 2, readLocated: 1, replaceFile: 1 });
    assert.equal(existing.files.text(path), "new\n");

    const fresh = new ToolWorld();
    const created = await operationsOf(fresh, () =>
      fresh.use(writeToFile, { path, content: "new\n" }),
    );
    assert.equal(created["locate"], 1);

    const edited = new ToolWorld({ [path]: "old\n" });
    const edit = await operationsOf(edited, () =>
      edited.use(editFile, { path, old_text: "old", new_text: "new" }),
    );
    assert.equal(edit["locate"], 1);
  });

  it("is not read once a link has come in between", async () => {
    const world = new ToolWorld({ [path]: "mine", ".rooignore": "secret", "secret/key": "hidden" });
    const call = await world.prepare(readFile, { path });
    assert.ok(!("ok" in call));
    world.files.link(path, "/workspace/secret/key");
    await assert.rejects(call.run({}), (error) => {
      assert.ok(error instanceof FileError);
      assert.equal(error.code, "ELEADSOUT");
      return true;
    });
  });

  it("is not written once a link has come in between, nor where it is ignored", async () => {
    const world = new ToolWorld({
      [path]: "old\n",
      ".rooignore": "secret",
      "secret/key": "hidden",
    });
    await world.reads(path);
    const call = await world.prepare(writeToFile, { path, content: "new\n" });
    assert.ok(!("ok" in call));
    world.files.link(path, "/workspace/secret/key");
    assert.equal((await call.run({})).ok, false);
    assert.equal(world.files.text("secret/key"), "hidden");

    const { files, guard } = world.context;
    const ignored = await guard.locate("secret/new");
    await assert.rejects(files.createLocated(ignored, new Uint8Array()), { code: "EHIDDEN" });
  });
});
