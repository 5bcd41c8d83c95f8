import assert from "node:assert/strict";
import { spoken } from "../../../../../src/core/text/words.js";
import { CommandStage } from "../commandStage.js";

const commit = "c0ffee0000000000000000000000000000000000";
const secret = "5ec2e70000000000000000000000000000000000";
const plain = "b10b000000000000000000000000000000000000";
const harmless = [
  [commit, undefined],
  [plain, "src/a.ts"],
] as const;

/** Commands that show what is in files of earlier commits. */
const showing = [
  "git show HEAD~1",
  "git show",
  "git show stash@{0}",
  "git show v1.0",
  `git show ${commit}`,
  "git log -p",
  "git log -p -5",
  "git log --stat -p",
  "git log -L1,9:src/a.ts",
  "git log -p --all -- src/../",
  "git log --check",
  "git log --cc",
  "git whatchanged -p",
  "git reflog -p",
  "git stash show -p",
  "git stash show",
  "git grep KEY HEAD~1",
  "git grep -e KEY HEAD~1",
  "git cat-file -p HEAD~1",
  "git cat-file commit HEAD~1",
  "git diff HEAD~1",
  "git diff HEAD~2 HEAD~1",
  "git diff HEAD~2..HEAD",
  "git diff --cached",
  "git status -v",
  "git status -vv",
  "git status -vb src",
  "git diff-tree -p HEAD",
  "git diff-index -p HEAD",
  "git --no-pager show HEAD~1",
  "git -C src show HEAD~1",
  "cd src && git show HEAD~1",
];

/** Commands that show none of these, or nothing of them. */
const others = [
  "git status",
  "git log",
  "git log --stat",
  "git diff",
  "git diff -- src",
  "git diff --stat HEAD~1",
  "git grep foo",
  "git ls-tree -r HEAD",
  "git show --stat HEAD",
  "git show HEAD:src/a.ts",
  "git show HEAD~1 -- src",
  "git log -p -- src/a.ts docs",
  "git log -p -- src/a.ts README.md",
  "git stash list",
  "git cat-file -t HEAD",
  "git blame src/a.ts",
  `git show -s ${commit}`,
];

async function verdict(stage: CommandStage, line: string): Promise<string> {
  const { facts } = await stage.review(line);
  const asks = facts.commands.find(({ verdict: one }) => one === "asks");
  return asks === undefined ? "reads" : spoken(asks.why);
}

describe("a git command that shows files of earlier commits", () => {
  it("is asked about where a secret or hidden file was committed once", async () => {
    for (const path of [".env", "secrets/a.txt", "private/notes.md", "old/server.pem"]) {
      const stage = new CommandStage(false);
      stage.history = new Map([...harmless, [secret, path]]);
      for (const line of showing) assert.match(await verdict(stage, line), /secrets|hidden/, line);
      for (const line of others) {
        // Its own name says it.
        if (line.includes(path)) continue;
        assert.equal(await verdict(stage, line), "reads", line);
      }
    }
  });

  it("is asked about where nobody can tell what was committed", async () => {
    const stage = new CommandStage(false);
    stage.history = undefined;
    for (const line of showing) assert.match(await verdict(stage, line), /cannot be told/, line);
    const named = new Set([
      `git show -s ${commit}`,
      "git show HEAD~1 -- src",
      "git log -p -- src/a.ts docs",
    ]);
    for (const line of others) {
      if (!named.has(line)) assert.equal(await verdict(stage, line), "reads", line);
    }
  });

  it("runs unasked where no such file was ever committed", async () => {
    const stage = new CommandStage(false);
    stage.history = new Map(harmless);
    for (const line of [...showing, ...others]) {
      assert.equal(await verdict(stage, line), "reads", line);
    }
  });

  it("is asked about when it names what no branch leads to, as a dropped stash", async () => {
    const stage = new CommandStage(false);
    stage.history = new Map([...harmless, [secret, ".env"]]);
    for (const line of [
      "git show deadbeef",
      "git show -s deadbeef",
      "git show --stat deadbeef~1",
      "git cat-file blob deadbeef",
      "git show v1.0-3-gdeadbeef",
      "git diff HEAD..deadbeef -- src",
      "git log -p FETCH_HEAD -- src",
    ]) {
      assert.match(await verdict(stage, line), /cannot be told/, line);
    }
    for (const line of [
      `git show -s ${secret}`,
      `git show 5ec2e7 -- src`,
      `git cat-file -p ${secret}`,
    ]) {
      assert.match(await verdict(stage, line), /may hold secrets/, line);
    }
    for (const line of [`git show ${plain} -- src`, `git show -s ${plain}`]) {
      assert.equal(await verdict(stage, line), "reads", line);
    }
  });

  it("is asked about when it names what is a file now, and was a folder with a secret file", async () => {
    const stage = new CommandStage(false);
    stage.history = new Map([...harmless, [secret, "src/a.ts/.env"]]);
    assert.match(await verdict(stage, "git log -p -- src/a.ts"), /may hold secrets/);
    assert.equal(await verdict(stage, "git log -p -- src/b.ts"), "reads");
  });

  it("is asked about in a repository inside of the workspace, of which nothing is known", async () => {
    const stage = new CommandStage(false);
    await stage.files.createFile("sub/.git/HEAD", "ref: refs/heads/main\n");
    await stage.files.createFile("sub/.git/objects/info/packs", "");
    await stage.files.createFile(
      "sub/.git/refs/heads/main",
      "0123456789012345678901234567890123456789\n",
    );
    await stage.files.createFile("sub/.git/config", "[core]\n\tbare = false\n");
    assert.match(await verdict(stage, "git -C sub show HEAD~1"), /cannot be told/);
  });
});

describe("a git command that shows addresses of other repositories", () => {
  it("is asked about where one has a login", async () => {
    for (const config of [
      '[remote "origin"]\n\turl = https://me:hunter22@example.test/x.git\n',
      '[remote "origin"]\n\turl = https://ghx_0123456789abcdef01234567@example.test/x.git\n',
      '[url "https://me:hunter22@example.test/"]\n\tinsteadOf = x:\n',
      "[http]\n\textraHeader = Authorization: Basic aHVudGVyMjI=\n",
    ]) {
      const stage = new CommandStage(false);
      await stage.files.replaceFile(".git/config", config);
      assert.match(await verdict(stage, "git remote -v"), /has a login/, config);
      assert.match(await verdict(stage, "git remote get-url origin"), /has a login/, config);
      assert.equal(await verdict(stage, "git remote"), "reads");
    }
  });

  it("runs unasked where none has", async () => {
    for (const url of [
      "https://example.test/x.git",
      "ssh://git@example.test/x",
      "https://me@example.test/x",
    ]) {
      const stage = new CommandStage(false);
      await stage.files.replaceFile(".git/config", `[remote "origin"]\n\turl = ${url}\n`);
      assert.equal(await verdict(stage, "git remote -v"), "reads", url);
    }
  });
});
