import { readFileSync } from "node:fs";
import { join } from "node:path";
import { vscodeContract } from "../../../editor/vscodeContract.js";
import { show } from "../../../fakes/vscode/api.js";
import { Editor } from "../../../fakes/vscode/editor.js";

const root = join(import.meta.dirname, "..", "..", "..", "..", "..");

describe("the fake", () => {
  let editor: Editor;
  before(() => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
    editor = new Editor({ manifest, extensionPath: root });
    show(editor);
  });
  after(() => editor.close());

  vscodeContract({
    name: "as the fake has it",
    context: () => Promise.resolve(editor.context()),
  });
});
