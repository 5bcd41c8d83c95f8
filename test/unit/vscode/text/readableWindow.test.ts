import assert from "node:assert/strict";
import * as vscode from "vscode";
import { readableWindow } from "../../../../src/vscode/text/readableWindow.js";
import { Editor } from "../../../fakes/vscode/editor.js";
import type { ExtensionStage } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

const hidden = "a\u200bb";
const seen = "a⟨U+200B⟩b";

/** Returns a window, and the person in front of it. */
function opened() {
  const editor = new Editor();
  const window = editor.api.window as unknown as typeof vscode.window;
  readableWindow(window);
  return { window, person: editor.person, progress: editor.window.progress };
}

describe("VS Code's own messages and lists", () => {
  it("show what hides in messages, their details and buttons, and tell the button that was given", async () => {
    const { window, person } = opened();
    person.clicks(seen);
    const options = { modal: true, detail: hidden };
    assert.equal(await window.showWarningMessage(hidden, options, "No", hidden), hidden);
    const item = { title: hidden };
    person.clicks(seen, undefined);
    assert.equal(await window.showInformationMessage(hidden, item), item);
    assert.equal(await window.showErrorMessage(hidden, options, item), undefined);
    for (const { text, detail = seen, buttons } of person.messages) {
      assert.deepEqual([text, detail, buttons.at(-1)], [seen, seen, seen]);
    }
    assert.equal(person.messages.length, 3);
  });

  it("show what hides in rows, titles and prompts, and tell the rows that were given", async () => {
    const { window, person } = opened();
    const row = { label: hidden, description: hidden, detail: hidden, of: hidden };
    const looks = (items: readonly vscode.QuickPickItem[]) => {
      const { label, description, detail } = items[0]!;
      assert.deepEqual([label, description, detail], [seen, seen, seen]);
      return 0;
    };
    person.picks(looks, looks, [seen], 0);
    assert.equal(await window.showQuickPick([row], { title: hidden }), row);
    assert.equal(await window.showQuickPick(Promise.resolve([row]), { title: hidden }), row);
    assert.deepEqual(await window.showQuickPick([row], { canPickMany: true }), [row]);
    assert.equal(await window.showQuickPick([hidden]), hidden);
    person.types("x");
    await window.showInputBox({ prompt: hidden, value: hidden });
    assert.deepEqual(person.asked, [seen, seen, "", "", seen]);
  });

  it("show what hides in a list that stays open, and tell its rows as they were given", () => {
    const { window, person } = opened();
    const list = window.createQuickPick();
    const button = { iconPath: new vscode.ThemeIcon("check"), tooltip: "Keep" };
    const [first, second] = [{ label: "first" }, { label: hidden, buttons: [button] }];
    list.items = [first, second];
    list.title = hidden;
    list.activeItems = [second];
    let accepted: readonly vscode.QuickPickItem[] = [];
    list.onDidAccept(() => (accepted = list.selectedItems));
    let triggered: vscode.QuickPickItem | undefined;
    list.onDidTriggerItemButton(({ item }) => (triggered = item));
    list.show();
    const shown = person.quickPick!;
    assert.deepEqual([shown.title, shown.items[1]?.label], [seen, seen]);
    assert.equal(shown.activeItems[0], shown.items[1]);
    assert.deepEqual([list.items[1], list.activeItems[0]], [second, second]);
    shown.press(1, "Keep");
    assert.equal(triggered, second);
    shown.choose(1);
    assert.equal(accepted[0], second);
  });

  it("show what hides in titles and reports of progress", async () => {
    const { window, progress } = opened();
    const location = vscode.ProgressLocation.Notification;
    const done = await window.withProgress({ location, title: hidden }, (told) => {
      told.report({ message: hidden });
      return Promise.resolve(hidden);
    });
    assert.deepEqual([done, progress[0]?.title, progress[0]?.messages], [hidden, seen, [seen]]);
  });

  it("leave emoji and scripts that join letters as they are, and what keeps words from being an icon", async () => {
    const { window, person } = opened();
    const kept = "👩‍💻 می‌خواهم $\u200b(bug)";
    await window.showInformationMessage(kept);
    assert.deepEqual(person.said(), [kept]);
  });
});

describe("the extension's messages", () => {
  let stage: ExtensionStage;
  useExtensionStage({}, (opened) => {
    stage = opened;
  });

  it("show what hides in the words of a run that a person is asked about", async () => {
    await stage.command("rooroo.showRun", hidden);
    assert.deepEqual(stage.person.said("warning"), [`There is no run ${seen} in this workspace.`]);
  });
});
