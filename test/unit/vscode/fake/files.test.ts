import { strict as assert } from "node:assert";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileWatchers, RelativePattern } from "../../../fakes/vscode/files.js";
import { until } from "../../../panel/extensionStage.js";

describe("the fake's watchers of files", () => {
  let folder: string;
  let watchers: FileWatchers;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "rooroo-watched-"));
    watchers = new FileWatchers(folder);
  });
  afterEach(async () => {
    await watchers.close();
    await rm(folder, { recursive: true });
  });

  it("tell of the last of several changes, however soon it comes after the others", async () => {
    const path = join(folder, "a.txt");
    await writeFile(path, "");
    let seen = "";
    const watcher = watchers.create(new RelativePattern(folder, "*.txt"));
    await watchers.ready();
    watcher.onDidChange(async () => {
      seen = await readFile(path, "utf8");
    });
    let text = "";
    for (let round = 0; round < 5; round++) {
      for (let change = 0; change < 4; change++) {
        await writeFile(path, (text += "x"));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => seen === text, `round ${round}`);
    }
    assert.equal(seen.length, 20);
  });

  it("keep no process alive when they are closed while a file is told", async () => {
    const watched = () => process.getActiveResourcesInfo().filter((name) => name === "FSEventWrap");
    const before = watched();
    const told = new Promise<void>((resolve) => {
      watchers.create("**/*").onDidCreate(() => {
        void watchers.close();
        resolve();
      });
    });
    await watchers.ready();
    await writeFile(join(folder, "a.txt"), "");
    await told;
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(watched(), before);
  });
});
