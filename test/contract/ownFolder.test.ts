import assert from "node:assert/strict";
import { appendFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoredPermission } from "../../src/core/approvals/permissions.js";
import { PermissionFile } from "../../src/node/user/permissionFile.js";
import { UsageFile } from "../../src/node/user/usageFile.js";
import { temporaryFolder } from "./temporaryFolder.js";

const kept = (id: string): StoredPermission => ({
  id,
  since: "2026-01-05T10:00:00.000Z",
  grant: { kind: "command", command: "npm test", cwd: "", bound: "" },
});

let folder: ReturnType<typeof temporaryFolder>;

/** Returns a workspace, and beside it the folder of what is the person's own. */
async function places(): Promise<{ own: string; workspace: string; other: string }> {
  const [own, workspace, other] = ["own", "workspace", "other"].map((name) =>
    join(folder.path, name),
  );
  await mkdir(workspace!);
  await mkdir(other!);
  return { own: own!, workspace: workspace!, other: other! };
}

describe("grants in the person's own folder", () => {
  const own = temporaryFolder();
  before(() => (folder = own));

  it("are there for every process until one revokes them, for their workspace only", async () => {
    const { own, workspace, other } = await places();
    const here = new PermissionFile(own, workspace);
    assert.deepEqual(await here.list(), []);
    await here.add(kept("a"));
    await here.add(kept("b"));
    const elsewhere = new PermissionFile(own, workspace);
    assert.deepEqual(await elsewhere.list(), [kept("a"), kept("b")]);
    assert.deepEqual(await new PermissionFile(own, other).list(), []);
    await elsewhere.revoke("a");
    assert.deepEqual(await here.list(), [kept("b")]);
  });

  it("are the whole lines that can be read, and no others", async () => {
    const { own, workspace } = await places();
    const here = new PermissionFile(own, workspace);
    await here.add(kept("a"));
    const [name = ""] = await readdir(join(own, "approvals"));
    const path = join(own, "approvals", name);
    const bad = [
      "[1,",
      `{"type":"allowed","schema":1,"workspace":"${workspace}","id":"c","since":"","grant":{"kind":"all"}}`,
      `{"type":"allowed","schema":1,"workspace":"/elsewhere","id":"d","since":"","grant":{"kind":"write"}}`,
      `{"type":"allowed","schema":2,"workspace":"${workspace}","id":"e","since":"","grant":{"kind":"write"}}`,
      `{"type":"allowed","schema":1,"workspa`,
    ];
    await appendFile(path, bad.join("\n"));
    assert.deepEqual(await here.list(), [kept("a")]);
    await here.add(kept("f"));
    assert.deepEqual(await here.list(), [kept("a"), kept("f")]);
  });

  it("are not kept where an expert of the workspace could write them", async () => {
    const { workspace } = await places();
    for (const own of [workspace, join(workspace, ".config", "rooroo")]) {
      const here = new PermissionFile(own, workspace);
      await assert.rejects(here.add(kept("a")), { code: "grantsInWorkspace" });
      assert.deepEqual(await here.list(), []);
    }
  });
});

describe("a day's use in the person's own folder", () => {
  const own = temporaryFolder();
  before(() => (folder = own));

  const noon = new Date(2026, 0, 5, 12);
  const use = { requests: 1, tokens: 100, cost: 0.25 };

  it("is what all processes used on that day", async () => {
    const { own } = await places();
    const [one, other] = [new UsageFile(own), new UsageFile(own)];
    assert.deepEqual(await one.onDay(noon), { requests: 0, tokens: 0, cost: 0 });
    await Promise.all([one, other, one].map((log) => log.record(use, noon)));
    await one.record(use, new Date(2026, 0, 6, 0, 0, 1));
    assert.deepEqual(await other.onDay(noon), { requests: 3, tokens: 300, cost: 0.75 });
    const late = new Date(2026, 0, 5, 23, 59, 59);
    assert.equal((await one.onDay(late)).requests, 3);
  });

  it("leaves out what cannot be read, and says when none of it can", async () => {
    const { own } = await places();
    const log = new UsageFile(own);
    await log.record(use, noon);
    await appendFile(join(own, "usage", "2026-01-05.jsonl"), `{"requests":-5}\nnothing\n{"at":`);
    await log.record(use, noon);
    assert.equal((await log.onDay(noon)).requests, 2);
    await mkdir(join(own, "usage", "2026-01-07.jsonl"));
    await assert.rejects(log.onDay(new Date(2026, 0, 7)), { code: "usageUnreadable" });
    await writeFile(join(own, "file"), "");
    await assert.rejects(new UsageFile(join(own, "file")).record(use, noon), {
      code: "userFileUnwritable",
    });
  });
});
