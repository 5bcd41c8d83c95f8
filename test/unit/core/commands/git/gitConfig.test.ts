import assert from "node:assert/strict";
import { readGitIndex } from "../../../../../src/core/commands/git/gitWorkTreeProblem.js";
import type { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";
import { CommandStage } from "../commandStage.js";
import { gitIndex } from "../gitIndexBytes.js";

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
      "[core]\n\thooksPath = .husky/_\n",
      "[core]\n\tfsmonitor = true\n[core]\n\teditor = code --wait\n\tpager = less\n\tsshCommand = ssh -i k\n",
      "[core]\n\tsparseCheckout = true\n\tsparseCheckoutCone = true\n[extensions]\n\tworktreeConfig = true\n",
      "[alias]\n\tst = !evil\n[credential]\n\thelper = !evil\n[sequence]\n\teditor = evil\n",
      '[gpg]\n\tprogram = evil\n[gpg "ssh"]\n\tdefaultKeyCommand = evil\n[commit]\n\tgpgSign = true\n',
      '[url "git@example.com:"]\n\tinsteadOf = https://example.com/\n[gc]\n\tauto = 0\n[mergetool "x"]\n\tcmd = evil\n',
      '[submodule "a"]\n\tactive = true\n\tupdate = !evil\n',
      '[branch "main"]\n\tgk-merge-base = origin/main\n\tgk-last-accessed = 2026-01-01\n[remote]\n\tpushDefault = mine\n',
      '[gitflow "branch"]\n\tmaster = main\n[git-town]\n\tmain-branch = main\n[github]\n\tuser = a\n',
      "[commit]\n\ttemplate = .gitmessage\n[merge]\n\tconflictStyle = zdiff3\n[log]\n\tdate = iso\n[i18n]\n\tcommitEncoding = utf-8\n",
    ]) {
      assert.equal(await under(plain), "allow", plain);
    }
    for (const evil of [
      "[core]\n\thooksPath = ~/hooks\n",
      '[core]\n\thooksPath = "a b"\n',
      "[core] hooksPath\n",
      '[core "x"]\n\thooksPath = x y\n',
      '[diff "x"]\n\ttextconv = evil\n',
      '[diff "x"] algorithm = y\n',
      "[diff]\n\texternal = evil\n",
      '[filter "x"]\n\tclean = evil\n',
      "[include]\n\tpath = evil\n",
      '[includeIf "gitdir:x"]\n\tpath = evil\n',
      "[pager]\n\tlog = evil\n",
      '[remote "o"]\n\tuploadpack = evil\n',
      '[remote "o"]\n\tpromisor = true\n',
      "[extensions]\n\tpartialClone = origin\n",
      "[user]\n\tname = a \\\n[core]\n",
      "[core\n",
      "nonsense ]\n",
      "[log]\n\tshowSignature = true\n",
      '[merge "x"]\n\tdriver = evil\n',
      "[merge]\n\ttool = evil\n",
      "[blame]\n\tignoreRevsFile = .env\n",
      "[alias]\n\twhatchanged = !evil\n",
      "[diff]\n\tsubmodule = diff\n",
      "[submodule]\n\trecurse = true\n",
      "[core]\n\tworktree = ../x\n",
      '[alias "whatchanged"]\n\tcommand = !evil\n',
      "[tag]\n\tsort = signature\n",
      "[branch]\n\tsort = -signature:grade\n",
      "[core]\n\tattributesFile = x\n",
      "[format]\n\tpretty = %GG\n",
      "[stash]\n\tshowIncludeUntracked = true\n",
      "[status]\n\tsubmoduleSummary = true\n",
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
    const main = "/home/me/main/.git";
    stage.files.put("src/.git", `gitdir: ${main}/worktrees/src\n`);
    assert.equal((await stage.decide("git -C src status")).type, "ask");
    // A worktree counts where the repository that it is of knows of it.
    for (const [path, text] of [
      ["HEAD", "ref: refs/heads/main\n"],
      ["objects/info/packs", ""],
      ["refs/heads/main", ""],
      ["worktrees/src/HEAD", "ref: refs/heads/src\n"],
      ["worktrees/src/commondir", "../..\n"],
      ["worktrees/src/gitdir", "/workspace/src/.git\n"],
    ] as const) {
      stage.files.put(`${main}/${path}`, text);
    }
    assert.equal((await stage.decide("git -C src status")).type, "allow");
    stage.files.put(`${main}/config`, "[pager]\n\tst = evil\n");
    assert.equal((await stage.decide("git -C src status")).type, "ask");
    stage.files.put(`${main}/config`, "[core]\n\tbare = false\n");
    assert.equal((await stage.decide("git -C src status")).type, "allow");
    stage.files.put(`${main}/worktrees/src/gitdir`, "/workspace/docs/.git\n");
    assert.equal((await stage.decide("git -C src status")).type, "ask");
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

  it("ask where that hook is in a folder which the configuration names", async () => {
    for (const [config, hook] of [
      ["[core]\n\thooksPath = .husky/_\n", ".husky/_/post-index-change"],
      ["[core] hooksPath=/home/me/hooks\n", "/home/me/hooks/post-index-change"],
    ] as const) {
      const stage = new CommandStage();
      stage.files.put(".git/config", config);
      stage.files.put(hook.replace("post-index-change", "pre-commit"), "x\n");
      assert.equal((await stage.decide("git status")).type, "allow", config);
      stage.files.put(hook, "evil\n");
      assert.equal((await stage.decide("git status")).type, "ask", config);
      assert.equal((await stage.decide("git -C src diff")).type, "ask", config);
    }
  });

  it("ask where a worktree's own configuration could make git run programs", async () => {
    const stage = new CommandStage();
    stage.files.put(".git/config.worktree", "[core]\n\tsparseCheckout = true\n");
    assert.equal((await stage.decide("git status")).type, "allow");
    stage.files.put(".git/config.worktree", "[diff]\n\texternal = evil\n");
    assert.equal((await stage.decide("git status")).type, "ask");
  });

  it("ask where a signature would be checked", async () => {
    const stage = new CommandStage();
    for (const line of [
      "git branch --format='%(signature)'",
      "git for-each-ref --sort=signature",
      "git tag --list --sort=-signature:grade",
      "git log --format=%GG",
    ]) {
      assert.equal((await stage.decide(line)).type, "ask", line);
    }
    assert.equal((await stage.decide("git branch --list --sort=-committerdate")).type, "allow");
  });

  it("ask where git would look into repositories among the files, by their configuration", async () => {
    const stage = new CommandStage();
    // `evil` has one; without its mode in the index it is nothing to git but a folder.
    stage.files.put(".git/index", gitIndex([["evil", 0o100644]]));
    assert.equal((await stage.decide("git diff")).type, "allow");
    stage.files.put(".git/index", gitIndex([["evil", 0o160000]]));
    for (const line of ["git diff", "git status", "git show --submodule=diff", "git -C src diff"]) {
      assert.equal((await stage.decide(line)).type, "ask", line);
    }
    assert.equal((await stage.decide("git log --oneline")).type, "allow");
    // An older commit may have one where the index has a folder.
    stage.files.put(".git/index", gitIndex([["evil", 0o100644]]));
    for (const line of ["git diff --submodule=diff HEAD~1", "git log -p --submodule"]) {
      assert.equal((await stage.decide(line)).type, "ask", line);
    }
  });

  it("ask where a repository is not laid out as git makes them", async () => {
    const layouts: Readonly<Record<string, Change>> = {
      "its settings are elsewhere": put(".git/commondir", "../evil/.git\n"),
      "a worktree's settings are a link": link(".git/config.worktree", "../docs/guide.md"),
      "objects are elsewhere": put(".git/objects/info/alternates", "/x\n"),
      "its index is split": put(".git/sharedindex.0123", ""),
      "its index cannot be read": put(".git/index", "DIRC\0\0\0\x07"),
      "it is a link": link("src/.git", "../evil/.git"),
      "its settings are a link": link(".git/config", "../docs/guide.md"),
      "its objects are a link": link(".git/objects", "../evil"),
      "its head is none": put(".git/HEAD", "nothing\n"),
      "it has no head, so that git looks further": remove(".git/HEAD"),
      "it has no objects": remove(".git/objects/info/packs"),
      "a folder is a repository": bare("src/"),
      "the workspace is a repository": bare(""),
      "one is around the workspace": put("/.git/HEAD", "nothing\n"),
      "a folder's is a file": put("src/.git", "gitdir: ../.git\n"),
      "a folder's is a module": put("src/.git", "gitdir: ../.git/modules/a\n"),
    };
    const lines = ["git -C src status", "git -C src diff", "cd src && git log -p"];
    for (const [name, change] of Object.entries(layouts)) {
      const stage = new CommandStage(false);
      for (const line of lines) assert.equal((await stage.decide(line)).type, "allow", line);
      stage.files.put("evil/.git/HEAD", "ref: refs/heads/main\n");
      await change(stage.files);
      // Git looks further only where there is none.
      const own = name.includes("the workspace") ? stage.files.paths : [];
      for (const path of own) if (path.startsWith(".git/")) await stage.files.removeFile(path);
      const answers = await Promise.all(lines.map((line) => stage.decide(line)));
      assert.ok(
        answers.slice(0, 2).every(({ type }) => type === "ask"),
        name,
      );
      assert.ok(name.includes("index") || answers[2]?.type === "ask", name);
    }
  });

  it("ask where what is committed has files that may hold secrets", async () => {
    const stage = new CommandStage(false);
    const shows = ["git diff", "git log -p", "git show HEAD", "git grep KEY", "git stash show"];
    stage.files.put(".git/index", gitIndex([["src/a.ts", 0o100644]]));
    for (const line of shows) assert.equal((await stage.decide(line)).type, "allow", line);
    stage.files.put(".git/index", gitIndex([["deploy/server.key", 0o100644]]));
    for (const line of shows) assert.equal((await stage.decide(line)).type, "ask", line);
    assert.equal((await stage.decide("git log --stat")).type, "allow");
    assert.equal((await stage.decide("git stash show -u")).type, "ask");
    for (const [line, type] of [
      ["git diff -- src", "allow"],
      ["cd src && git log -p -- a.ts", "allow"],
      ["git -C src show HEAD -- a.ts", "allow"],
      ["git diff -- deploy", "ask"],
      ["git diff -- src .", "ask"],
      ["git -C src diff -- ../deploy", "ask"],
      ["git diff -- ':/'", "ask"],
      ["git log -p --follow -- src/a.ts", "ask"],
      ["git diff --", "ask"],
    ] as const) {
      assert.equal((await stage.decide(line)).type, type, line);
    }
  });
});

describe("git's index", () => {
  it("is read in each of its versions, and not at all when it does not list every file", () => {
    const files = [
      ["a/b.ts", 0o100644],
      ["a/bc", 0o160000],
      ["z", 0o120000],
    ] as const;
    for (const version of [2, 3, 4]) {
      assert.deepEqual(
        readGitIndex(gitIndex(files, { version }), 20),
        files.map(([path, mode]) => ({ path, isRepository: mode === 0o160000 })),
        String(version),
      );
      assert.notEqual(readGitIndex(gitIndex(files, { version, extension: "TREE" }), 20), undefined);
      assert.equal(readGitIndex(gitIndex(files, { version, extension: "link" }), 20), undefined);
    }
    assert.equal(readGitIndex(gitIndex(files, { version: 5 }), 20), undefined);
    assert.equal(readGitIndex(gitIndex([["a", 0o040000]]), 20), undefined);
    const whole = gitIndex(files);
    assert.equal(readGitIndex(whole.slice(0, whole.length - 40), 20), undefined);
    assert.equal(readGitIndex(new Uint8Array(), 20), undefined);
  });
});

type Change = (files: MemoryFileSystem) => void | Promise<void>;

function put(path: string, content: string): Change {
  return (files) => {
    files.put(path, content);
  };
}

function link(path: string, target: string): Change {
  return (files) => {
    files.link(path, target);
  };
}

function remove(path: string): Change {
  return (files) => files.removeFile(path);
}

function bare(folder: string): Change {
  return (files) => {
    files.put(`${folder}HEAD`, "ref: refs/heads/main\n");
    files.put(`${folder}objects/x`, "");
    files.put(`${folder}refs/x`, "");
    files.put(`${folder}config`, "[core]\n\tfsmonitor = evil\n");
  };
}
