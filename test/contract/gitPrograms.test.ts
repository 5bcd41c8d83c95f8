import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repositoryProblem } from "../../src/core/experts/repositoryProblem.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { GitCommits } from "../../src/node/git/gitCommits.js";
import { GitProcess } from "../../src/node/git/gitProcess.js";
import { GitWorktrees } from "../../src/node/git/gitWorktrees.js";
import { ProcessGit } from "../../src/node/git/processGit.js";
import { findProgram } from "../../src/node/processes/findProgram.js";
import { temporaryFolder } from "./temporaryFolder.js";

const plan = "ROO-PLAN_20260102030405_A1B2C3";

if (findProgram(["git"], "/nowhere") !== undefined && process.platform !== "win32") {
  describe("git, run by code of ours", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder.path, name);
    /** Where programs of the repository note that they have run. */
    const witness = () => path("ran");
    let root = "";

    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
        env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      });
    const tries = (...args: string[]) => {
      try {
        git(...args);
      } catch {
        // Only what has run counts.
      }
    };
    const config = (key: string, value: string) => git("config", key, value);

    async function write(name: string, text: string): Promise<void> {
      await mkdir(dirname(join(root, name)), { recursive: true });
      await writeFile(join(root, name), text);
    }

    async function program(name: string, ends: "cat" | "exit 1" = "cat"): Promise<string> {
      await write(name, `#!/bin/sh\necho "$0" >> '${witness()}'\n${ends}\n`);
      await chmod(join(root, name), 0o755);
      return join(root, name);
    }

    beforeEach(async () => {
      root = path("work");
      await mkdir(root);
      git("init", "--quiet", "--initial-branch=main", "--template=");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      await write("a.txt", "one\n");
      git("add", ".");
      git("commit", "--quiet", "-m", "First");
    });

    afterEach(() => {
      delete process.env["GIT_EXTERNAL_DIFF"];
    });

    /** Does all that git is run for: what experts are told, comparisons, a job's commit, a plan's worktree and its landing. */
    async function everything(): Promise<void> {
      assert.equal(await repositoryProblem(new DiskFileSystem(root)), undefined);
      const asked = new ProcessGit(root);
      assert.match((await asked.status()) ?? "", /^## main.*\n M a\.txt$/m);
      assert.ok((await asked.changed({ of: "workTree" }))?.includes("a.txt"));
      assert.match((await asked.diff(["a.txt"], { of: "workTree" })) ?? "", /\n\+two\n/);
      assert.notEqual(await asked.diff(["a.txt"], { of: "commit", commit: "HEAD" }), undefined);
      assert.equal((await asked.commits(5))?.[0]?.subject, "First");

      const worktrees = new GitWorktrees(root, path("data"));
      await worktrees.check();
      const base = await worktrees.base(plan);
      const { root: place } = await worktrees.make({ name: plan, base });
      await writeFile(join(place, "new.txt"), "new\n");
      const landing = await worktrees.landing({ name: plan, base });
      assert.ok(landing.type === "clean" && landing.files.some((one) => one.path === "new.txt"));
      await worktrees.remove(plan);

      const commits = new GitCommits(root);
      await assert.rejects(commits.begin("job/x", []), /a\.txt/);
      await write("a.txt", "one\n");
      await commits.begin("job/x", []);
      const steps = [{ before: undefined, after: Buffer.from("made\n") }];
      const files = new Map([["made.txt", steps]]);
      const made = await commits.commit("job/x", { message: "Made", files });
      assert.notEqual(made.id, undefined);
    }

    /** What a repository may have, and what of a person's own git runs the program that it names. */
    const kinds: Readonly<
      Record<string, { readonly plant: () => Promise<void>; readonly own: () => void }>
    > = {
      "hooks in a folder that the configuration names, as husky has them": {
        plant: async () => {
          for (const hook of [
            "pre-commit",
            "commit-msg",
            "post-commit",
            "post-checkout",
            "post-index-change",
            "reference-transaction",
            "pre-auto-gc",
          ]) {
            await program(`.husky/_/${hook}`);
          }
          config("core.hooksPath", ".husky/_");
        },
        own: () => {
          tries("commit", "--quiet", "--allow-empty", "-m", "x");
          git("-c", "core.hooksPath=/dev/null", "reset", "--quiet", "--soft", "HEAD~1");
        },
      },
      "a file system monitor": {
        plant: async () => {
          config("core.fsmonitor", await program("p.sh"));
        },
        own: () => {
          tries("status");
        },
      },
      "a filter, such as that of Git LFS": {
        plant: async () => {
          const run = await program("p.sh");
          // The name is one that would end a setting given as an argument.
          for (const kind of ["clean", "smudge"]) config(`filter.a=b.c.${kind}`, run);
          config("filter.a=b.c.required", "true");
          await write(".gitattributes", "a.txt filter=a=b.c\n");
        },
        own: () => {
          tries("diff");
        },
      },
      "a filter that one process answers for, and a driver that solves merges": {
        plant: async () => {
          const run = await program("p.sh", "exit 1");
          config("filter.x.process", run);
          config("filter.x.required", "true");
          config("merge.y.driver", `${run} %A %O %B`);
          config("submodule.x.update", `!${run}`);
          config("uploadpack.packObjectsHook", run);
          await write(".gitattributes", "a.txt filter=x\n* merge=y\n");
        },
        own: () => {
          tries("diff");
        },
      },
      "a program for differences in a person's environment": {
        plant: async () => {
          process.env["GIT_EXTERNAL_DIFF"] = await program("p.sh");
        },
        own: () => {
          tries("diff");
        },
      },
      "drivers that show differences": {
        plant: async () => {
          const run = await program("p.sh");
          config("diff.external", run);
          config("diff.x.textconv", run);
          config("diff.x.command", run);
          await write(".gitattributes", "*.txt diff=x\n");
        },
        own: () => {
          tries("diff");
        },
      },
      "programs that sign and check signatures": {
        plant: async () => {
          const run = await program("p.sh");
          for (const key of ["gpg.program", "gpg.openpgp.program"]) config(key, run);
          for (const key of ["commit.gpgSign", "tag.gpgSign", "log.showSignature"]) {
            config(key, "true");
          }
        },
        own: () => {
          tries("commit", "--quiet", "--allow-empty", "-m", "x");
        },
      },
      "editors, pagers and aliases": {
        plant: async () => {
          const run = await program("p.sh");
          for (const key of ["core.editor", "sequence.editor", "core.pager", "pager.log"]) {
            config(key, run);
          }
          for (const name of ["status", "x"]) config(`alias.${name}`, `!${run}`);
        },
        own: () => {
          tries("x");
        },
      },
      "a file that its configuration includes": {
        plant: async () => {
          const run = await program("p.sh");
          const named = `[core]\n\tfsmonitor = ${run}\n[filter "x"]\n\tclean = ${run}\n`;
          await writeFile(path("included"), named);
          await writeFile(path("conditional"), `[diff]\n\texternal = ${run}\n`);
          await write(".gitattributes", "a.txt filter=x\n");
          config("include.path", path("included"));
          config("includeIf.onbranch:main.path", path("conditional"));
        },
        own: () => {
          tries("status");
        },
      },
      "a worktree's own configuration": {
        plant: async () => {
          const run = await program("p.sh");
          config("extensions.worktreeConfig", "true");
          git("config", "--worktree", "core.fsmonitor", run);
          git("config", "--worktree", "filter.x.clean", run);
          await write(".gitattributes", "a.txt filter=x\n");
        },
        own: () => {
          tries("status");
        },
      },
      "programs that lead to other machines": {
        plant: async () => {
          const run = await program("p.sh", "exit 1");
          for (const key of ["core.sshCommand", "core.gitProxy", "core.askPass"]) config(key, run);
          config("credential.helper", `!${run}`);
          config("remote.origin.url", "ssh://host.example.test/x");
          config("remote.origin.uploadpack", run);
        },
        own: () => {
          tries("fetch");
        },
      },
    };
    for (const [name, { plant, own }] of Object.entries(kinds)) {
      it(`works, and runs nothing that the repository names: ${name}`, async () => {
        await plant();
        await rm(witness(), { force: true });
        await write("a.txt", "two\n");
        own();
        assert.equal(existsSync(witness()), true, "a person's own git runs it");
        await rm(witness());
        await everything();
        assert.equal(existsSync(witness()), false);
      });
    }

    it("does not wait for the other end of a pipe in a file's place", async () => {
      execFileSync("mkfifo", [join(root, ".gitignore")]);
      const process = new GitProcess(root, undefined, 1000);
      await assert.rejects(process.run(["status", "--short"]), {
        code: "gitRefused",
        message: /may be a pipe/,
      });
    });

    it("reaches no other machine for objects that a partial clone is without", async () => {
      const run = await program("p.sh", "exit 1");
      config("core.sshCommand", run);
      config("remote.origin.url", "ssh://host.example.test/x");
      config("remote.origin.promisor", "true");
      config("extensions.partialClone", "origin");
      const missing = "0123456789012345678901234567890123456789";
      tries("cat-file", "-e", missing);
      assert.equal(existsSync(witness()), true, "a person's own git runs it");
      await rm(witness());
      const asked = await new GitProcess(root).try(["cat-file", "-e", missing]);
      assert.notEqual(asked.code, 0);
      await new ProcessGit(root).diff(["a.txt"], { of: "commit", commit: missing });
      assert.deepEqual(await new GitWorktrees(root, path("data")).check(), []);
      assert.equal(existsSync(witness()), false);
    });

    it("switches off each hook of the configuration, for what changes refs or reaches others too", async () => {
      config("hook.a=b.command", await program("p.sh"));
      config("hook.a=b.event", "reference-transaction");
      const head = git("rev-parse", "HEAD").trim();
      const trace = path("trace");
      const commands = [
        ["update-ref", "refs/x/y", head],
        ["symbolic-ref", "refs/x/z", "refs/x/y"],
        ["fetch", root, "main"],
        ["push", root, "HEAD:refs/x/p"],
        ["status"],
      ];
      for (const args of commands) {
        await new GitProcess(root).try(args, {
          env: {
            GIT_ALLOW_PROTOCOL: "file",
            GIT_TRACE2_EVENT: trace,
            GIT_TRACE2_CONFIG_PARAMS: "hook.*",
          },
        });
        const told = (await readFile(trace, "utf8")).split("\n");
        const set = told.filter((line) => line.includes('"param":"hook.a=b.enabled"'));
        assert.ok(
          set.some((line) => line.includes('"value":"false"')),
          args[0],
        );
        await rm(trace);
      }
      // Git before 2.54 knows no such hooks, and newer ones have not run it.
      assert.equal(existsSync(witness()), false);
    });

    it("pushes nothing of a repository inside, whose settings are others", async () => {
      const whole = root;
      for (const name of ["one.git", "two.git"]) {
        git("init", "--quiet", "--bare", "--initial-branch=main", "--template=", path(name));
      }
      git("push", "--quiet", path("one.git"), "main");
      root = path("super");
      await mkdir(root);
      git("init", "--quiet", "--initial-branch=main", "--template=");
      const file = ["-c", "protocol.file.allow=always"];
      git(...file, "submodule", "--quiet", "add", "--name", "sub", path("one.git"), "sub");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      git("commit", "--quiet", "-m", "First");
      const outer = root;
      root = path("super/sub");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      git("checkout", "--quiet", "-B", "main");
      git("commit", "--quiet", "--allow-empty", "-m", "Inside");
      root = whole;
      const run = await program("p.sh", "exit 1");
      root = path("super/sub");
      config("remote.origin.receivepack", run);
      root = outer;
      git("add", ".");
      git("commit", "--quiet", "-m", "Outside");
      git("remote", "add", "origin", path("two.git"));
      config("push.recurseSubmodules", "on-demand");
      tries("push", "--quiet", "origin", "main");
      assert.equal(existsSync(witness()), true, "a person's own git runs it");
      await rm(witness());
      const env = { GIT_ALLOW_PROTOCOL: "file" };
      const pushed = await new GitProcess(root).try(["push", "--quiet", "origin", "main"], { env });
      assert.equal(pushed.code, 0, pushed.stderr);
      assert.equal(existsSync(witness()), false);
    });

    it("keeps the user's own filter where the repository names another one", async () => {
      const run = await program("p.sh");
      await writeFile(path("users"), '[filter "x"]\n\tclean = tr a-z A-Z\n');
      await write(".gitattributes", "*.big filter=x\n");
      await write("a.big", "SAME\n");
      git("add", ".");
      git("commit", "--quiet", "-m", "Big");
      config("filter.x.clean", run);
      await rm(witness(), { force: true });
      await write("a.big", "same\n");
      const before = process.env["GIT_CONFIG_GLOBAL"];
      process.env["GIT_CONFIG_GLOBAL"] = path("users");
      try {
        assert.equal(await new ProcessGit(root).status(), "## main\n");
        // Git LFS runs what its own section names.
        config("lfs.https://x.example.test.access", "basic");
        assert.equal(await new ProcessGit(root).status(), "## main\n");
        config("lfs.extension.x.clean", run);
        assert.equal(await new ProcessGit(root).status(), "## main\n M a.big\n");
      } finally {
        if (before === undefined) delete process.env["GIT_CONFIG_GLOBAL"];
        else process.env["GIT_CONFIG_GLOBAL"] = before;
      }
      assert.equal(existsSync(witness()), false);
    });

    it("sees the files around `.git`, whatever other place the configuration names", async () => {
      await mkdir(path("elsewhere"));
      await writeFile(path("elsewhere/other.txt"), "x\n");
      await write("a.txt", "two\n");
      config("core.worktree", path("elsewhere"));
      assert.equal(await new ProcessGit(root).status(), "## main\n M a.txt\n");
      config("core.worktree", folder.path);
      const worktrees = new GitWorktrees(root, path("data"));
      const base = await worktrees.base(plan);
      assert.equal(git("ls-tree", "-r", "--full-tree", "--name-only", base), "a.txt\n");
    });

    it("works in a sparse checkout, and in a worktree of a submodule", async () => {
      await write("src/b.txt", "b\n");
      git("add", ".");
      git("commit", "--quiet", "--amend", "-m", "First");
      git("sparse-checkout", "set", "--no-cone", "/*", "!/src/");
      await write("a.txt", "two\n");
      await everything();

      const whole = root;
      root = path("super");
      await mkdir(root);
      git("init", "--quiet", "--initial-branch=main", "--template=");
      const file = ["-c", "protocol.file.allow=always"];
      git(...file, "submodule", "--quiet", "add", "--name", "sub", whole, "libs/sub");
      root = path("super/libs/sub");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      git("checkout", "--quiet", "-B", "main", "origin/main");
      git("branch", "--quiet", "-D", "job/x");
      await write("a.txt", "two\n");
      await everything();
    });

    it("works in a submodule of a worktree, whose repository is in that worktree's own folder", async () => {
      const inner = root;
      root = path("super");
      await mkdir(root);
      git("init", "--quiet", "--initial-branch=main", "--template=");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      const file = ["-c", "protocol.file.allow=always"];
      git(...file, "submodule", "--quiet", "add", "--name", "sub", inner, "libs/sub");
      git("commit", "--quiet", "-m", "With a submodule");
      git("worktree", "add", "--quiet", path("linked"));
      root = path("linked");
      git(...file, "submodule", "--quiet", "update", "--init");
      root = path("linked/libs/sub");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      git("checkout", "--quiet", "-B", "main", "origin/main");
      await write("a.txt", "two\n");
      await everything();
    });

    it("is not run where `.git` leads to a repository that does not know of the place", async () => {
      await mkdir(path("super/.git/modules"), { recursive: true });
      git("clone", "--quiet", "--bare", "--template=", ".", path("super/.git/modules/other"));
      root = path("super/sub");
      await write(".git", "gitdir: ../.git/modules/other\n");
      const said = () => repositoryProblem(new DiskFileSystem(root));
      assert.notEqual(await said(), undefined);
      git("--git-dir", path("super/.git/modules/other"), "config", "core.worktree", "../../../x");
      assert.notEqual(await said(), undefined);
      git("--git-dir", path("super/.git/modules/other"), "config", "core.worktree", "../../../sub");
      assert.equal(await said(), undefined);
    });
  });
}
