import assert from "node:assert/strict";
import { CommandStage } from "./commandStage.js";

describe("git commands that only read", () => {
  it("ask where a repository's own configuration could make git run programs", async () => {
    const stage = new CommandStage();
    const under = async (config: string) => {
      stage.files.put(".git/config", config);
      return (await stage.decide("git diff")).type;
    };
    for (const plain of [
      "",
      "[core]\n\tbare = false\n\tfilemode=true # ok\n",
      '[remote "origin"]\n\turl = git@example.com:x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
      '[branch "main"]\n\tremote = origin\n; note\n[user]\n\tname = A\n[diff]\n\talgorithm = histogram\n',
    ]) {
      assert.equal(await under(plain), "allow", plain);
    }
    for (const evil of [
      "[core]\n\tfsmonitor = ./evil\n",
      "[CORE]\n\tFsMonitor = ./evil\n",
      "[core] pager = evil\n",
      "[core]\n\tsshCommand = evil\n",
      '[diff "x"]\n\ttextconv = evil\n',
      '[diff "x"] algorithm = y\n',
      "[diff]\n\texternal = evil\n",
      '[filter "x"]\n\tclean = evil\n',
      "[include]\n\tpath = evil\n",
      '[includeIf "gitdir:x"]\n\tpath = evil\n',
      "[gpg]\n\tprogram = evil\n",
      "[pager]\n\tlog = evil\n",
      '[remote "o"]\n\tuploadpack = evil\n',
      '[remote "o"]\n\tpromisor = true\n',
      "[extensions]\n\tworktreeConfig = true\n",
      "[user]\n\tname = a \\\n[core]\n",
      "[core\n",
      "nonsense ]\n",
      '[lfs "extension.x"]\n\tclean = evil %f\n',
      '[lfs "customtransfer.x"]\n\tpath = evil\n',
      `[user]\n\tname = ${"x".repeat(300_000)}\n`,
    ]) {
      assert.equal(await under(evil), "ask", evil.slice(0, 80));
    }
  });

  it("ask where the repository is another place of the workspace", async () => {
    const stage = new CommandStage();
    assert.equal((await stage.decide("git -C src status")).type, "allow");
    assert.equal((await stage.decide("git -C evil status")).type, "ask");
    assert.equal((await stage.decide("cd evil && git status")).type, "ask");
    stage.files.put("src/.git", "gitdir: ../evil/.git\n");
    assert.equal((await stage.decide("git -C src status")).type, "ask");
    stage.files.put("src/.git", "gitdir: /home/me/main/.git/worktrees/src\n");
    assert.equal((await stage.decide("git -C src status")).type, "allow");
    // For git that is the workspace, for whoever looks where it leads something else.
    stage.files.put("src/.git", "gitdir: /proc/self/cwd/evil/.git\n");
    assert.equal((await stage.decide("git -C src status")).type, "ask");
    stage.files.link("docs/.git", "/tmp/evil");
    stage.files.put("/tmp/evil/config", "[core]\n\tfsmonitor = evil\n");
    assert.equal((await stage.decide("git -C docs status")).type, "ask");
  });

  it("ask where looking at the files would run a hook", async () => {
    const stage = new CommandStage();
    stage.files.put(".git/hooks/post-index-change", "evil\n");
    for (const line of ["git diff", "git status", "git describe --dirty"]) {
      assert.equal((await stage.decide(line)).type, "ask", line);
    }
    assert.equal((await stage.decide("git log --oneline")).type, "allow");
  });

  it("ask where git would look into repositories among the files, by their configuration", async () => {
    const stage = new CommandStage();
    // `evil` has one; without its mode in the index it is nothing to git but a folder.
    stage.files.put(".git/index", new Uint8Array([0x44, 0x49, 0x52, 0x43, 0, 0, 0x81, 0xa4, 0xe0]));
    assert.equal((await stage.decide("git diff")).type, "allow");
    stage.files.put(".git/index", new Uint8Array([0x44, 0x49, 0x52, 0x43, 0, 0, 0xe0, 0, 0xe0]));
    for (const line of ["git diff", "git status", "git show --submodule=diff", "git -C src diff"]) {
      assert.equal((await stage.decide(line)).type, "ask", line);
    }
    assert.equal((await stage.decide("git log --oneline")).type, "allow");
  });
});
