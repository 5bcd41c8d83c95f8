import assert from "node:assert/strict";
import type { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { ChangesStage } from "./changesStage.js";

const project = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "gone.sh": "#!/bin/sh\n",
  "old/name.txt": "renamed\n",
  "build/out": "built\n",
  ".gitignore": "build\n",
};

/** Changes, makes, deletes and renames files, and changes modes, as a generator does. */
async function generates(files: MemoryFileSystem): Promise<void> {
  files.put("a.txt", "A\n");
  await files.removeFile("gone.sh");
  await files.removeFile("old/name.txt");
  files.put("new/name.txt", "renamed\n");
  files.put("new/run.sh", "#!/bin/sh\n");
  await files.setMode("new/run.sh", 0o755);
  await files.setMode("b.txt", 0o600);
  files.put("build/out", "built anew\n");
}

const changed = ["a.txt", "b.txt", "gone.sh", "new/name.txt", "new/run.sh", "old/name.txt"];

async function begun(): Promise<ChangesStage> {
  const stage = new ChangesStage(project);
  await stage.files.setMode("gone.sh", 0o755);
  return stage;
}

async function modes({ files }: ChangesStage): Promise<Record<string, number | undefined>> {
  const paths = Object.keys(project).filter((path) => path !== "build/out");
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, (await files.stat(path))?.mode])),
  ) as Record<string, number | undefined>;
}

describe("what a command changes without saying so", () => {
  it("is in the review and is undone, with its modes, but for what git ignores", async () => {
    const stage = await begun();
    const before = await modes(stage);
    assert.deepEqual(await stage.script("one", generates), []);
    assert.deepEqual(await stage.snapshots.left(".rooroo/tasks/one"), []);
    const files = await stage.changes.files(["one"]);
    assert.deepEqual(
      files.map(({ path }) => path),
      changed,
    );
    assert.deepEqual(files.find(({ path }) => path === "b.txt")?.modes, {
      before: 0o644,
      now: 0o600,
    });
    assert.deepEqual(
      (await stage.undo("one")).filter((one) => !/: (restored|removed)$/.test(one)),
      [],
    );
    assert.deepEqual(stage.project, { ...project, "build/out": "built anew\n" });
    assert.deepEqual(await modes(stage), before);
  });

  it("is reverted file by file, with its modes, and nothing is left to undo", async () => {
    const stage = await begun();
    const before = await modes(stage);
    await stage.script("one", generates);
    for (const file of await stage.changes.files(["one"])) {
      await stage.changes.revert(file, undefined, stage.mayWrite);
    }
    assert.deepEqual(stage.project, { ...project, "build/out": "built anew\n" });
    assert.deepEqual(await modes(stage), before);
    assert.deepEqual(await stage.changes.files(["one"]), []);
  });

  it("goes on from what the task's tools and earlier commands have left", async () => {
    const stage = await begun();
    await stage.write("one", "a.txt", "mine\n");
    await stage.script("one", generates);
    await stage.script("one", (files) => {
      files.put("new/name.txt", "again\n");
    });
    await stage.undo("one");
    assert.deepEqual(stage.project, { ...project, "build/out": "built anew\n" });
  });

  it("is not what tools of other tasks have written meanwhile", async () => {
    const stage = await begun();
    await stage.write("two", "b.txt", "earlier\n");
    await stage.script("one", async (files) => {
      files.put("a.txt", "A\n");
      await stage.write("two", "b.txt", "two's\n");
    });
    const files = await stage.changes.files(["one"]);
    assert.deepEqual(
      files.map(({ path }) => path),
      ["a.txt"],
    );
    await stage.undo("one");
    assert.equal(stage.files.text("b.txt"), "two's\n");
    // What another task has left long ago, and the command has put there again, is the command's.
    await stage.script("three", (now) => {
      now.put("b.txt", "three's\n");
    });
    await stage.script("one", (now) => {
      now.put("b.txt", "two's\n");
    });
    assert.equal((await stage.changes.files(["one"]))[0]?.path, "b.txt");
  });

  it("is left as it is where git ignored the file before, and the reason is told", async () => {
    const stage = await begun();
    await stage.script("one", async (files) => {
      await files.removeFile(".gitignore");
      files.put("build/out", "built anew\n");
    });
    const [rules, built] = await stage.changes.undo("one", stage.mayWrite);
    assert.deepEqual(rules, { path: ".gitignore", type: "restored" });
    assert.ok(built?.type === "left" && built.path === "build/out");
    assert.equal(built.problem.code, "fileIgnoredByGit");
  });

  it("is said not to be there where it cannot be known or restored", async () => {
    const stage = await begun();
    stage.snapshots.mostOfFile = 5;
    await stage.script("one", (files) => {
      files.put("gone.sh", "something else\n");
    });
    assert.deepEqual(
      (await stage.undo("one")).filter((one) => one.startsWith("gone.sh")),
      ["gone.sh: left, tooBig"],
    );
    stage.tooMany = true;
    assert.match((await stage.script("one", generates)).join("\n"), /has more than 100000 files/);

    const made = Array.from({ length: 2_101 }, (_, index) => ({ path: `many/${index}` }));
    const many = await stage.snapshots.take(".rooroo/tasks/two", []);
    const notes = await stage.recorded("two", { ...many, changes: () => Promise.resolve(made) });
    assert.deepEqual(notes, ["101 of the files that it changed cannot be undone."]);
  });

  it("is undone after a kill at every file operation of recording and undoing it", async () => {
    for (let last = 0, isKilled = true; isKilled; last++) {
      const stage = await begun();
      const before = await modes(stage);
      let operations = 0;
      isKilled = false;
      const killed = new Error("killed");
      stage.afterCommand = () => {
        stage.files.beforeOperation = () => {
          if (operations++ < last) return;
          isKilled = true;
          throw killed;
        };
      };
      const works = async () => {
        await stage.script("one", generates);
        await stage.undo("one");
      };
      await works().catch((error: unknown) => {
        if (error !== killed) throw error;
      });
      delete stage.files.beforeOperation;
      const next = stage.restarted();
      await next.changes.files(["one"]);
      await next.undo("one");
      assert.deepEqual(next.project, { ...project, "build/out": "built anew\n" }, `after ${last}`);
      assert.deepEqual(await modes(next), before, `after ${last}`);
    }
  });
});
