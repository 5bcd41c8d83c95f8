import assert from "node:assert/strict";
import { IgnoredFiles } from "../../../../src/core/access/ignoredFiles.js";
import { WorkspaceGuard } from "../../../../src/core/access/locatedPath.js";
import type { SandboxTerms } from "../../../../src/core/agent/commandSandbox.js";
import { ChangeStore } from "../../../../src/core/changes/changeStore.js";
import { TaskRecorder } from "../../../../src/core/changes/taskRecorder.js";
import { expertSandbox } from "../../../../src/core/experts/expertSandbox.js";
import type { WriteScope } from "../../../../src/core/experts/mode.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryDocuments } from "../../../fakes/memoryDocuments.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { type Made, MemoryLayer } from "../../../fakes/memoryLayer.js";
import { MemorySearch } from "../../../fakes/memorySearch.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const folder = ".rooroo/tasks/T";
const project: SandboxTerms = { network: "none", keeps: "project", onlyReads: false };
const newFolder = { folder: true } as const;
const removed = { removed: true } as const;

class LayerStage {
  readonly files = new MemoryFileSystem({
    ".gitignore": "dist/\nnode_modules/\n",
    ".rooignore": "private/\n",
    "private/notes.md": "mine\n",
    "src/a.js": "old\n",
    "src/b.js": "b\n",
    ".env": "KEY=1\n",
    ".vscode/settings.json": "{}\n",
    "package.json": '{"name":"x","scripts":{"test":"node"}}',
    "dist/out.js": "1\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/config": "[core]\n",
    ".git/objects/aa/11111111111111111111111111111111111111": "blob\n",
    ".git/refs/heads/main": "1\n",
    ".rooroo/tasks/T/context.md": "goal\n",
    ".rooroo/tasks/T/own/x.md": "x\n",
    ".rooroo/tasks/OTHER/a.md": "x\n",
  });
  readonly documents = new MemoryDocuments(this.files);
  readonly store = new ChangeStore(this.files, new ManualClock(), new PlainSigner(), folder);
  layer = new MemoryLayer(this.files, {});

  constructor(
    private readonly writes: WriteScope = "project",
    private readonly direct = false,
  ) {
    this.files.link("linked", "src");
    this.files.link("leads-out", "/etc");
  }

  get sandbox() {
    const { files, documents, writes, direct } = this;
    const hidden = new IgnoredFiles(files);
    return expertSandbox({ slug: "rooroo-tester", writes }, folder, {
      files,
      hidden,
      documents,
      direct,
      guard: new WorkspaceGuard(files, hidden),
      search: new MemorySearch(files),
      changes: new TaskRecorder(this.store, files),
    });
  }

  /** Lets a command make this, and answers with what of it did not stay, and why. */
  async keep(
    made: Readonly<Record<string, Made>>,
    terms = project,
    troubles: Readonly<Record<string, "changed" | "failed">> = {},
    left: MemoryLayer["left"] = [],
  ): Promise<Record<string, string>> {
    this.layer = new MemoryLayer(this.files, made);
    this.layer.left = left;
    for (const [path, why] of Object.entries(troubles)) this.layer.troubles.set(path, why);
    const { dropped } = await this.sandbox.keep(this.layer, terms);
    return Object.fromEntries(dropped.map(({ path, why }) => [path, why]));
  }
}

describe("what a sandboxed command changed", () => {
  let stage: LayerStage;
  beforeEach(() => {
    stage = new LayerStage();
  });

  it("stays where it is a project file like any other, and can be undone", async () => {
    const dropped = await stage.keep({
      "src/a.js": "new\n",
      "src/b.js": removed,
      docs: newFolder,
      "docs/c.md": "c\n",
      src: newFolder,
    });
    assert.deepEqual(dropped, {});
    assert.deepEqual(stage.layer.applied, ["src/b.js", "docs", "docs/c.md", "src/a.js"]);
    assert.equal(stage.files.text("src/a.js"), "new\n");
    const known = await stage.store.read();
    assert.deepEqual([...known.keys()], ["docs/c.md", "src/a.js", "src/b.js"]);
    const baseline = known.get("src/a.js")?.baseline;
    assert.ok(baseline !== undefined);
    assert.deepEqual(await stage.store.content(baseline), new TextEncoder().encode("old\n"));
  });

  it("is recorded up to 2,000 files, and the others are counted", async () => {
    const names = Array.from({ length: 2_001 }, (_, index) => `src/new${index}.js`);
    stage.layer = new MemoryLayer(
      stage.files,
      Object.fromEntries(names.map((name) => [name, "x\n"])),
    );
    const { unrecorded } = await stage.sandbox.keep(stage.layer, project);
    assert.equal(unrecorded, 1);
    assert.equal(stage.layer.applied.length, 2_001);
    assert.equal((await stage.store.read()).size, 2_000);
  });

  it("does not stay in protected, hidden and secret files, whether they were there or not", async () => {
    const made = {
      ".env": "KEY=2\n",
      ".env.local": "KEY=2\n",
      ".roomodes": "x\n",
      ".husky": newFolder,
      ".husky/pre-commit": "x\n",
      ".vscode/settings.json": "{}",
      ".vscode/tasks.json": "{}",
      "AGENTS.md": "x\n",
      "deep/.npmrc": "x\n",
      "keys/server.pem": "x\n",
      "private/notes.md": removed,
      "repo/HEAD": "x\n",
      "src/.GIT": "gitdir: /x\n",
    } as const;
    const dropped = await stage.keep(made);
    assert.deepEqual(
      Object.keys(dropped),
      Object.keys(made)
        .filter((path) => path !== ".husky/pre-commit")
        .sort(),
    );
    assert.deepEqual(stage.layer.applied, []);
    assert.match(dropped["private/notes.md"] ?? "", /hidden from experts/);
    assert.match(dropped["keys/server.pem"] ?? "", /keys or passwords/);
  });

  it("does not stay below links, nor as a link to what is protected or outside", async () => {
    const dropped = await stage.keep({
      "leads-out/x": "x\n",
      "linked/a.js": "x\n",
      one: { link: "src/a.js" },
      "deep/two": { link: "../.vscode" },
      three: { link: "/etc/passwd" },
      four: { link: "private/notes.md" },
      five: { link: ".env" },
      six: { link: "linked/../.git/hooks" },
    });
    assert.deepEqual(stage.layer.applied, ["one"]);
    assert.match(dropped["leads-out/x"] ?? "", /link/);
    assert.match(dropped["linked/a.js"] ?? "", /link/);
    assert.match(dropped["three"] ?? "", /out of the workspace/);
    assert.match(dropped["deep/two"] ?? "", /a link to \.vscode/);
    assert.deepEqual(Object.keys(dropped).length, 7);
  });

  it("does not stay where the content of a file makes others do something", async () => {
    const dropped = await stage.keep({
      "package.json": '{"name":"x","scripts":{"test":"evil"}}',
      "data.json": '{"$schema":"https://evil.test/"}',
    });
    assert.deepEqual(Object.keys(dropped), ["data.json", "package.json"]);
    assert.deepEqual(
      await stage.keep({ "package.json": '{"name":"y","scripts":{"test":"node"}}' }),
      {},
    );
  });

  it("leaves what an editor has unsaved changes of", async () => {
    stage.documents.type("src/a.js", "typed\n");
    const dropped = await stage.keep({ "src/a.js": "new\n" });
    assert.match(dropped["src/a.js"] ?? "", /unsaved changes/);
    assert.equal(stage.files.text("src/a.js"), "old\n");
  });

  it("stays in files that git ignores, unrecorded, and with all that packages bring", async () => {
    const dropped = await stage.keep({
      "dist/out.js": "2\n",
      "dist/.vscode/settings.json": "{}",
      node_modules: newFolder,
      "node_modules/a/package.json": '{"scripts":{"install":"x"}}',
      "node_modules/a/.eslintrc": "{}",
      "node_modules/a/test/key.pem": "x",
      "node_modules/a/.git/config": "x",
      "node_modules/a/HEAD": "x",
    });
    assert.deepEqual(Object.keys(dropped), [
      "dist/.vscode/settings.json",
      "node_modules/a/.git/config",
      "node_modules/a/HEAD",
    ]);
    assert.deepEqual(stage.layer.applied, [
      "dist/out.js",
      "node_modules",
      "node_modules/a/.eslintrc",
      "node_modules/a/package.json",
      "node_modules/a/test/key.pem",
    ]);
    assert.equal((await stage.store.read()).size, 0);
  });

  it("stays in git's data, which comes last and in order, and in no hook or setting", async () => {
    const dropped = await stage.keep({
      "src/a.js": "new\n",
      ".git/COMMIT_EDITMSG": "x\n",
      ".git/HEAD": "ref: refs/heads/x\n",
      ".git/config": "x",
      ".git/hooks/pre-commit": "x",
      ".git/index": "x",
      ".git/index.lock": "x",
      ".git/info/exclude": "x",
      ".git/logs/HEAD": "x",
      ".git/modules/a/config": "x",
      ".git/objects/aa": newFolder,
      ".git/objects/aa/11111111111111111111111111111111111111": "changed\n",
      ".git/objects/bb": newFolder,
      ".git/objects/bb/22222222222222222222222222222222222222": "new\n",
      ".git/objects/info/alternates": "/x\n",
      ".git/rebase-merge/git-rebase-todo": "pick 1 x\nexec evil\n",
      ".git/refs/heads/x": "2\n",
      ".git/unknown": "x",
      "sub/.git": newFolder,
      "sub/.git/HEAD": "x",
    });
    assert.deepEqual(stage.layer.applied, [
      "src/a.js",
      ".git/objects/bb",
      ".git/objects/bb/22222222222222222222222222222222222222",
      ".git/logs/HEAD",
      ".git/refs/heads/x",
      ".git/COMMIT_EDITMSG",
      ".git/HEAD",
      ".git/index",
    ]);
    assert.match(dropped[".git/rebase-merge/git-rebase-todo"] ?? "", /runs? programs/);
    assert.match(dropped[".git/hooks/pre-commit"] ?? "", /Version control runs/);
    assert.deepEqual([...(await stage.store.read()).keys()], ["src/a.js"]);
  });

  it("is told with the reason where it cannot be applied at all, and the rest stays", async () => {
    const dropped = await stage.keep({ "src/a.js": "new\n" }, project, {}, [
      { path: "b\\xff", why: "notUtf8" },
      { path: "big", why: "tooMuch" },
    ]);
    assert.deepEqual(dropped, {
      "b\\xff": "Its name is not valid UTF-8.",
      big: "The command wrote more than fits into its disk space.",
    });
    assert.equal(stage.files.text("src/a.js"), "new\n");
  });

  it("leaves git's names of commits out when some of git's files cannot be applied at all", async () => {
    const object = ".git/objects/bb/22222222222222222222222222222222222222";
    const made = { [object]: "new\n", ".git/refs/heads/main": "2\n" };
    const dropped = await stage.keep(made, project, {}, [
      { path: ".git/objects/cc/33333333333333333333333333333333333333", why: "tooMuch" },
    ]);
    assert.deepEqual(stage.layer.applied, [object]);
    assert.match(dropped[".git/refs/heads/main"] ?? "", /Other files of git's/);
  });

  it("is no plan of a rebase that is too large to look at", async () => {
    const path = ".git/rebase-merge/git-rebase-todo";
    const dropped = await stage.keep({ [path]: "#".repeat(20_000_001) });
    assert.deepEqual(dropped, { [path]: "It is too large to look at." });
  });

  it("leaves git's names of commits out when what they name could not be written", async () => {
    const object = ".git/objects/bb/22222222222222222222222222222222222222";
    const made = { [object]: "new\n", ".git/refs/heads/x": "2\n", ".git/index": "x" };
    const dropped = await stage.keep(made, project, { [object]: "failed" });
    assert.deepEqual(stage.layer.applied, []);
    assert.deepEqual(Object.keys(dropped), [".git/index", object, ".git/refs/heads/x"]);
  });

  it("leaves a repository as it was when it would not be one any more", async () => {
    const dropped = await stage.keep({
      ".git/HEAD": removed,
      ".git/index": removed,
      ".git/refs": removed,
      ".git/refs/heads/main": removed,
      "src/a.js": "new\n",
    });
    assert.deepEqual(dropped, { ".git": "It would not be a repository any more." });
    assert.deepEqual(stage.layer.applied, ["src/a.js"]);
  });

  it("takes away of a folder what may go, and no repository", async () => {
    stage.files.put("old/a.js", "a\n");
    stage.files.put("old/deep/b.js", "b\n");
    stage.files.put("mixed/a.js", "a\n");
    stage.files.put("mixed/.vscode/x.json", "{}\n");
    stage.files.put("mixed/keys/server.pem", "KEY\n");
    const dropped = await stage.keep({
      ".git": removed,
      mixed: removed,
      "mixed/a.js": removed,
      "mixed/keys": removed,
      old: removed,
      "old/a.js": removed,
      "old/deep": removed,
    });
    assert.deepEqual(Object.keys(dropped), [
      ".git",
      "mixed/.vscode/x.json",
      "mixed/keys/server.pem",
    ]);
    assert.deepEqual(stage.layer.applied, [
      "old/deep/b.js",
      "old/deep",
      "old/a.js",
      "old",
      "mixed/a.js",
    ]);
    const known = [...(await stage.store.read()).keys()];
    assert.deepEqual(known, ["mixed/a.js", "old/a.js", "old/deep/b.js"]);
    assert.equal(stage.files.text(".git/HEAD"), "ref: refs/heads/main\n");
  });

  it("says what somebody else changed meanwhile, and what could not be written", async () => {
    const dropped = await stage.keep({ "src/a.js": "x\n", "src/b.js": "x\n" }, project, {
      "src/a.js": "changed",
      "src/b.js": "failed",
    });
    assert.match(dropped["src/a.js"] ?? "", /Somebody else changed it/);
    assert.match(dropped["src/b.js"] ?? "", /could not be written/);
  });

  it("stays in the task's own folder only, under safe, and not in what code keeps there", async () => {
    const dropped = await stage.keep(
      {
        ".git/refs/heads/x": "2\n",
        ".rooroo/queue.jsonl": "{}\n",
        ".rooroo/tasks/OTHER/a.md": "y\n",
        [`${folder}/context.md`]: "other goal\n",
        [`${folder}/notes`]: newFolder,
        [`${folder}/notes/AGENTS.md`]: "y\n",
        [`${folder}/notes/y.md`]: "y\n",
        [`${folder}/transcript.jsonl`]: "{}\n",
        "src/a.js": "x\n",
      },
      { network: "none", keeps: "ownFolder", onlyReads: true },
    );
    assert.deepEqual(stage.layer.applied, [`${folder}/notes`, `${folder}/notes/y.md`]);
    assert.equal(Object.keys(dropped).length, 7);
    assert.match(dropped["src/a.js"] ?? "", /only changes in \.rooroo\/tasks\/T\/ stay/);
  });

  it("stays in what the mode may write, and no further", async () => {
    stage = new LayerStage({
      fits: (path) => path.endsWith(".md"),
      description: "Markdown",
    });
    const dropped = await stage.keep({
      docs: newFolder,
      "docs/a.md": "a\n",
      lib: newFolder,
      "lib/b.js": "b\n",
    });
    assert.deepEqual(stage.layer.applied, ["docs", "docs/a.md"]);
    assert.match(dropped["lib/b.js"] ?? "", /rooroo-tester may write only Markdown/);
    stage = new LayerStage("plans");
    assert.deepEqual(
      Object.keys(
        await stage.keep({
          ".rooroo/plans/p.md": "p\n",
          ".rooroo/tasks/OTHER/context.md": "p\n",
          "src/a.js": "x\n",
        }),
      ),
      [".rooroo/plans/p.md", ".rooroo/tasks/OTHER/context.md", "src/a.js"],
    );
  });
});

describe("what a sandboxed command sees", () => {
  it("is empty where files are hidden or may hold secrets", async () => {
    const { masks } = await new LayerStage().sandbox.profile(project);
    for (const path of [".env", "private", "private/notes.md", "keys/server.pem"]) {
      assert.equal(masks(path), true, path);
    }
    for (const path of ["", "src", "src/a.js", ".git/config", ".env.example"]) {
      assert.equal(masks(path), false, path);
    }
  });

  it("can only be read where files are protected, but for git's data and the own folder", async () => {
    const { protects } = await new LayerStage().sandbox.profile(project);
    for (const path of [
      ".git/hooks",
      ".git/config",
      ".git/info",
      ".git/objects/info/alternates",
      ".vscode",
      ".roomodes",
      ".rooroo/queue.jsonl",
      ".rooroo/tasks/OTHER",
      `${folder}/transcript.jsonl`,
      `${folder}/changes`,
      "AGENTS.md",
    ]) {
      assert.equal(protects(path), true, path);
    }
    for (const path of [
      "",
      "src",
      ".git",
      ".git/objects",
      ".git/objects/aa",
      ".git/refs/heads/main",
      ".git/HEAD",
      ".git/index",
      ".rooroo",
      ".rooroo/tasks",
      folder,
      `${folder}/notes.md`,
    ]) {
      assert.equal(protects(path), false, path);
    }
  });

  it("can only be read where nothing would stay, when there is no layer to judge", async () => {
    const terms: SandboxTerms = { network: "none", keeps: "ownFolder", onlyReads: true };
    const { protects } = await new LayerStage("project", true).sandbox.profile(terms);
    assert.equal(protects("src"), true);
    assert.equal(protects(".git/objects"), true);
    assert.equal(protects(".rooroo/tasks"), false);
    assert.equal(protects(`${folder}/notes.md`), false);
  });
});
