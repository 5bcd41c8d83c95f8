import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateFiles } from "../../src/node/git/stateFiles.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("the files of tasks that go to another machine", () => {
  const folder = temporaryFolder();

  it("have a repository in a task's folder as one thing that does not go, however its name is spelt", async () => {
    const task = join(folder.path, "tasks", "T");
    for (const path of ["one/.git", "two/.GIT"]) {
      await mkdir(join(task, path), { recursive: true });
      await writeFile(join(task, path, "HEAD"), "ref: refs/heads/main\n");
    }
    await writeFile(join(task, "task.json"), "{}");
    const { paths, left } = await stateFiles(folder.path);
    assert.deepEqual(paths, ["tasks/T/task.json"]);
    assert.deepEqual(
      left.map(({ path, why }) => `${path}: ${why}`),
      [".rooroo/tasks/T/one/.git: link", ".rooroo/tasks/T/two/.GIT: link"],
    );
  });
});
