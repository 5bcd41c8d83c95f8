import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gitFolderOutside } from "../../src/node/sandbox/sandboxView.js";
import { WorkspaceWalk } from "../../src/node/sandbox/workspaceWalk.js";
import { noNetwork } from "./sandboxed.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("WorkspaceWalk", () => {
  const folder = temporaryFolder();
  const make = (path: string) => {
    mkdirSync(join(folder.path, path, ".."), { recursive: true });
    writeFileSync(join(folder.path, path), "");
  };

  it("asks about everything but what is in node_modules and deep in git's own folder", async () => {
    for (const path of [
      "a/b/c",
      "node_modules/x/y",
      ".git/hooks/pre-commit",
      ".git/objects/00/1",
      ".git/info/exclude",
    ]) {
      make(path);
    }
    const asked: string[] = [];
    const masks = (path: string) => {
      asked.push(path);
      return false;
    };
    await new WorkspaceWalk(folder.path).places({ ...noNetwork, masks });
    assert.deepEqual(asked.sort(), [
      ".git",
      ".git/hooks",
      ".git/hooks/pre-commit",
      ".git/info",
      ".git/info/exclude",
      ".git/objects",
      "a",
      "a/b",
      "a/b/c",
      "node_modules",
    ]);
  });

  it("does not look into what is masked, but into what is protected", async () => {
    for (const path of ["masked/a", "protected/secret", "protected/deep/er/file"]) make(path);
    assert.deepEqual(
      await new WorkspaceWalk(folder.path).places({
        ...noNetwork,
        masks: (path) => ["masked", "protected/secret"].includes(path),
        protects: (path) => path.startsWith("protected"),
      }),
      {
        masked: [
          { path: "masked", isFolder: true },
          { path: "protected/secret", isFolder: false },
        ],
        readOnly: [{ path: "protected", isFolder: true }],
        linkTargets: [],
      },
    );
  });

  it("asks again only where a folder has changed, or somebody else asks", async () => {
    for (const path of ["old/a", "new/b"]) make(path);
    const asked: string[] = [];
    const profile = {
      ...noNetwork,
      masks: (path: string) => {
        asked.push(path);
        return false;
      },
    };
    // What was changed just now may still change within the same tick of the clock.
    const early = new WorkspaceWalk(folder.path, () => 0);
    const walk = new WorkspaceWalk(folder.path, () => Date.now() + 1000);
    for (const one of [early, walk]) await one.places(profile);
    asked.length = 0;
    await walk.places(profile);
    assert.deepEqual(asked, []);
    await early.places(profile);
    assert.equal(asked.splice(0).length, 4);
    make("new/c");
    await walk.places(profile);
    assert.deepEqual(asked, ["new/b", "new/c"]);
    asked.length = 0;
    await walk.places({ ...profile });
    assert.equal(asked.length, 5);
  });

  it("names what a masked link leads to, and refuses a name that it cannot express", async () => {
    make("config/real");
    symlinkSync("config/real", join(folder.path, ".env"));
    const walk = new WorkspaceWalk(folder.path);
    const masks = (path: string) => path.startsWith(".env");
    assert.deepEqual((await walk.places({ ...noNetwork, masks })).linkTargets, [
      join(folder.path, "config/real"),
    ]);
    writeFileSync(Buffer.concat([Buffer.from(join(folder.path, ".env")), Buffer.from([0xff])]), "");
    await assert.rejects(walk.places({ ...noNetwork, masks }), {
      name: "FileError",
      code: "EILSEQ",
    });
  });

  it("refuses what it cannot express in a folder whose name is no UTF-8, too", async () => {
    const bytes = (...parts: (string | number)[]) =>
      Buffer.concat(
        parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))),
      );
    const at = (byte: number, ...rest: string[]) => bytes(`${folder.path}/in`, byte, ...rest);
    for (const byte of [0xe4, 0xff]) mkdirSync(at(byte));
    writeFileSync(at(0xe4, "/a.txt"), "");
    const walk = new WorkspaceWalk(folder.path);
    const masks = (path: string) => path.endsWith("/.env");
    assert.deepEqual((await walk.places({ ...noNetwork, masks })).masked, []);
    mkdirSync(at(0xff, "/deep"));
    writeFileSync(at(0xff, "/deep/.env"), "");
    await assert.rejects(walk.places({ ...noNetwork, masks }), { code: "EILSEQ" });
  });
});

describe("gitFolderOutside", () => {
  const folder = temporaryFolder();

  it("is that of a worktree's repository, and not what a workspace merely names", () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path });
    git("init", "-q", "main");
    git(
      "-C",
      "main",
      "-c",
      "user.name=n",
      "-c",
      "user.email=e",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "x",
    );
    git("-C", "main", "worktree", "add", "-q", "../tree");
    const root = realpathSync(folder.path);
    assert.equal(gitFolderOutside(join(root, "tree")), join(root, "main", ".git"));
    assert.equal(gitFolderOutside(join(root, "main")), undefined);
    mkdirSync(join(root, "forged"));
    writeFileSync(join(root, "forged", ".git"), `gitdir: ${root}/main/.git/worktrees/tree\n`);
    assert.equal(gitFolderOutside(join(root, "forged")), undefined);
  });
});
