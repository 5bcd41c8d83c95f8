import assert from "node:assert/strict";
import { english } from "../../../../src/core/text/translator.js";
import { outdatedRows } from "../../../../src/vscode/work/outdatedRows.js";
import { RowCollection } from "../../../../src/vscode/work/rowCollection.js";

/** Rows as `parent/label`; the parent of a root is empty, and an id is the label's first letter. */
function rows(...all: readonly string[]): RowCollection {
  const made = new RowCollection(english);
  for (const one of all) {
    const [parent = "", label = ""] = one.split("/");
    made.add(parent, { id: label.charAt(0), label });
  }
  return made;
}

describe("the rows that are drawn anew", () => {
  const before = rows("/a", "/b", "a/c", "a/d");

  it("are none when nothing has changed", () => {
    assert.deepEqual(outdatedRows(before, rows("/a", "/b", "a/c", "a/d")), []);
  });

  it("are those that look different", () => {
    assert.deepEqual(outdatedRows(before, rows("/a", "/b2", "a/c", "a/d2")), ["b", "d"]);
  });

  it("are the parents of rows that come, go or move", () => {
    assert.deepEqual(outdatedRows(before, rows("/a", "/b", "a/c", "a/d", "b/e")), ["b"]);
    assert.deepEqual(outdatedRows(before, rows("/a", "/b", "a/c")), ["a"]);
    assert.deepEqual(outdatedRows(before, rows("/a", "/b", "a/d", "a/c")), ["a"]);
  });

  it("are all, by the root's id, when the roots are others, but no row that is new or gone", () => {
    assert.deepEqual(outdatedRows(before, rows("/a", "/b", "/e", "a/c", "a/d", "e/f")), [""]);
    assert.deepEqual(outdatedRows(before, rows("/b")), [""]);
    assert.deepEqual(outdatedRows(rows(), rows("/a")), [""]);
  });
});
