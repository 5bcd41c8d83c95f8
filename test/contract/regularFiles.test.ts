import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { UserError } from "../../src/core/errors.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { readSmallFileNow } from "../../src/node/files/openForReading.js";
import { readRegularFile, readSmallFile } from "../../src/node/files/regularFile.js";
import { KnownTools } from "../../src/node/mcp/knownTools.js";
import { gitFolderOutside } from "../../src/node/sandbox/sandboxView.js";
import { Drafts } from "../../src/node/user/drafts.js";
import { InstallationKey } from "../../src/node/user/installationKey.js";
import { PermissionFile } from "../../src/node/user/permissionFile.js";
import { ShownConversation } from "../../src/node/user/shownConversation.js";
import { UsageFile } from "../../src/node/user/usageFile.js";
import { ManualClock } from "../fakes/manualClock.js";
import { temporaryFolder } from "./temporaryFolder.js";

const follow = { follow: true };

/** Puts something that is no regular file where one is looked for. */
const others: Readonly<Record<string, (path: string) => void>> = {
  "a pipe": (path) => void execFileSync("mkfifo", [path]),
  "a folder": (path) => {
    mkdirSync(path);
  },
};

describe("what is no regular file", () => {
  const folder = temporaryFolder();
  const at = (path: string) => join(folder.path, path);

  it("is not read, and neither is a file that is too large: nobody waits for a pipe's other end", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(at("socket"), resolve));
    others["a pipe"]?.(at("pipe"));
    mkdirSync(at("folder"));
    writeFileSync(at("large"), "four");
    for (const name of ["pipe", "folder", "socket", "large"]) {
      assert.equal(await readSmallFile(at(name), 3, follow), undefined, name);
      if (name === "socket") assert.throws(() => readSmallFileNow(at(name), 3), { code: "ENXIO" });
      else assert.equal(readSmallFileNow(at(name), 3), undefined, name);
      await assert.rejects(readRegularFile(at(name), 3, follow), UserError, name);
    }
    assert.equal((await readRegularFile(at("large"), 4, follow)).toString(), "four");
    assert.equal(readSmallFileNow(at("large"), 4)?.toString(), "four");
    await new Promise((resolve) => server.close(resolve));
  });

  it("is told where a file is read as a whole, and so is one that does not fit into memory", async () => {
    writeFileSync(at("holes"), "");
    truncateSync(at("holes"), 2 ** 40);
    const files = new DiskFileSystem(folder.path);
    await assert.rejects(files.readFile("holes"), { code: "EFBIG" });
  });

  for (const [what, put] of Object.entries(others)) {
    it(`stops nothing and hides nothing in the user's own folder, as ${what}`, async () => {
      const told = (error: unknown) => error instanceof UserError;
      const here = at("workspace");
      mkdirSync(here);
      mkdirSync(at("usage"));
      const now = new Date(2026, 0, 2);
      put(at("usage/2026-01-02.jsonl"));
      await assert.rejects(new UsageFile(folder.path).onDay(now), told);

      const permissions = new PermissionFile(folder.path, here);
      mkdirSync(at("approvals"));
      const hash = createHash("sha256").update(here).digest("hex").slice(0, 32);
      put(at(`approvals/${hash}.jsonl`));
      await assert.rejects(permissions.list(), told);

      put(at("known.jsonl"));
      const tool = { name: "find", description: "", parameters: {} };
      await assert.rejects(
        new KnownTools(at("known.jsonl")).unchanged([{ server: "s", tool }]),
        told,
      );

      put(at("key"));
      assert.throws(() => new InstallationKey(folder.path, here).sign("a", "b"), {
        code: "keyDamaged",
      });

      put(at("conversation"));
      assert.equal(new ShownConversation(folder.path, undefined).read(), undefined);
      mkdirSync(at("drafts"));
      put(at("drafts/20260102-abcd.json"));
      const drafts = new Drafts(folder.path, undefined, new ManualClock());
      assert.equal(drafts.has("20260102-abcd"), false);

      put(join(here, ".git"));
      assert.equal(gitFolderOutside(here), undefined);
    });
  }
});
