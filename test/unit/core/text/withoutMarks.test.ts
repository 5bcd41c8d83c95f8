import assert from "node:assert/strict";
import { withoutMarks } from "../../../../src/core/text/withoutMarks.js";

describe("text that is shown as it is", () => {
  it("has none of Markdown's marks around words and code", () => {
    assert.equal(withoutMarks("**Which** of `a.js` and `b.js`?"), "Which of a.js and b.js?");
  });
});
