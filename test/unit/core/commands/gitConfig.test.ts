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
  });
});
