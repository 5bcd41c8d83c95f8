import assert from "node:assert/strict";
import ignore from "ignore";
import { IgnoredFiles } from "../../../../src/core/access/ignoredFiles.js";
import { Unignored } from "../../../../src/core/commands/readProblem.js";
import { IgnoreRules } from "../../../../src/core/text/ignoreRules.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

/** Matching this takes longer than anybody waits, where nobody counts before. */
const endless = "**/a/".repeat(12) + "b";
const deep = "a/".repeat(60) + "c";

describe("rules of what to ignore", () => {
  it("mean what the library says, and say what they bring back", () => {
    const lines = [
      "# a comment",
      "*.log",
      "!keep.log",
      "build/",
      "/only-here",
      "docs/**/draft-*.md",
    ];
    const rules = new IgnoreRules(lines, { ignorecase: true });
    const library = ignore({ ignorecase: true }).add(lines);
    for (const path of [
      "a.log",
      "x/A.LOG",
      "keep.log",
      "build/x",
      "only-here",
      "x/only-here",
      "docs/a/b/draft-1.md",
      "docs/draft-2.md",
      "src/main.js",
    ]) {
      assert.equal(rules.ignores(path), library.ignores(path), path);
      assert.equal(rules.test(path).unignored, library.test(path).unignored, path);
    }
  });

  it("keep no answer for ever, however many paths are asked about", () => {
    const rules = new IgnoreRules(["*.log"], { ignorecase: true });
    const paths = Array.from({ length: 10_000 }, (_, index) => `src/${index}.ts`);
    const answers = paths.map((path) => rules.test(path));
    // An answer that is kept is given again, the same object.
    const kept = paths.filter((path, index) => rules.test(path) === answers[index]);
    assert.ok(kept.length <= 1000, `${kept.length} answers are kept`);
  });

  it("refuse a path that they would take for ever to match, and no ordinary one", () => {
    const rules = new IgnoreRules(`${endless}\nbuild/**/out/**\n`, { ignorecase: false });
    assert.throws(() => rules.ignores(deep), { code: "tooManyStars" });
    assert.equal(rules.ignores("build/x/out/y"), true);
    assert.equal(new IgnoreRules("**/x/**/y\n*.tmp", { ignorecase: false }).ignores(deep), false);
    const many = new IgnoreRules("**/a/**/b\n".repeat(20_000), { ignorecase: false });
    assert.throws(() => many.ignores(deep), { code: "tooManyStars" });
  });

  it("hide what cannot be matched, and count as bringing it back into a search", async () => {
    const files = new MemoryFileSystem({ ".rooignore": endless, ".gitignore": `!${endless}` });
    const isHidden = await new IgnoredFiles(files).read();
    assert.match(isHidden(deep) ?? "", /hidden by \.rooignore/);
    assert.equal(isHidden("src/main.js"), undefined);
    assert.equal(await new Unignored(files).has(deep), true);
  });
});
