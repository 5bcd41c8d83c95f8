import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Landing, MadeWorktree, WorktreePlan } from "../../src/core/ports/worktrees.js";
import { GitProcess } from "../../src/node/git/gitProcess.js";
import { GitWorktrees } from "../../src/node/git/gitWorktrees.js";
import { temporaryFolder } from "./temporaryFolder.js";

const name = "ROO-PLAN_20260102030405_A1B2C3";
const lines = "one\ntwo\nthree\nfour\nfive\nsix\n";

describe("worktrees of plans", () => {
  const folder = temporaryFolder();
  let root = "";
  let worktrees: GitWorktrees;

  function git(...args: readonly string[]): string {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const options = { cwd: root, env, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", args, options).trimEnd();
  }

  async function write(path: string, text: string | Buffer, top = root): Promise<void> {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), text);
  }

  const read = (path: string, top = root) => readFile(join(top, path), "utf8");

  async function repository(...flags: readonly string[]): Promise<void> {
    root = join(folder.path, "work");
    await mkdir(root, { recursive: true });
    git("init", "--quiet", "--initial-branch=main", ...flags);
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.test");
    await write("a.txt", lines);
    await write("src/b.txt", "b\n");
    await write(".gitignore", "ignored\n.env\nnode_modules\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "First");
    worktrees = new GitWorktrees(root, join(folder.path, "data"));
  }

  beforeEach(() => repository());

  /** Makes a plan's worktree as a task begins with it. */
  async function made(own = name): Promise<MadeWorktree & { plan: WorktreePlan }> {
    await worktrees.check();
    const plan = { name: own, base: await worktrees.base(own) };
    return { plan, ...(await worktrees.make(plan)) };
  }

  /** Everything of the user's that making and landing must leave as it is. */
  function state(): unknown {
    const index = git("ls-files", "--stage", "--debug");
    const refs = git("for-each-ref", "refs/heads", "refs/tags", "refs/stash");
    return { index, head: git("rev-parse", "HEAD"), refs, stash: git("stash", "list") };
  }

  const texts = (landing: Landing) => {
    assert.equal(landing.type, "clean");
    return Object.fromEntries(
      landing.files.map(({ path, before, after }) => [path, [before, after].map(textOf)]),
    );
  };

  describe("the base", () => {
    it("has what is changed, staged, new and gone, and nothing of the user's is touched", async () => {
      await write("a.txt", "changed\n");
      await write("staged.txt", "staged\n");
      git("add", "staged.txt");
      await write("staged.txt", "staged and changed\n");
      await write("new file \u00e4.txt", "new\n");
      await write("ignored", "ignored\n");
      await write(".rooroo/queue.jsonl", "{}\n");
      await rm(join(root, "src/b.txt"));
      const status = git("status", "--porcelain");
      const before = git("ls-files", "--stage");
      const { root: place } = await made();
      assert.equal(await read("a.txt", place), "changed\n");
      assert.equal(await read("staged.txt", place), "staged and changed\n");
      assert.equal(await read("new file \u00e4.txt", place), "new\n");
      assert.deepEqual(
        ["src/b.txt", "ignored", ".rooroo"].map((path) => existsSync(join(place, path))),
        [false, false, false],
      );
      assert.equal(git("status", "--porcelain"), status);
      assert.equal(git("ls-files", "--stage"), before);
      assert.equal(git("stash", "list"), "");
      assert.equal(git("branch", "--format=%(refname)").split("\n").at(-1), "refs/heads/main");
    });

    it("has a file that was changed in the moment in which the index was written", async () => {
      for (let time = 0; time < 5; time++) {
        await write("a.txt", `AAAA${time}\n`);
        git("add", "a.txt");
        await write("a.txt", `BBBB${time}\n`);
        const base = await worktrees.base(name);
        assert.equal(git("show", `${base}:a.txt`), `BBBB${time}`);
      }
    });

    it("has a folder in place of a file, a file in place of a folder, and a link in place of one", async () => {
      await write("one/x.txt", "x\n");
      git("add", ".");
      git("commit", "--quiet", "-m", "More");
      await rm(join(root, "a.txt"));
      await write("a.txt/inner.txt", "inner\n");
      await rm(join(root, "one"), { recursive: true });
      await write("one", "a file\n");
      await rm(join(root, "src"), { recursive: true });
      await symlink("one", join(root, "src"));
      const { root: place } = await made();
      assert.equal(await read("a.txt/inner.txt", place), "inner\n");
      assert.equal(await read("one", place), "a file\n");
      assert.equal((await lstat(join(place, "src"))).isSymbolicLink(), true);
    });

    it("survives git's own cleaning, and goes with the worktree", async () => {
      await write("new.txt", "new\n");
      const { plan } = await made();
      git("gc", "--quiet", "--prune=now");
      assert.equal(git("show", `${plan.base}:new.txt`), "new");
      await worktrees.remove(name);
      assert.equal(git("for-each-ref", "refs/rooroo"), "");
    });
  });

  describe("a worktree", () => {
    it("lies outside of the repository, with copies of what .worktreeinclude names and no link to the user's", async () => {
      await write(".worktreeinclude", ".env\nnode_modules/\n");
      await write(".env", "KEY=1\n");
      await write("node_modules/tool/run.js", "run\n");
      await mkdir(join(root, "node_modules/.bin"));
      await symlink("../tool/run.js", join(root, "node_modules/.bin/tool"));
      await symlink(join(root, "src"), join(root, "node_modules/mine"));
      await symlink("../../elsewhere", join(root, "node_modules/out"));
      await write(".rooroo/.env", "state\n");
      const { root: place, copied, bytes } = await made();
      assert.ok(!place.startsWith(root));
      assert.equal(await read(".env", place), "KEY=1\n");
      assert.equal(await read("node_modules/.bin/tool", place), "run\n");
      assert.deepEqual((await readdir(join(place, "node_modules"))).sort(), [".bin", "tool"]);
      assert.equal(existsSync(join(place, ".rooroo")), false);
      assert.equal(copied, 3);
      assert.ok(bytes > 50 && bytes < 1_000, String(bytes));
      await write("node_modules/tool/run.js", "other\n", place);
      assert.equal(await read("node_modules/tool/run.js"), "run\n");
    });

    it("is made anew over what a killed process has left of it", async () => {
      const { plan, root: place } = await made();
      await write("a.txt", "half\n", place);
      git("worktree", "lock", place);
      const again = await worktrees.make(plan);
      assert.equal(again.root, place);
      assert.equal(await read("a.txt", place), lines);
      await rm(place, { recursive: true });
      await worktrees.make(plan);
      assert.equal(await read("a.txt", place), lines);
    });

    it("is filled without writing through a link, from whomever the commit is", async () => {
      const outside = join(folder.path, "outside");
      await mkdir(outside);
      await write("kept.txt", "kept\n", outside);
      await symlink(outside, join(root, "way"));
      const { plan, root: place } = await made();
      await rm(join(root, "way"));
      await write("way/kept.txt", "planted\n");
      const result = await worktrees.base("result");
      await worktrees.fill(plan, result);
      assert.equal(await read("kept.txt", outside), "kept\n");
      assert.deepEqual(await readdir(outside), ["kept.txt"]);
      assert.equal((await lstat(join(place, "way"))).isSymbolicLink(), false);
    });

    it("is found and removed whatever is left of it, and no other worktree", async () => {
      git("branch", "other");
      git("worktree", "add", "--quiet", join(folder.path, "theirs"), "other");
      await rm(join(folder.path, "theirs"), { recursive: true });
      const { root: place } = await made();
      await made("second");
      await rm(join(folder.path, "data"), { recursive: true });
      await worktrees.base("third");
      assert.deepEqual(await worktrees.left(), [name, "second", "third"].sort());
      for (const one of [name, "second", "third", name]) await worktrees.remove(one);
      assert.deepEqual(await worktrees.left(), []);
      assert.equal(existsSync(place), false);
      assert.match(git("worktree", "list"), /theirs/);
      assert.equal(git("worktree", "list").split("\n").length, 2);
    });

    it("is removed with folders that may not be written and a forged name of its repository", async () => {
      const { root: place } = await made();
      await write("cache/x.txt", "x\n", place);
      await chmod(join(place, "cache"), 0o500);
      await write("other/.git/HEAD", "ref: refs/heads/main\n", folder.path);
      await writeFile(join(place, ".git"), `gitdir: ${join(folder.path, "other/.git")}\n`);
      await worktrees.remove(name);
      assert.equal(existsSync(place), false);
      assert.equal(existsSync(join(folder.path, "other/.git/HEAD")), true);
    });
  });

  describe("landing", () => {
    it("names what the plan has changed, beside what the user has done since, and changes nothing itself", async () => {
      await write("a.txt", lines.replace("two", "MINE"));
      const { plan, root: place } = await made();
      await write("a.txt", lines.replace("two", "MINE").replace("six", "PLAN"), place);
      await write("made.txt", "made\n", place);
      await chmod(join(place, "made.txt"), 0o755);
      await rm(join(place, "src/b.txt"));
      await write("a.txt", lines.replace("two", "MINE").replace("one", "LATER"));
      git("commit", "--quiet", "-am", "Mine");
      await write("mine.txt", "mine\n");
      const before = state();
      const landing = await worktrees.landing(plan);
      const mine = lines.replace("two", "MINE").replace("one", "LATER");
      assert.deepEqual(texts(landing), {
        "a.txt": [mine, mine.replace("six", "PLAN")],
        "made.txt": [undefined, "made\n"],
        "src/b.txt": ["b\n", undefined],
      });
      assert.equal(landing.type === "clean" && landing.files[1]?.executable, true);
      assert.deepEqual(state(), before);
      assert.equal(git("status", "--porcelain"), "?? mine.txt");
    });

    it("goes by the files, whatever the plan's agents have done to the worktree's own git", async () => {
      const { plan, root: place } = await made();
      await write("a.txt", lines.replace("six", "PLAN"), place);
      const inside = (...args: string[]) =>
        execFileSync("git", args, { cwd: place, stdio: "pipe" });
      inside("-c", "user.name=X", "-c", "user.email=x@example.test", "commit", "-qam", "Theirs");
      inside("update-index", "--assume-unchanged", "src/b.txt");
      await write("src/b.txt", "PLAN\n", place);
      await writeFile(join(place, ".git"), `gitdir: ${folder.path}\n`);
      assert.deepEqual(Object.keys(texts(await worktrees.landing(plan))), ["a.txt", "src/b.txt"]);
    });

    it("says where both have changed the same lines", async () => {
      const { plan, root: place } = await made();
      await write("a.txt", lines.replace("two", "PLAN"), place);
      await write("c.txt", "c\n", place);
      await write("a.txt", lines.replace("two", "MINE"));
      assert.deepEqual(await worktrees.landing(plan), { type: "conflicts", paths: ["a.txt"] });
      assert.equal(await read("a.txt"), lines.replace("two", "MINE"));
    });

    it("is of the workspace's folder only, where that is a folder of a repository", async () => {
      worktrees = new GitWorktrees(join(root, "src"), join(folder.path, "data"));
      const { plan, root: place } = await made();
      assert.equal(await read("b.txt", place), "b\n");
      await write("b.txt", "PLAN\n", place);
      await write("a.txt", "PLAN\n", dirname(place));
      const landing = await worktrees.landing(plan);
      assert.deepEqual(texts(landing), { "b.txt": ["b\n", "PLAN\n"] });
      assert.deepEqual(landing.type === "clean" && landing.leftOut, [
        { path: "/a.txt", why: "outside" },
      ]);
    });

    it("keeps the ends of lines that the user's files have", async () => {
      await write(".gitattributes", "*.txt text eol=crlf\n");
      git("add", ".");
      git("commit", "--quiet", "-m", "Ends");
      await rm(join(root, "a.txt"));
      git("checkout", "a.txt");
      const crlf = lines.replaceAll("\n", "\r\n");
      assert.equal(await read("a.txt"), crlf);
      const { plan, root: place } = await made();
      assert.equal(await read("a.txt", place), crlf);
      await write("a.txt", crlf.replace("six", "PLAN"), place);
      assert.deepEqual(texts(await worktrees.landing(plan)), {
        "a.txt": [crlf, crlf.replace("six", "PLAN")],
      });
    });

    it("writes no links, nothing of another repository and none of Rooroo's own files", async () => {
      const { plan, root: place } = await made();
      await symlink("/etc/passwd", join(place, "link"));
      await write(".rooroo/tasks/T/report.json", "{}\n", place);
      await mkdir(join(place, "inner"));
      execFileSync("git", ["init", "--quiet"], { cwd: join(place, "inner") });
      await write("inner/x.txt", "x\n", place);
      const landing = await worktrees.landing(plan);
      assert.deepEqual(texts(landing), {});
      assert.deepEqual(landing.type === "clean" && landing.leftOut, [
        { path: "link", why: "link" },
        { path: "inner/", why: "link" },
      ]);
    });
  });

  it("have the user's changes of which files can be run, when they are brought up to date", async () => {
    await write("on.sh", "on\n");
    await write("off.sh", "off\n");
    await chmod(join(root, "off.sh"), 0o755);
    const { plan, root: place } = await made();
    const runs = async (path: string) => ((await stat(join(place, path))).mode & 0o111) !== 0;
    assert.deepEqual([await runs("on.sh"), await runs("off.sh")], [false, true]);
    await chmod(join(root, "on.sh"), 0o755);
    await chmod(join(root, "off.sh"), 0o644);
    await worktrees.update(plan.name, await worktrees.planUpdate(plan));
    assert.deepEqual([await runs("on.sh"), await runs("off.sh")], [true, false]);
  });

  it("wait for another one that is being made, which git cannot look at before it is complete", async () => {
    await made();
    const file = join(root, ".git", "worktrees", name, "commondir");
    const whole = await readFile(file, "utf8");
    let rests = 0;
    const complete = async () => {
      rests++;
      if (rests === 2) await writeFile(file, whole);
    };
    await writeFile(file, "");
    const { stdout } = await new GitProcess(root, complete).run(["worktree", "list"]);
    assert.match(stdout.toString(), RegExp(name));
    assert.equal(rests, 2);
    await writeFile(file, "");
    const never = () => Promise.resolve();
    await assert.rejects(new GitProcess(root, never).run(["worktree", "list"]), /commondir/);
  });

  it("tells of two plans that will conflict, before either lands", async () => {
    const first = await made("first");
    await write("mine.txt", "mine\n");
    const second = await made("second");
    const third = await made("third");
    await write("a.txt", lines.replace("two", "FIRST"), first.root);
    await write("a.txt", lines.replace("two", "SECOND"), second.root);
    await write("a.txt", lines.replace("six", "THIRD"), third.root);
    const found = await worktrees.conflicts(second.plan, [first.plan, third.plan]);
    assert.deepEqual([...found], [["first", ["a.txt"]]]);
  });

  describe("a repository", () => {
    const refuses = async (code: string) => {
      const before = existsSync(join(folder.path, "data"));
      await assert.rejects(worktrees.check(), { code });
      assert.equal(existsSync(join(folder.path, "data")), before);
    };

    it("without a commit has worktrees, too", async () => {
      root = join(folder.path, "empty");
      await mkdir(root);
      git("init", "--quiet");
      worktrees = new GitWorktrees(root, join(folder.path, "data"));
      await write("a.txt", lines);
      const { plan, root: place } = await made();
      await write("a.txt", "PLAN\n", place);
      assert.deepEqual(texts(await worktrees.landing(plan)), { "a.txt": [lines, "PLAN\n"] });
      assert.throws(() => git("rev-parse", "--verify", "HEAD"));
    });

    it("that is none, bare, in a merge or rebase, or with conflicts is refused", async () => {
      git("branch", "other");
      await write("a.txt", "main\n");
      git("commit", "--quiet", "-am", "Main");
      git("checkout", "--quiet", "other");
      await write("a.txt", "other\n");
      git("commit", "--quiet", "-am", "Other");
      assert.throws(() => git("merge", "main"));
      await refuses("repositoryBusy");
      git("merge", "--abort");
      assert.throws(() => git("rebase", "main"));
      await refuses("repositoryBusy");
      git("rebase", "--abort");
      await write("a.txt", "stashed\n");
      git("stash");
      git("checkout", "--quiet", "main");
      assert.throws(() => git("stash", "pop"));
      await refuses("filesUnmerged");
      git("checkout", "--force", "--quiet", "other");
      assert.deepEqual(await worktrees.check(), []);
      root = join(folder.path, "none");
      await mkdir(root);
      worktrees = new GitWorktrees(root, join(folder.path, "data"));
      await refuses("noWorkTree");
      git("init", "--quiet", "--bare");
      await refuses("noWorkTree");
    });

    it("that holds the place of its worktrees is refused", async () => {
      worktrees = new GitWorktrees(root, join(root, "data"));
      await refuses("worktreesInside");
    });

    it("with a sparse checkout has whole worktrees, and what the user has not checked out is left", async () => {
      git("sparse-checkout", "set", "--no-cone", "/*", "!/src/");
      assert.equal(existsSync(join(root, "src")), false);
      assert.deepEqual(await worktrees.check(), ["sparse"]);
      const { plan, root: place } = await made();
      assert.equal(await read("src/b.txt", place), "b\n");
      await write("src/b.txt", "PLAN\n", place);
      await write("a.txt", "PLAN\n", place);
      const landing = await worktrees.landing(plan);
      assert.deepEqual(texts(landing), { "a.txt": [lines, "PLAN\n"] });
      assert.deepEqual(landing.type === "clean" && landing.leftOut, [
        { path: "src/b.txt", why: "changed" },
      ]);
    });

    it("with submodules has copies of their files in worktrees, and says what of them does not land", async () => {
      const inner = join(folder.path, "inner");
      git("clone", "--quiet", ".", inner);
      const file = ["-c", "protocol.file.allow=always"];
      git(...file, "submodule", "--quiet", "add", "--name", "sub", inner, "libs/sub");
      git(...file, "submodule", "--quiet", "add", "--name", "out", inner, "libs/out");
      git("commit", "--quiet", "-m", "Subs");
      git("submodule", "--quiet", "deinit", "libs/out");
      const witness = join(folder.path, "ran");
      execFileSync("git", ["config", "core.fsmonitor", `touch ${witness}`], {
        cwd: join(root, "libs/sub"),
      });
      await write("libs/sub/a.txt", "the user's own\n");
      await write("libs/sub/new.txt", "new\n");
      assert.deepEqual(await worktrees.check(), ["submodules"]);
      const { plan, root: place } = await made();
      assert.equal(await read("libs/sub/a.txt", place), "the user's own\n");
      assert.equal(await read("libs/sub/new.txt", place), "new\n");
      assert.deepEqual(await readdir(join(place, "libs/out")), []);
      assert.equal(existsSync(join(place, "libs/sub/.git")), false);
      await write("a.txt", "PLAN\n", place);
      const landing = await worktrees.landing(plan);
      assert.deepEqual(texts(landing), { "a.txt": [lines, "PLAN\n"] });
      assert.deepEqual(landing.type === "clean" && landing.leftOut, []);
      await write("libs/sub/src/b.txt", "PLAN\n", place);
      await write("libs/out/made.txt", "PLAN\n", place);
      const later = await worktrees.landing(plan);
      assert.deepEqual(Object.keys(texts(later)), ["a.txt"]);
      assert.deepEqual(later.type === "clean" && later.leftOut, [
        { path: "libs/out", why: "link" },
        { path: "libs/sub", why: "link" },
      ]);
      await rm(join(place, "libs/out/made.txt"));
      await write("libs/sub/src/b.txt", "b\n", place);
      await rm(join(place, "libs/sub/new.txt"));
      const removed = await worktrees.landing(plan);
      assert.deepEqual(removed.type === "clean" && removed.leftOut, [
        { path: "libs/sub", why: "link" },
      ]);
      await worktrees.planUpdate(plan);
      await worktrees.remove(name);
      assert.equal(existsSync(witness), false);
      assert.equal(await read("libs/sub/src/b.txt"), "b\n");
    });

    it("that is a submodule has worktrees, and one with submodules in them, too", async () => {
      const inner = join(folder.path, "inner");
      git("clone", "--quiet", ".", inner);
      const file = ["-c", "protocol.file.allow=always"];
      git(...file, "submodule", "--quiet", "add", "--name", "sub", inner, "libs/sub");
      root = join(root, "libs/sub");
      worktrees = new GitWorktrees(root, join(folder.path, "data"));
      assert.deepEqual(await worktrees.check(), []);
      const { plan, root: place } = await made();
      assert.match(
        execFileSync("git", ["rev-parse", "--show-toplevel"], { cwd: place, encoding: "utf8" }),
        RegExp(`${name}\\n$`),
      );
      await write("a.txt", "PLAN\n", place);
      assert.deepEqual(texts(await worktrees.landing(plan)), { "a.txt": [lines, "PLAN\n"] });
      assert.equal(git("status", "--porcelain"), "");
    });

    it("that is cloned in part has worktrees if all of its last commit is there, and else is refused", async () => {
      await write("a.txt", lines.replace("one", "OLD"));
      git("commit", "--quiet", "-am", "Old");
      await write("a.txt", lines);
      git("commit", "--quiet", "-am", "New");
      git("config", "uploadpack.allowFilter", "true");
      const whole = `file://${root}`;
      const clone = (place: string, ...flags: string[]) => {
        git("clone", "--quiet", "--filter=blob:none", ...flags, whole, join(folder.path, place));
        root = join(folder.path, place);
        worktrees = new GitWorktrees(root, join(folder.path, "data"));
      };
      const origin = root;
      clone("part");
      assert.match(git("rev-list", "--objects", "--all", "--missing=print"), /^\?/m);
      assert.deepEqual(await worktrees.check(), []);
      await write("c.txt", "c\n");
      const { plan, root: place } = await made();
      assert.equal(await read("c.txt", place), "c\n");
      await write("a.txt", lines.replace("six", "PLAN"), place);
      await write("a.txt", lines.replace("one", "MINE"));
      const both = lines.replace("one", "MINE").replace("six", "PLAN");
      assert.deepEqual(texts(await worktrees.landing(plan)), {
        "a.txt": [lines.replace("one", "MINE"), both],
      });
      root = origin;
      clone("sparse", "--sparse");
      await refuses("partialClone");
      git("sparse-checkout", "disable");
      assert.deepEqual(await worktrees.check(), []);
    });

    it("with names of files by SHA-256 works", async () => {
      await rm(root, { recursive: true });
      await repository("--object-format=sha256");
      await rm(join(root, "src/b.txt"));
      const { plan, root: place } = await made();
      await write("a.txt", "PLAN\n", place);
      assert.deepEqual(texts(await worktrees.landing(plan)), { "a.txt": [lines, "PLAN\n"] });
    });

    it("that is a worktree itself works", async () => {
      git("branch", "other");
      git("worktree", "add", "--quiet", join(folder.path, "theirs"), "other");
      root = join(folder.path, "theirs");
      worktrees = new GitWorktrees(root, join(folder.path, "data"));
      const { plan, root: place } = await made();
      await write("a.txt", "PLAN\n", place);
      assert.deepEqual(texts(await worktrees.landing(plan)), { "a.txt": [lines, "PLAN\n"] });
    });

    it("has none of its programs run: hooks, filters, merge drivers, a monitor", async () => {
      const witness = join(folder.path, "ran");
      const runs = `sh -c 'touch ${witness}; cat'`;
      for (const hook of ["post-checkout", "reference-transaction", "post-index-change"]) {
        await write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch ${witness}\n`);
        await chmod(join(root, ".git/hooks", hook), 0o755);
      }
      await write("big.bin", "pointer\n");
      await write(".gitattributes", "*.bin filter=evil\na.txt merge=evil\n");
      git("-c", "core.hooksPath=/dev/null", "add", ".");
      git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "Attributes");
      git("config", "filter.evil.clean", runs);
      git("config", "filter.evil.smudge", runs);
      git("config", "filter.evil.required", "true");
      git("config", "merge.evil.driver", runs);
      git("config", "core.fsmonitor", runs);
      await rm(witness, { force: true });
      await write("big.bin", "the user's own content\n");
      assert.deepEqual(await worktrees.check(), ["filtered"]);
      const { plan, root: place } = await made();
      assert.equal(await read("big.bin", place), "the user's own content\n");
      await write("a.txt", lines.replace("six", "PLAN"), place);
      await write("a.txt", lines.replace("one", "MINE"));
      assert.deepEqual(await worktrees.landing(plan), { type: "conflicts", paths: ["a.txt"] });
      await write("a.txt", lines);
      const unchanged = await worktrees.landing(plan);
      assert.deepEqual(unchanged.type === "clean" && unchanged.leftOut, []);
      await write("big.bin", "PLAN\n", place);
      const landing = await worktrees.landing(plan);
      assert.deepEqual(Object.keys(texts(landing)), ["a.txt"]);
      assert.deepEqual(landing.type === "clean" && landing.leftOut, [
        { path: "big.bin", why: "filtered" },
      ]);
      await worktrees.remove(name);
      assert.equal(existsSync(witness), false);
    });

    it("with a new file that is too big for it has a copy of that in the worktree", async () => {
      await write("huge.bin", Buffer.alloc(50_000_001));
      const { plan, root: place } = await made();
      assert.equal((await lstat(join(place, "huge.bin"))).size, 50_000_001);
      assert.throws(() => git("cat-file", "-e", `${plan.base}:huge.bin`));
      assert.deepEqual(await worktrees.landing(plan), { type: "clean", files: [], leftOut: [] });
    });
  });
});

function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}
