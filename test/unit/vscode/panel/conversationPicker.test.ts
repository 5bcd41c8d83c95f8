import { strict as assert } from "node:assert";
import type { ConversationStore } from "../../../../src/core/conversation/store/conversationStore.js";
import { pickConversation } from "../../../../src/vscode/panel/conversationPicker.js";
import type { Editor } from "../../../fakes/vscode/editor.js";
import { until } from "../../../panel/extensionStage.js";
import { useEditor } from "../../../panel/useEditor.js";

describe("the list of conversations", () => {
  let editor: Editor;
  useEditor({}, (opened) => {
    editor = opened;
  });

  it("has none that came with the folder, not even when its words are searched", async () => {
    const now = new Date("2026-01-01T12:00:00.000Z");
    const entries = ["ours", "foreign"].map((title) => ({
      id: title,
      title,
      createdAt: "",
      changedAt: now.getTime(),
      foreign: title === "foreign",
    }));
    const store = {
      list: () => Promise.resolve(entries),
      search: () => Promise.resolve(entries.map((entry) => ({ ...entry, excerpt: "these words" }))),
    } as unknown as ConversationStore;
    const picked = pickConversation(store, "ours", () => undefined, now);
    const list = await until(() => editor.person.quickPick, "a list");
    const shown = () => list.items.flatMap(({ label, kind }) => (kind === undefined ? label : []));
    assert.deepEqual(shown(), ["ours"]);
    list.value = "words";
    await until(() => list.items.some(({ detail }) => detail === "these words"), "what is found");
    assert.deepEqual(shown(), ["ours"]);
    list.hide();
    assert.equal(await picked, undefined);
  });
});
