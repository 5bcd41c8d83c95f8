import { strict as assert } from "node:assert";
import { keyProblem } from "../../../../src/vscode/model/typeKey.js";

describe("the input box for a key", () => {
  it("refuses a typographic character by its place", () => {
    assert.match(keyProblem(" sk–1 ") ?? "", /^Character 3 of the key is U\+2013 \(–\)/);
    assert.match(keyProblem("sk\u00A01") ?? "", /^Character 3 of the key is U\+00A0,/);
  });

  it("refuses a space, and takes a plain key and none", () => {
    assert.match(keyProblem("a b") ?? "", /no spaces/);
    assert.equal(keyProblem(" sk-1\n"), undefined);
    assert.equal(keyProblem(""), undefined);
  });
});
