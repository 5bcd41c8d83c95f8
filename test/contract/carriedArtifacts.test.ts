import assert from "node:assert/strict";
import { mkdir, readFile, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { leftArtifacts, shellWithArtifacts } from "../../src/core/experts/carriedArtifacts.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { ScriptedShell, shellResult } from "../fakes/scriptedShell.js";
import { temporaryFolder } from "./temporaryFolder.js";

const folder = ".rooroo/tasks/ROO#TASK_1";

describe("the files of a task's folder, where its commands run in a worktree", () => {
  const top = temporaryFolder();
  /** What the command does in the worktree. */
  let command: () => Promise<void>;

  beforeEach(async () => {
    for (const place of ["main", "checkout"]) await mkdir(join(top.path, place));
    await write("main", "context.md", "context");
    command = () => Promise.resolve();
  });

  const at = (place: string, path: string) => join(top.path, place, folder, path);
  const text = (place: string, path: string) =>
    readFile(at(place, path), "utf8").catch(() => undefined);

  /** @param seconds when it was written, as seconds since some moment; absent: now */
  async function write(place: string, path: string, content: string, seconds?: number) {
    await mkdir(dirname(at(place, path)), { recursive: true });
    await writeFile(at(place, path), content);
    if (seconds !== undefined) await utimes(at(place, path), seconds, seconds);
  }

  async function run(): Promise<void> {
    const shell = new ScriptedShell({
      work: async () => {
        await command();
        return shellResult({ exitCode: 0 });
      },
    });
    const [main, checkout] = ["main", "checkout"].map(
      (one) => new DiskFileSystem(join(top.path, one)),
    );
    assert.ok(main !== undefined && checkout !== undefined);
    const request = { command: "work", cwd: "", timeoutMs: 1000, onOutput: () => undefined };
    const own = shellWithArtifacts(shell, folder, { main, checkout });
    await own.run(request, new AbortController().signal);
  }

  /** Returns what of the worktree is not in the user's folder, without the folder's path. */
  async function left(): Promise<string[]> {
    const [main, checkout] = ["main", "checkout"].map(
      (one) => new DiskFileSystem(join(top.path, one)),
    );
    assert.ok(main !== undefined && checkout !== undefined);
    const found = await leftArtifacts(folder, { main, checkout });
    return found.map(({ path, why, bytes }) => `${path.slice(folder.length + 1)} ${why} ${bytes}`);
  }

  it("are found by the command, and what it leaves is in the user's folder", async () => {
    await write("main", "notes/one.md", "one");
    command = async () => {
      assert.equal(await text("checkout", "notes/one.md"), "one");
      assert.equal(await text("checkout", "context.md"), "context");
      await write("checkout", "notes/two.md", "two");
    };
    await run();
    assert.equal(await text("main", "notes/two.md"), "two");
  });

  it("are those written last, in whichever place", async () => {
    await write("main", "a.md", "older", 1000);
    await write("checkout", "a.md", "newer", 2000);
    await write("main", "b.md", "newer", 2000);
    await write("checkout", "b.md", "older", 1000);
    await run();
    const both = ["main", "checkout"].flatMap((place) =>
      ["a.md", "b.md"].map((one) => [place, one]),
    );
    const texts = await Promise.all(both.map(([place = "", one = ""]) => text(place, one)));
    assert.deepEqual(texts.slice(0, 2), ["newer", "newer"]);
  });

  it("are never taken from a worktree if code keeps them, they are protected, or a link leads to them", async () => {
    await write("main", "report.json", "mine", 1000);
    await write("checkout", "../../../secret.txt", "secret");
    command = async () => {
      await write("checkout", "report.json", "forged");
      await write("checkout", "context.md", "forged");
      await write("checkout", "changes/log.jsonl", "forged");
      await write("checkout", ".vscode/tasks.json", "{}");
      await symlink("../../../secret.txt", at("checkout", "linked.txt"));
      await symlink("../..", at("checkout", "up"));
    };
    await run();
    assert.equal(await text("main", "report.json"), "mine");
    assert.equal(await text("main", "context.md"), "context");
    for (const path of ["changes/log.jsonl", ".vscode/tasks.json", "linked.txt", "up/x"]) {
      assert.equal(await text("main", path), undefined, path);
    }
  });

  it("are told if they stay: those that are too big or too many, and links", async () => {
    command = async () => {
      await write("checkout", "a/big.bin", "");
      await truncate(at("checkout", "a/big.bin"), 100_000_001);
      await symlink("a", at("checkout", "linked"));
      await write("checkout", "report.json", "forged");
      for (let i = 0; i < 2_001; i++) await write("checkout", `many/${10_000 + i}`, "x");
    };
    await run();
    assert.deepEqual(await left(), [
      "linked link 0",
      "many/12000 tooMuch 1",
      "a/big.bin tooMuch 100000001",
    ]);
    assert.equal(await text("main", "many/11999"), "x");
  });

  it("are not told if the user's folder has the same", async () => {
    await write("main", "a.md", "same", 1000);
    await write("checkout", "a.md", "same", 2000);
    await run();
    assert.deepEqual(await left(), []);
  });
});
