import assert from "node:assert/strict";
import { oddCharacter } from "../../../../src/core/models/oddCharacter.js";

describe("a key with a character that no header takes", () => {
  it("is told by the character and its place", () => {
    const cases: [string, number, string][] = [
      ["sk–1", 3, "U+2013 (–)"],
      ["“sk-1”", 1, "U+201C (“)"],
      ["sk-1\u200B", 5, "U+200B"],
      ["sk\u00A0-1", 3, "U+00A0"],
      ["sk-\u0007", 4, "U+0007"],
      ["😀", 1, "U+1F600 (😀)"],
    ];
    for (const [key, place, character] of cases) {
      assert.deepEqual(oddCharacter(key), { place, character }, JSON.stringify(key));
    }
  });

  it("is no key of plain characters", () => {
    assert.equal(oddCharacter("sk-proj_1.2/+=~:AbZ09"), undefined);
    assert.equal(oddCharacter(""), undefined);
  });
});
