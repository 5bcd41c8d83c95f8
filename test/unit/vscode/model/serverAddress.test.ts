import assert from "node:assert/strict";
import { english } from "../../../../src/core/text/translator.js";
import { addressProblem } from "../../../../src/vscode/model/serverAddress.js";

describe("the address of a model's server", () => {
  const problem = (text: string) => addressProblem(text, english);

  it("may be empty, and begins with http:// or https:// otherwise", () => {
    for (const fine of ["", "  ", "http://localhost:11434/v1", " HTTPS://example.org "]) {
      assert.equal(problem(fine), undefined, fine);
    }
    for (const wrong of [
      "localhost:11434",
      "ftp://localhost",
      "http://",
      "https:///v1",
      "x http://a",
    ]) {
      assert.equal(problem(wrong), "An address begins with http:// or https://", wrong);
    }
  });

  it("has the user's own resource where a known server's address has a place for it", () => {
    assert.match(problem("https://{RESOURCE}.example.org/v1") ?? "", /^Put your resource's name/);
  });
});
