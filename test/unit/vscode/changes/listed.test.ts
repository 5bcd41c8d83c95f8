import assert from "node:assert/strict";
import { english } from "../../../../src/core/text/translator.js";
import { listed } from "../../../../src/vscode/changes/listed.js";

describe("listed", () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `file ${index + 1}`);

  it("gives eight lines, and says how many more there are", () => {
    assert.equal(listed([], english), "");
    assert.equal(listed(words(8), english), words(8).join("\n"));
    assert.equal(listed(words(10), english), [...words(8), "… and 2 more"].join("\n"));
  });
});
