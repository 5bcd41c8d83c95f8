import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DirectoryHandle } from "../../src/node/files/directoryHandle.js";
import { copyBetween, removeAll } from "../../src/node/files/directoryTree.js";
import { LeadsElsewhere } from "../../src/node/files/fileError.js";
import { copyBeside } from "../../src/node/git/copyBeside.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("files copied from one checkout into another", () => {
  const folder = temporaryFolder();
  const at = (path: string) => join(folder.path, path);

  beforeEach(async () => {
    for (const one of ["from/src", "to", "elsewhere"]) await mkdir(at(one), { recursive: true });
    await writeFile(at("from/src/a.sh"), "mine\n");
    await chmod(at("from/src/a.sh"), 0o755);
    await writeFile(at("elsewhere/a.sh"), "secret\n");
  });

  it("keep their permissions, and what is there stays unless it is to be replaced", async () => {
    const places = { from: at("from"), to: at("to") };
    assert.equal(await copyBeside(["src", "none/b.txt"], places), 1);
    assert.equal((await stat(at("to/src/a.sh"))).mode & 0o777, 0o755);
    await writeFile(at("to/src/a.sh"), "changed\n");
    assert.equal(await copyBeside(["src/a.sh"], places), 0);
    assert.equal(await copyBeside(["src/a.sh"], { ...places, replace: true }), 1);
    assert.equal(await readFile(at("to/src/a.sh"), "utf8"), "mine\n");
  });

  it("are never those that a link leads to, also one that comes in the place of a folder or file meanwhile", async () => {
    const held = DirectoryHandle.open(at("from/src"));
    const target = DirectoryHandle.open(at("to"));
    try {
      await rename(at("from/src"), at("from/moved"));
      await symlink(at("elsewhere"), at("from/src"));
      assert.equal(await copyBeside(["src/a.sh"], { from: at("from"), to: at("to") }), 0);
      assert.equal(await copyBetween(held, target, "a.sh"), true);
      assert.equal(await readFile(at("to/a.sh"), "utf8"), "mine\n");
      await rename(at("from/moved/a.sh"), at("from/moved/b.sh"));
      await symlink(at("elsewhere/a.sh"), at("from/moved/a.sh"));
      target.removeNow("a.sh");
      await assert.rejects(copyBetween(held, target, "a.sh"), LeadsElsewhere);
      assert.equal(existsSync(at("to/a.sh")), false);
    } finally {
      held.close();
      target.close();
    }
  });

  it("are removed with their folder, whatever their names, and not what a link leads to", async () => {
    await mkdir(at("to/closed/inner"), { recursive: true });
    await writeFile(Buffer.concat([Buffer.from(`${at("to/closed/inner")}/`), Buffer.of(0xff)]), "");
    await symlink(at("elsewhere"), at("to/closed/link"));
    await chmod(at("to/closed/inner"), 0o500);
    const parent = DirectoryHandle.open(at("to"));
    try {
      for (let time = 0; time < 2; time++) await removeAll(parent, "closed");
    } finally {
      parent.close();
    }
    assert.equal(existsSync(at("to/closed")), false);
    assert.equal(await readFile(at("elsewhere/a.sh"), "utf8"), "secret\n");
  });
});
