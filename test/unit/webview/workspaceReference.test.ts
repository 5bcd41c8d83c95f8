import assert from "node:assert/strict";
import { workspaceReference } from "../../../src/webview/markdown/workspaceReference.js";

describe("workspaceReference", () => {
  it("reads a path, with a line when there is one", () => {
    assert.deepEqual(workspaceReference("src/cart.js"), { path: "src/cart.js" });
    assert.deepEqual(workspaceReference("./src/cart.js:10-40"), { path: "src/cart.js", line: 10 });
    assert.deepEqual(workspaceReference("src/a.ts#L7"), { path: "src/a.ts", line: 7 });
    assert.deepEqual(workspaceReference("package.json:3:5"), { path: "package.json", line: 3 });
    assert.deepEqual(workspaceReference(".github/.npmrc"), { path: ".github/.npmrc" });
  });

  it("takes nothing else for a path", () => {
    for (const text of [
      "console.log()",
      "app.listen",
      "npm test",
      "1.5.x",
      "total",
      "//x.y/z.js",
      "",
      "https://x.example/a.js",
      "a b/c.js",
      "--flag=a.js",
      "e.g.",
      "src/",
    ]) {
      assert.equal(workspaceReference(text), undefined, text);
    }
  });
});
