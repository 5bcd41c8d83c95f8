import { readFileSync } from "node:fs";
import { join } from "node:path";
import { vscodeContract } from "../../../editor/vscodeContract.js";
import type { Editor } from "../../../fakes/vscode/editor.js";
import { useEditor } from "../../../panel/useEditor.js";

const root = join(import.meta.dirname, "..", "..", "..", "..", "..");

describe("the fake", () => {
  let editor: Editor;
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
  useEditor({ manifest, extensionPath: root }, (opened) => {
    editor = opened;
  });

  vscodeContract({
    name: "as the fake has it",
    context: () => Promise.resolve(editor.context()),
  });
});
