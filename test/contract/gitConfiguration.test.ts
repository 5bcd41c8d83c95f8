import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { acceptsGit } from "../../src/core/approvals/permissions.js";
import { reviewGitConfig } from "../../src/core/commands/git/reviewGitConfig.js";
import { reviewCommand } from "../../src/core/commands/reviewCommand.js";
import { english } from "../../src/core/text/translator.js";
import { spoken } from "../../src/core/text/words.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { findProgram } from "../../src/node/processes/findProgram.js";
import { RandomIds } from "../../src/node/randomIds.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { SystemClock } from "../../src/node/systemClock.js";
import { PermissionFile } from "../../src/node/user/permissionFile.js";
import { temporaryFolder } from "./temporaryFolder.js";

if (findProgram(["git"], "/nowhere") !== undefined && process.platform !== "win32") {
  describe("the configuration of a repository", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder.path, name);
    let root = "";
    let permissions: PermissionFile;

    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
        env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      });

    async function write(name: string, text: string): Promise<void> {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }

    beforeEach(async () => {
      root = path("work");
      await mkdir(root);
      git("init", "--quiet", "--initial-branch=main", "--template=");
      git("config", "user.name", "Ada");
      git("config", "user.email", "ada@example.test");
      await write("a.txt", "one\n");
      await write("tools/show.sh", "cat\n");
      git("add", ".");
      git("commit", "--quiet", "-m", "First");
      permissions = new PermissionFile(path("home"), root);
    });

    const review = (top = root) =>
      reviewGitConfig({
        files: new DiskFileSystem(top),
        permissions,
        clock: new SystemClock(),
        ids: new RandomIds(),
      });

    async function allow(): Promise<string> {
      const reviewed = await review();
      assert.ok(reviewed.type === "found");
      await reviewed.allow();
      return reviewed.description.map((line) => spoken(line, english)).join("\n");
    }

    /** Returns why a command of git's that only reads is asked about; empty: it runs. */
    async function asked(line = "git diff", top = root): Promise<string> {
      const { facts } = await reviewCommand(line, "", {
        files: new DiskFileSystem(top),
        isHidden: () => false,
        protection: () => Promise.resolve(undefined),
        parser: new BashParser(),
        rules: { allow: [], deny: [] },
        acceptsGit: acceptsGit(permissions),
      });
      const [command] = facts.commands;
      return command?.verdict === "reads" ? "" : spoken(command?.why ?? "", english);
    }

    it("runs no program before a person has looked at it, and is accepted as it is", async () => {
      git("config", "diff.x.textconv", "sh ./tools/show.sh");
      assert.match(await asked(), /sets diff\.textconv, .* rooroo git allow\.$/);
      const shown = await allow();
      assert.match(shown, /\.git\/config sets diff\."x"\.textconv to "sh \.\/tools\/show\.sh"\./);
      assert.match(shown, /or one of these files: \.\/tools\/show\.sh\./);
      assert.equal(await asked(), "");
      const again = await review();
      assert.equal(again.type === "found" && again.isAllowed, true);
      const [kept] = await permissions.list();
      await permissions.revoke(kept?.id ?? "");
      assert.notEqual(await asked(), "");
    });

    it("is asked about again when it changes, or a file of the workspace that it names", async () => {
      git("config", "diff.x.textconv", "sh ./tools/show.sh");
      git("config", "diff.y.textconv", "./tools/later.sh");
      await allow();
      assert.equal(await asked(), "");
      await write("tools/show.sh", "evil\n");
      assert.notEqual(await asked(), "");
      await write("tools/show.sh", "cat\n");
      assert.equal(await asked(), "");
      // One that it names, and that was not there.
      await write("tools/later.sh", "evil\n");
      assert.notEqual(await asked(), "");
      await allow();
      assert.equal(await asked(), "");
      // Another setting that has the same words.
      git("config", "--unset", "diff.y.textconv");
      git("config", "diff.y.command", "./tools/later.sh");
      assert.notEqual(await asked(), "");
    });

    it("is asked about again when a file changes that it includes, also through another one", async () => {
      await write("settings/git", "[include]\n\tpath = more\n");
      await write("settings/more", '[diff "x"]\n\ttextconv = cat\n');
      git("config", "include.path", "../settings/git");
      assert.match(await allow(), /settings\/more sets diff\."x"\.textconv to "cat"\./);
      assert.equal(await asked(), "");
      await appendFile(join(root, "settings/more"), '[diff "y"]\n\ttextconv = evil\n');
      assert.notEqual(await asked(), "");
      await allow();
      await write("settings/git", "[diff]\n\texternal = evil\n");
      assert.notEqual(await asked(), "");
    });

    it("that cannot be told whole can be accepted by nobody", async () => {
      const config = await readFile(join(root, ".git/config"), "utf8");
      for (const odd of [
        "[include]\n\tpath = ~/other\n",
        "[include]\n\tpath = %(prefix)/other\n",
        "[diff]\n\texternal = a \\\n b\n",
        '[includeIf "onbranch:main"]\n\tpath = "x\\q"\n',
        "[include]\n\tpath = config\n\tpath = \\\n evil\n",
      ]) {
        await write(".git/config", config + odd);
        const reviewed = await review();
        assert.equal(reviewed.type, "none", odd);
        assert.notEqual(await asked(), "", odd);
      }
      await write(".git/config", config);
      assert.equal((await review()).type, "none");
      assert.equal(await asked(), "");
    });

    it("is accepted for what its settings may run, and for nothing else that git asks about", async () => {
      git("config", "diff.x.textconv", "cat");
      await write(".git/hooks/post-index-change", "evil\n");
      await allow();
      assert.match(await asked(), /post-index-change/);
      assert.equal(await asked("git log --oneline"), "");
      assert.notEqual(await asked("git push"), "");
      await write("other/.git/config", '[diff "x"]\n\ttextconv = cat\n');
      await write("other/.git/HEAD", "ref: refs/heads/main\n");
      await mkdir(join(root, "other/.git/objects"));
      await mkdir(join(root, "other/.git/refs"));
      assert.match(await asked("git -C other log --oneline"), /other\/\.git\/config sets/);
    });

    it("counts in a worktree of the repository, with the files that it has there", async () => {
      git("config", "diff.x.textconv", "sh ./tools/show.sh");
      await allow();
      const place = path("place");
      git("worktree", "add", "--quiet", "--detach", place);
      assert.equal(await asked("git diff", place), "");
      await writeFile(join(place, "tools/show.sh"), "evil\n");
      assert.notEqual(await asked("git diff", place), "");
    });
  });
}
