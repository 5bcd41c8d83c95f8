import assert from "node:assert/strict";
import { diffCounts, diffLines } from "../../../../src/webview/items/diffView.js";

const diff = `--- a/x
+++ b/x
@@ -1,3 +1,3 @@
 same
--- not a file
+++ nor this
 same
\\ No newline at end of file
`;

describe("diffLines", () => {
  it("tells the lines apart, also those that look like a file's name", () => {
    assert.deepEqual(
      diffLines(diff).map(({ kind }) => kind),
      ["file", "file", "hunk", "same", "removed", "added", "same", "note"],
    );
    assert.deepEqual(diffCounts(diff), { added: 1, removed: 1 });
  });

  it("reads lines without any header too", () => {
    assert.deepEqual(diffCounts("+a\n+b\n"), { added: 2, removed: 0 });
  });
});
