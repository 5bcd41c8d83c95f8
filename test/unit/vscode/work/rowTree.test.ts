import { strict as assert } from "node:assert";
import type { TreeItem } from "vscode";
import { english } from "../../../../src/core/text/translator.js";
import { RowCollection } from "../../../../src/vscode/work/rowCollection.js";
import { RowTree } from "../../../../src/vscode/work/rowTree.js";

describe("a row of a list", () => {
  function itemOf(text: string): TreeItem {
    const rows = new RowCollection(english);
    rows.add("", { id: "one", label: text, description: text, spoken: text, tooltip: [text] });
    const tree = new RowTree();
    tree.show(rows);
    const item = tree.getTreeItem("one");
    tree.dispose();
    return item;
  }

  it("shows what hides in the words of models and files", () => {
    const { label, description, accessibilityInformation } = itemOf("Do it\u202E now\u200B");
    const shown = "Do it⟨U+202E⟩ now⟨U+200B⟩";
    assert.deepEqual([label, description, accessibilityInformation?.label], [shown, shown, shown]);
  });

  it("keeps what scripts and emoji are written with", () => {
    for (const text of ["می\u200Cخواهم", "👩\u200D💻"]) assert.equal(itemOf(text).label, text);
  });
});
