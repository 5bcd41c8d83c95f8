import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { reviewCommand } from "../../src/core/commands/reviewCommand.js";
import { environmentText } from "../../src/core/experts/environment.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { ProcessGit } from "../../src/node/git/processGit.js";
import { findProgram } from "../../src/node/processes/findProgram.js";
import { WalkSearch } from "../../src/node/search/walkSearch.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { ManualClock } from "../fakes/manualClock.js";
import { ScriptedShell } from "../fakes/scriptedShell.js";
import { temporaryFolder } from "./temporaryFolder.js";

if (findProgram(["git"], "/nowhere") !== undefined) {
  describe("what git says of a workspace", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder.path, name);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=me", "-c", "user.email=me@localhost", ...args], {
        cwd: folder.path,
        stdio: "ignore",
      });

    /** Returns the line about git of what an expert is told. */
    async function told(): Promise<string | undefined> {
      const root = folder.path;
      const host = {
        files: new DiskFileSystem(root),
        search: new WalkSearch(root),
        shell: new ScriptedShell({}),
        git: new ProcessGit(root),
      };
      const text = await environmentText(host, new ManualClock());
      return text.split("\n").find((line) => line.startsWith("Git, on "));
    }

    async function repository(): Promise<void> {
      git("init", "-q", "-b", "main", "--template=");
      await writeFile(path("a.js"), "one\n");
      git("add", ".");
      git("commit", "-q", "-m", "first");
    }

    it("is the branch and the changed files that experts may see, and none of Rooroo's own", async () => {
      assert.equal(await told(), undefined);
      await repository();
      assert.equal(await told(), "Git, on main: nothing changed");
      await writeFile(path("a.js"), "two, and longer\n");
      await writeFile(path("größer.txt"), "x");
      await mkdir(path(".rooroo/tasks"), { recursive: true });
      await writeFile(path(".rooroo/tasks/x"), "x");
      await mkdir(path("secret"));
      await writeFile(path("secret/b"), "x");
      await writeFile(path(".rooignore"), "secret\n");
      assert.equal(await told(), "Git, on main: M a.js, ?? .rooignore, ?? größer.txt");
      git("checkout", "-q", "--detach");
      assert.equal(await told(), "Git, on HEAD (no branch): M a.js, ?? .rooignore, ?? größer.txt");
    });

    it("is about the workspace only, where that is a folder of a repository", async () => {
      await repository();
      await mkdir(path("inner"));
      await writeFile(path("inner/b.js"), "x");
      const status = await new ProcessGit(path("inner")).status();
      assert.equal(status, "## main\n?? ./\n");
    });

    it("names what is staged outside of the workspace, where that is a folder of a repository", async () => {
      await repository();
      await mkdir(path("inner"));
      for (const name of ["inner/b.js", "c d.js"]) await writeFile(path(name), "x");
      git("add", ".");
      const inner = new ProcessGit(path("inner"));
      assert.deepEqual(await inner.stagedOutside(), ["../c d.js"]);
      assert.deepEqual(await inner.changed({ of: "staged" }), ["b.js"]);
      assert.deepEqual(await new ProcessGit(folder.path).stagedOutside(), []);
    });

    it("is cut after a whole line where there is too much of it", async () => {
      await repository();
      const name = (index: number) => `${"n".repeat(100)}-${index}`;
      for (let index = 0; index < 1_200; index++) await writeFile(path(name(index)), "");
      const lines = (await new ProcessGit(folder.path).status())?.split("\n") ?? [];
      assert.equal(lines.pop(), "");
      assert.ok(lines.length > 500 && lines.length < 1_201, String(lines.length));
      for (const line of lines.slice(1)) assert.match(line, /^\?\? n{100}-\d+$/);
    });

    describe("of what was committed", () => {
      const history = async () => [...((await new ProcessGit(folder.path).history()) ?? [])];

      it("has what a branch, a tag, a stash or a log leads to, by its path, and no more", async () => {
        await repository();
        await writeFile(path(".env"), "KEY=1\n");
        git("add", ".");
        git("commit", "-q", "-m", "second");
        git("reset", "-q", "--hard", "HEAD~1");
        await writeFile(path("b.pem"), "KEY\n");
        git("add", ".");
        git("stash", "-q");
        git("checkout", "-q", "--orphan", "other");
        const found = await history();
        const names = found.flatMap(([, name = ""]) => (name === "" ? [] : [name]));
        assert.deepEqual(names.sort(), [".env", "a.js", "b.pem"]);
        assert.ok(found.every(([hash]) => /^[0-9a-f]{40}$/.test(hash)));
        assert.ok(found.filter(([, name]) => name === undefined).length >= 4, "commits");
      });

      it("is nothing where there is no repository", async () => {
        assert.equal(await new ProcessGit(folder.path).history(), undefined);
      });

      it("says which commands show a secret that was committed once", async () => {
        await repository();
        await writeFile(path(".env"), "KEY=hunter22\n");
        git("add", ".");
        git("commit", "-q", "-m", "second");
        git("rm", "-q", ".env");
        git("commit", "-q", "-m", "third");
        const forms = (hash: string) => [
          "git show HEAD~1",
          "git log -p",
          "git diff HEAD~2 HEAD~1",
          "git diff HEAD~1",
          "git grep KEY HEAD~1",
          `git show -s ${hash}`,
          `git cat-file -p ${hash}`,
          `git cat-file blob ${hash}`,
          "git show HEAD~1:.env",
          "git log -p -S hunter22",
          "git diff-tree -p HEAD~1",
        ];
        const [hash] = (await history()).find(([, name]) => name === ".env") ?? [""];
        const files = new DiskFileSystem(folder.path);
        const services = {
          files,
          isHidden: () => false,
          protection: () => Promise.resolve(undefined),
          parser: new BashParser(),
          rules: { allow: [], deny: [] },
          history: () => new ProcessGit(folder.path).history(),
        };
        for (const line of forms(hash)) {
          const [program = "", ...args] = line.split(" ");
          const printed = execFileSync(program, args, { cwd: folder.path, encoding: "utf8" });
          assert.match(printed, /hunter22/, `${line} shows it`);
          const { facts } = await reviewCommand(line, "", services);
          assert.equal(facts.commands[0]?.verdict, "asks", line);
        }
        for (const line of [
          "git log --stat",
          "git show HEAD~1 -- a.js",
          "git diff",
          "git status",
        ]) {
          const { facts } = await reviewCommand(line, "", services);
          assert.equal(facts.commands[0]?.verdict, "reads", line);
        }
      });
    });

    describe("compared", () => {
      const says = () => new ProcessGit(folder.path);

      it("is what is staged, apart from what is not, also before the first commit", async () => {
        git("init", "-q", "-b", "main", "--template=");
        await writeFile(path("a.js"), "one\n");
        git("add", ".");
        await writeFile(path("b.js"), "not staged\n");
        assert.deepEqual(await says().changed({ of: "staged" }), ["a.js"]);
        const diff = (await says().diff(["a.js"], { of: "staged" })) ?? "";
        assert.match(diff, /^diff --git a\/a\.js b\/a\.js\nnew file[^]*\n\+one\n$/);
        assert.equal(await says().changed({ of: "workTree" }), undefined);
      });

      it("are the files as they are with the commit at which a branch left another", async () => {
        await repository();
        git("checkout", "-q", "-b", "topic");
        await writeFile(path("b.js"), "mine\n");
        git("add", ".");
        git("commit", "-q", "-m", "mine");
        git("checkout", "-q", "main");
        await writeFile(path("c.js"), "of others\n");
        git("add", ".");
        git("commit", "-q", "-m", "theirs");
        git("checkout", "-q", "topic");
        await writeFile(path("a.js"), "one, changed\n");
        await writeFile(path("new.js"), "new\n");
        const changed = await says().changed({ of: "branch", base: "main" });
        assert.deepEqual(changed, ["a.js", "b.js", "new.js"]);
        const diff = (await says().diff(["a.js", "b.js"], { of: "branch", base: "main" })) ?? "";
        assert.match(diff, /\n\+one, changed\n[^]*\n\+mine\n$/);
      });

      it("is nothing with a base that is none, or an option", async () => {
        await repository();
        for (const base of ["elsewhere", "--output=out", "-h", "", "main x"]) {
          assert.equal(await says().changed({ of: "branch", base }), undefined, base);
        }
        assert.equal(existsSync(path("out")), false);
      });

      it("is headed as usual, whatever the configuration says", async () => {
        await repository();
        git("config", "diff.noprefix", "true");
        await writeFile(path("a.js"), "two\n");
        const diff = (await says().diff(["a.js"], { of: "workTree" })) ?? "";
        assert.match(diff, /^diff --git a\/a\.js b\/a\.js\n/);
      });
    });

    if (process.platform !== "win32") {
      const attacks: Readonly<Record<string, () => Promise<void>>> = {
        "a file system monitor": () =>
          appendFile(path(".git/config"), "[core]\n\tfsmonitor = ./evil.sh\n"),
        "a filter": async () => {
          await appendFile(path(".git/config"), '[filter "x"]\n\tclean = ./evil.sh\n');
          await writeFile(path(".gitattributes"), "* filter=x\n");
        },
        "an included configuration": async () => {
          await appendFile(path(".git/config"), "[include]\n\tpath = ../included\n");
          await writeFile(path("included"), "[core]\n\tfsmonitor = ./evil.sh\n");
        },
        "a configuration elsewhere": async () => {
          await appendFile(path(".git/config"), "[core]\n\tfsmonitor = ./evil.sh\n");
          await rename(path(".git"), path("moved"));
          await writeFile(path(".git"), "gitdir: moved\n");
        },
        "a repository within": async () => {
          await mkdir(path("inner"));
          git("init", "-q", "--template=", "inner");
          git("-C", "inner", "commit", "-q", "--allow-empty", "-m", "first");
          git("add", "inner");
          await appendFile(path("inner/.git/config"), "[core]\n\tfsmonitor = ../evil.sh\n");
        },
      };
      for (const [name, plant] of Object.entries(attacks)) {
        it(`runs nothing that the repository brings along: ${name}`, async () => {
          await repository();
          await writeFile(path("evil.sh"), `#!/bin/sh\ntouch '${path("ran")}'\ncat\n`);
          await chmod(path("evil.sh"), 0o755);
          await plant();
          // As long as before, so that git has to compare the content.
          await writeFile(path("a.js"), "two\n");
          await told();
          assert.equal(existsSync(path("ran")), false);
          // The attack is one: a person's own git does run it.
          if (name === "a repository within") return;
          git("status");
          assert.equal(existsSync(path("ran")), true);
        });
      }
    }
  });
}
