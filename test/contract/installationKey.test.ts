import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InstallationKey } from "../../src/node/user/installationKey.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("the installation's key", () => {
  const folder = temporaryFolder();
  const place = async (): Promise<{ home: string; root: string }> => {
    const [home, root] = [join(folder.path, "home"), join(folder.path, "work")];
    await mkdir(root);
    return { home, root };
  };

  it("is made once, for its owner only, and signs the same in every process", async () => {
    const { home, root } = await place();
    const signature = new InstallationKey(home, root).sign("a", "b");
    assert.match(signature, /^[\w-]{22}$/);
    assert.equal(new InstallationKey(home, root).sign("a", "b"), signature);
    assert.deepEqual(await readdir(home), ["key"]);
    if (process.platform !== "win32") {
      assert.equal((await stat(join(home, "key"))).mode & 0o777, 0o600);
    }
    assert.match(await readFile(join(home, "key"), "utf8"), /^[0-9a-f]{64}\n$/);
  });

  it("signs otherwise for another subject, text, workspace or installation", async () => {
    const { home, root } = await place();
    const other = join(folder.path, "other");
    await mkdir(other);
    const signatures = [
      new InstallationKey(home, root).sign("a", "b"),
      new InstallationKey(home, root).sign("a", "c"),
      new InstallationKey(home, root).sign("ab", ""),
      new InstallationKey(home, other).sign("a", "b"),
      new InstallationKey(join(folder.path, "home2"), root).sign("a", "b"),
    ];
    assert.equal(new Set(signatures).size, signatures.length);
  });

  it("knows a workspace by where it really is: by a link too, not after a move", async () => {
    const { home, root } = await place();
    const link = join(folder.path, "link");
    await symlink(root, link);
    const signature = new InstallationKey(home, root).sign("a", "b");
    assert.equal(new InstallationKey(home, link).sign("a", "b"), signature);
    await rename(root, join(folder.path, "moved"));
    assert.notEqual(
      new InstallationKey(home, join(folder.path, "moved")).sign("a", "b"),
      signature,
    );
  });

  it("says what to do when it is damaged, or cannot be made", async () => {
    const { home, root } = await place();
    await mkdir(home);
    await writeFile(join(home, "key"), "short\n");
    assert.throws(() => new InstallationKey(home, root).sign("a", "b"), {
      name: "UserError",
      code: "keyDamaged",
    });
    const file = join(folder.path, "file");
    await writeFile(file, "");
    assert.throws(() => new InstallationKey(join(file, "home"), root).sign("a", "b"), {
      name: "UserError",
      code: "keyUnavailable",
    });
  });
});
