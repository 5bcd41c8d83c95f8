import { strict as assert } from "node:assert";
import type { Settings } from "../../../../src/vscode/settings/settings.js";
import { selectTools } from "../../../../src/vscode/workspace/selectTools.js";
import type { Editor } from "../../../fakes/vscode/editor.js";
import { manifest, until } from "../../../panel/extensionStage.js";
import { useEditor } from "../../../panel/useEditor.js";

describe("Select Tools…", () => {
  let editor: Editor;
  useEditor({ manifest }, (opened) => {
    editor = opened;
  });

  it("keeps the choice of a tool that is not there now", async () => {
    const settings = { get: () => ["gone_tool"] } as unknown as Settings;
    const selected = selectTools(settings);
    const list = await until(() => editor.person.quickPick, "a list");
    assert.deepEqual(
      list.items.map(({ label, detail }) => [label, detail]),
      [["gone_tool", "Not there now"]],
    );
    await editor.person.accept();
    await selected;
    assert.deepEqual(editor.configuration.userValues["rooroo.tools.vscode"], ["gone_tool"]);
  });
});
