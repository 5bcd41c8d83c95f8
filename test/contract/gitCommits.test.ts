import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileStep } from "../../src/core/ports/commits.js";
import { GitCommits } from "../../src/node/git/gitCommits.js";
import { temporaryFolder } from "./temporaryFolder.js";

const bytes = (text: string | undefined) =>
  text === undefined ? undefined : new TextEncoder().encode(text);

function step(before: string | undefined, after: string | undefined): FileStep {
  return { before: bytes(before), after: bytes(after) };
}

describe("commits", () => {
  const folder = temporaryFolder();
  let root = "";
  let commits: GitCommits;

  function git(...args: readonly string[]): string {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    const options = { cwd: root, env, encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", args, options).trimEnd();
  }

  const write = (path: string, text: string) => writeFile(join(root, path), text);

  async function repository(): Promise<void> {
    root = join(folder.path, "work");
    await mkdir(root, { recursive: true });
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.test");
    await write("a.txt", "one\ntwo\nthree\nfour\nfive\nsix\n");
    await write("b.txt", "b\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "First");
    commits = new GitCommits(root);
  }

  beforeEach(repository);

  const commit = (
    files: Record<string, readonly FileStep[]>,
    message = "Task 1\n\nSession: S1\n",
  ) => commits.commit("job/trip", { message, files: new Map(Object.entries(files)) });

  describe("a branch", () => {
    it("[R-JIXO-34] begins at the present commit and becomes the current one, once", async () => {
      const before = git("rev-parse", "HEAD");
      assert.equal(await commits.begin("job/trip", []), true);
      assert.equal(git("branch", "--show-current"), "job/trip");
      assert.equal(git("rev-parse", "HEAD"), before);
      assert.equal(await commits.begin("job/trip", []), false);
      assert.equal(git("status", "--porcelain"), "");
    });

    it("[R-JIXO-34] does not begin over changes that are not committed, but for those of its own folders", async () => {
      await mkdir(join(root, ".jixo"));
      await write(".jixo/trip.log.md", "x\n");
      git("add", ".");
      git("commit", "--quiet", "-m", "Log");
      await write(".jixo/trip.log.md", "y\n");
      await write("new.txt", "not followed by git\n");
      await write("a.txt", "mine\n");
      await assert.rejects(
        commits.begin("job/trip", [".jixo", ".rooroo"]),
        /not committed \(M a\.txt\)\. Commit or stash/,
      );
      assert.equal(git("branch", "--show-current"), "main");
      git("checkout", "a.txt");
      assert.equal(await commits.begin("job/trip", [".jixo", ".rooroo"]), true);
    });

    it("does not begin without a repository, without a commit, in a merge, or where the branch is elsewhere", async () => {
      git("branch", "job/trip");
      await write("a.txt", "later\n");
      git("commit", "--quiet", "-am", "Later");
      await assert.rejects(
        commits.begin("job/trip", []),
        /not at the present commit\. Switch to it/,
      );
      git("checkout", "--quiet", "-b", "other", "HEAD~1");
      await write("a.txt", "other\n");
      git("commit", "--quiet", "-am", "Other");
      assert.throws(() => git("merge", "main"));
      await assert.rejects(commits.begin("job/new", []), /A merge is under way/);
      root = join(folder.path, "none");
      await mkdir(root);
      const none = new GitCommits(root);
      await assert.rejects(none.begin("job/trip", []), /There is no git repository here/);
      git("init", "--quiet");
      await assert.rejects(none.begin("job/trip", []), /has no commit yet/);
    });
  });

  it("[R-JIXO-34] holds what the work has changed, and git revert undoes just that", async () => {
    await commits.begin("job/trip", []);
    await write("a.txt", "ONE\ntwo\nthree\nfour\nfive\nsix\n");
    await write("new.txt", "new\n");
    await rm(join(root, "b.txt"));
    await write("mine.txt", "mine\n");
    const old = "one\ntwo\nthree\nfour\nfive\nsix\n";
    const made = await commit({
      "a.txt": [step(old, old.replace("one", "ONE"))],
      "new.txt": [step(undefined, "new\n")],
      "b.txt": [step("b\n", undefined)],
    });
    assert.deepEqual(made.leftOut, []);
    assert.equal(git("rev-parse", "HEAD"), made.id);
    assert.equal(git("status", "--porcelain"), "?? mine.txt");
    assert.equal(git("log", "-1", "--format=%an %s"), "Ada Task 1");
    const [sessions = new Set(), others] = await commits.trailers(["Session", "Undoes"]);
    assert.deepEqual([[...sessions], others], [["S1"], new Set()]);
    git("revert", "--no-edit", "HEAD");
    assert.equal(await readFile(join(root, "a.txt"), "utf8"), old);
    assert.equal(await readFile(join(root, "b.txt"), "utf8"), "b\n");
    assert.equal(git("diff", "--stat", "HEAD~2"), "");
  });

  it("[R-JIXO-34] leaves the user's own changes of the same file uncommitted", async () => {
    await commits.begin("job/trip", []);
    const mine = "one\ntwo\nthree\nfour\nfive\nMINE\n";
    const both = "TASK\ntwo\nthree\nfour\nfive\nMINE\n";
    await write("a.txt", both);
    const { id } = await commit({ "a.txt": [step(mine, both)] });
    assert.ok(id);
    assert.equal(git("show", "HEAD:a.txt"), "TASK\ntwo\nthree\nfour\nfive\nsix");
    assert.equal(await readFile(join(root, "a.txt"), "utf8"), both);
    assert.match(git("diff"), /-six\n\+MINE/);
    assert.doesNotMatch(git("diff"), /TASK$/m);
  });

  it("[R-JIXO-34] makes no commit where the user has changed the same lines, and makes it once that is committed", async () => {
    await commits.begin("job/trip", []);
    const mine = "MINE\ntwo\nthree\nfour\nfive\nsix\n";
    await write("a.txt", mine);
    const files = {
      "a.txt": [step(mine, "TASK\ntwo\nthree\nfour\nfive\nsix\n")],
      "b.txt": [step("b\n", "c\n")],
    };
    const head = git("rev-parse", "HEAD");
    assert.deepEqual(await commit(files), {
      id: undefined,
      leftOut: [{ path: "a.txt", why: "mixed" }],
    });
    assert.equal(git("rev-parse", "HEAD"), head);
    git("commit", "--quiet", "-am", "Mine");
    assert.ok((await commit(files)).id);
  });

  it("keeps what the user has staged of another file, and does not stage over what they staged of the same", async () => {
    await commits.begin("job/trip", []);
    await write("b.txt", "staged\n");
    await write("a.txt", "mine\n");
    git("add", ".");
    await commit({ "a.txt": [step("one\ntwo\nthree\nfour\nfive\nsix\n", "task\n")] });
    assert.equal(git("show", "HEAD:a.txt"), "task");
    assert.equal(git("show", ":a.txt"), "mine");
    assert.equal(git("show", ":b.txt"), "staged");
    assert.equal(git("show", "HEAD:b.txt"), "b");
  });

  it("takes several steps, of which others made some between", async () => {
    await commits.begin("job/trip", []);
    const lines = (...words: readonly string[]) => `${words.join("\n")}\n`;
    const steps = [
      step(
        lines("one", "two", "three", "four", "five", "six"),
        lines("1", "two", "three", "four", "five", "six"),
      ),
      step(
        lines("1", "two", "three", "four", "five", "USER"),
        lines("1", "two", "3", "four", "five", "USER"),
      ),
    ];
    await commit({ "a.txt": steps });
    assert.equal(git("show", "HEAD:a.txt"), "1\ntwo\n3\nfour\nfive\nsix");
  });

  it("makes none where nothing is left to commit, and none on another branch", async () => {
    await commits.begin("job/trip", []);
    const none = { id: undefined, leftOut: [] };
    assert.deepEqual(await commit({ "b.txt": [step("b\n", "b\n")] }), none);
    assert.deepEqual(await commit({ "b.txt": [step("a\n", "b\n")] }), none);
    git("checkout", "--quiet", "main");
    await assert.rejects(commit({ "b.txt": [step("b\n", "c\n")] }), /not the current one any more/);
  });

  it("keeps modes, and leaves out what git ignores and what it filters by a program", async () => {
    await write(".gitignore", "*.log\n");
    await write(".gitattributes", "*.bin filter=store\n");
    git("config", "filter.store.clean", "touch ran-clean; cat");
    git("add", ".gitignore", ".gitattributes");
    git("commit", "--quiet", "-m", "Rules");
    await commits.begin("job/trip", []);
    await write("run.sh", "echo\n");
    await chmod(join(root, "run.sh"), 0o755);
    const made = await commit({
      "run.sh": [{ before: undefined, after: bytes("echo\n"), executable: true }],
      "x.log": [step(undefined, "log\n")],
      "x.bin": [step(undefined, "bin\n")],
    });
    assert.deepEqual(made.leftOut, [{ path: "x.bin", why: "filtered" }]);
    assert.equal(
      git("ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD", "run.sh", "x.log", "x.bin"),
      "100755 run.sh",
    );
    assert.equal(git("status", "--porcelain"), "");
    await assert.rejects(readFile(join(root, "ran-clean")));
  });

  it("stores lines as git would", async () => {
    git("config", "core.autocrlf", "true");
    await commits.begin("job/trip", []);
    await commit({ "b.txt": [step("b\r\n", "c\r\n")] });
    assert.equal(git("cat-file", "blob", "HEAD:b.txt"), "c");
  });

  it("runs no hook, no signing program and no editor", async () => {
    const hook = "#!/bin/sh\ntouch hook-ran\n";
    for (const name of [
      "pre-commit",
      "post-commit",
      "commit-msg",
      "reference-transaction",
      "post-checkout",
      "post-index-change",
    ]) {
      const path = join(root, ".git/hooks", name);
      await writeFile(path, hook, { mode: 0o755 });
    }
    git("config", "commit.gpgSign", "true");
    git("config", "gpg.program", "false");
    await rm(join(root, "hook-ran"), { force: true });
    await commits.begin("job/trip", []);
    assert.ok((await commit({ "b.txt": [step("b\n", "c\n")] })).id);
    await assert.rejects(readFile(join(root, "hook-ran")));
  });

  it("works in a folder of the repository, with names of all kinds", async () => {
    const top = root;
    await mkdir(join(root, "packages/app"), { recursive: true });
    root = join(root, "packages/app");
    commits = new GitCommits(root);
    await commits.begin("job/trip", []);
    const names = ["ü ö.txt", "a\nb.txt", "*.txt", "-n", 'q"uote', "deep/x.txt"];
    await mkdir(join(root, "deep"));
    for (const name of names) await write(name, "x\n");
    await commit(Object.fromEntries(names.map((name) => [name, [step(undefined, "x\n")]])));
    assert.equal(git("status", "--porcelain"), "");
    root = top;
    assert.equal(
      git(
        "-c",
        "core.quotePath=false",
        "ls-tree",
        "-r",
        "-z",
        "--name-only",
        "HEAD",
        "packages",
      ).split("\0").length,
      names.length + 1,
    );
  });

  it("waits while another program holds the index", async () => {
    await commits.begin("job/trip", []);
    const lock = join(root, ".git/index.lock");
    await writeFile(lock, "");
    await write("b.txt", "c\n");
    const committing = commit({ "b.txt": [step("b\n", "c\n")] });
    const raced = await Promise.race([committing.then(() => "made"), git1000(root)]);
    assert.equal(raced, "git ran meanwhile");
    await rm(lock);
    assert.ok((await committing).id);
    assert.equal(git("status", "--porcelain"), "");
  });

  it("commits as Rooroo where git knows no user", async () => {
    git("config", "--unset", "user.name");
    git("config", "--unset", "user.email");
    git("config", "user.useConfigOnly", "true");
    await commits.begin("job/trip", []);
    const names = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"];
    const kept = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = "/dev/null";
    try {
      assert.ok((await commit({ "b.txt": [step("b\n", "c\n")] })).id);
    } finally {
      for (const [name, value] of kept) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
    assert.equal(git("log", "-1", "--format=%an <%ae>"), "Rooroo <rooroo@localhost>");
  });
});

/** Resolves after another git has run in the repository: by then a commit that does not wait has ended. */
async function git1000(root: string): Promise<string> {
  const { execFile } = await import("node:child_process");
  for (let run = 0; run < 20; run++) {
    await new Promise((resolve) => execFile("git", ["log", "-1"], { cwd: root }, resolve));
  }
  return "git ran meanwhile";
}
