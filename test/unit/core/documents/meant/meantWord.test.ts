import assert from "node:assert/strict";
import { meantExpert, meantWord } from "../../../../../src/core/documents/meant/meantWord.js";

describe("a word that a model writes for one of ours", () => {
  const statuses = ["Done", "Advice", "Failed", "NeedsClarification"];

  it("is understood in any case, with separators, and in the language that the model works in", () => {
    for (const [given, meant] of [
      ["Completed", "Done"],
      ["success", "Done"],
      ["**DONE**", "Done"],
      ["✅ done", "Done"],
      ["完成", "Done"],
      ["FAILED", "Failed"],
      ["失败", "Failed"],
      ["needs_clarification", "NeedsClarification"],
      ["需要澄清", "NeedsClarification"],
    ]) {
      assert.equal(meantWord(given!, statuses), meant, given);
    }
    assert.equal(meantWord("completed", ["SUCCESS", "FAILED"]), "SUCCESS");
    assert.equal(meantWord("Done", ["Succeeded", "Failed", "Pending"]), "Succeeded");
    assert.equal(meantWord("PLAN", ["brainstorm", "plan", "direct"]), "plan");
  });

  it("is left alone where its meaning is not certain", () => {
    for (const given of [
      "",
      "—",
      "Mostly done",
      "not done",
      "partly failed",
      "Done or Failed",
      "2",
    ])
      assert.equal(meantWord(given, statuses), undefined, given);
    // Two words with one meaning: neither is meant more than the other.
    assert.equal(meantWord("finished", ["Done", "Succeeded"]), undefined);
  });
});

describe("an expert that a model names", () => {
  const experts = [
    { slug: "rooroo-developer", name: "Developer" },
    { slug: "rooroo-analyzer", name: "Analyzer" },
    { slug: "docs-writer", name: "✍️ Docs Writer" },
  ];

  it("is found short, capitalised, with underscores, and by its display name", () => {
    for (const [given, slug] of [
      ["developer", "rooroo-developer"],
      ["Rooroo_Developer", "rooroo-developer"],
      ["Developer Mode", "rooroo-developer"],
      ["rooroo analyser", "rooroo-analyzer"],
      ["Docs Writer", "docs-writer"],
    ]) {
      assert.equal(meantExpert(given!, experts), slug, given);
    }
  });

  it("is the one of that very slug, and none where two could be meant", () => {
    const own = { slug: "developer", name: "Our Developer" };
    assert.equal(meantExpert("developer", [...experts, own]), "developer");
    assert.equal(meantExpert("Developer", [...experts, own]), undefined);
    for (const given of ["", "rooroo", "mode", "designer", "developer and analyzer"])
      assert.equal(meantExpert(given, experts), undefined, given);
  });
});
