import { strict as assert } from "node:assert";
import type { Settings } from "../../../../src/vscode/settings/settings.js";
import { selectTools } from "../../../../src/vscode/workspace/selectTools.js";
import { show } from "../../../fakes/vscode/api.js";
import { Editor } from "../../../fakes/vscode/editor.js";
import { manifest, until } from "../../../panel/extensionStage.js";

describe("Select Tools…", () => {
  let editor: Editor;
  before(() => {
    editor = new Editor({ manifest });
    show(editor);
  });
  after(() => editor.close());

  it("keeps the choice of a tool that is not there now", async () => {
    const settings = { read: () => ({ editorTools: ["gone_tool"] }) } as unknown as Settings;
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
