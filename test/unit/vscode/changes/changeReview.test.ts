import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { call, report, triage, type Reply } from "../../../modelServer/modelServer.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join("");

describe("what experts change", () => {
  let stage: ExtensionStage;
  useExtensionStage({ settings: { "rooroo.approvals.preset": "all" } }, (opened) => {
    stage = opened;
  });
  afterEach(async () => {
    await stage.command("workbench.action.revertAndCloseActiveEditor");
    await stage.command("workbench.action.closeAllEditors");
    await stage.remove("work");
  });

  /** Has an expert do this; returns its task's id. */
  async function works(...calls: readonly Reply[]): Promise<string> {
    const { session } = stage.parts;
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Change the work" }),
      ...calls,
      report("Done", "Changed."),
    );
    const before = new Set((await session.overview()).tasks.map(({ taskId }) => taskId));
    assert.equal((await stage.tell("Change the work")).status, "done");
    assert.equal(stage.server.left, 0);
    const made = (await session.overview()).tasks.find(({ taskId }) => !before.has(taskId));
    assert.ok(made?.hasChanges);
    return made.taskId;
  }

  /** Undoes it, and is sure; tells what was said. */
  async function undo(taskId: string): Promise<string[]> {
    const before = stage.person.messages.length;
    stage.person.clicks("Undo");
    await stage.command("rooroo.undoTask", taskId);
    const said = () => stage.person.messages.slice(before);
    await until(() => said().length > 1, "what has become of it");
    return said().map(({ text, detail }) => [text, detail ?? ""].join(" ").trim());
  }

  it("is shown in one editor, file by file, and is undone as a whole", async () => {
    await stage.write("work/a.txt", lines);
    await stage.write("work/gone.txt", "going\n");
    const taskId = await works(
      call("edit_file", { path: "work/a.txt", old_text: "line 3\n", new_text: "LINE 3\n" }),
      call("write_to_file", { path: "work/new.txt", content: "new\n" }),
    );
    await stage.command("rooroo.reviewChanges", taskId);
    assert.match(stage.tab ?? "", /^Changes: Change the work · [0-9A-F]{6} \(2 files\)$/);
    const left = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "rooroo-earlier");
    assert.equal(left?.uri.path, stage.path("work/a.txt"));
    assert.equal(left.getText(), lines);
    assert.equal(stage.contextKey("rooroo.reviewing"), true);

    const said = await undo(taskId);
    assert.match(said[0] ?? "", /^Undo the changes of “Change the work”\? .*work\/a\.txt/);
    assert.equal(said[1], "Restored 2 of 2 files.");
    assert.equal(await stage.read("work/a.txt"), lines);
    await assert.rejects(stage.read("work/new.txt"));
    assert.equal(await stage.read("work/gone.txt"), "going\n");
    assert.equal(stage.tab, undefined, "no review");
  });

  it("is listed file by file and change by change, each by its first line with text", async () => {
    await stage.write("work/a.txt", lines);
    const taskId = await works(
      call("edit_file", { path: "work/a.txt", old_text: "line 3\n", new_text: "\n  LINE 3\n" }),
      call("edit_file", { path: "work/a.txt", old_text: "line 20\n", new_text: "" }),
    );
    const chosen = stage.command("rooroo.keepOrRevertChanges", taskId);
    const list = await until(() => stage.person.quickPick, "the changes");
    assert.deepEqual(
      list.items.map(({ label, description }) => [label.trim(), description]),
      [
        ["$(file) work/a.txt", "2 changes"],
        ["line 3: LINE 3", "+2 −1"],
        ["line 21: line 20", "+0 −1"],
      ],
    );
    list.hide();
    await chosen;
  });

  it("is kept and reverted change by change, by the buttons of the list and by its rows", async () => {
    await stage.write("work/a.txt", lines);
    const taskId = await works(
      call("edit_file", { path: "work/a.txt", old_text: "line 3\n", new_text: "LINE 3\n" }),
      call("edit_file", { path: "work/a.txt", old_text: "line 20\n", new_text: "LINE 20\n" }),
    );
    const settled = stage.command("rooroo.keepOrRevertChanges", taskId);
    const first = await until(() => stage.person.quickPick, "the changes");
    first.press(/line 20: LINE 20/, "Revert");
    const rest = await until(() => {
      const { quickPick } = stage.person;
      return quickPick !== undefined && quickPick !== first && quickPick;
    }, "what is left");
    assert.equal(await stage.read("work/a.txt"), lines.replace("line 3\n", "LINE 3\n"));
    stage.person.picks("Keep");
    rest.choose(/work\/a\.txt/);
    await settled;
    assert.equal(await stage.read("work/a.txt"), lines.replace("line 3\n", "LINE 3\n"));
    const again = stage.person.messages.length;
    await stage.command("rooroo.keepOrRevertChanges", taskId);
    assert.match(stage.person.messages[again]?.text ?? "", /There are no changes to review/);
  });

  it("is left where a person has changed it since", async () => {
    await stage.write("work/a.txt", lines);
    await stage.write("work/b.txt", "b\n");
    const taskId = await works(
      call("edit_file", { path: "work/a.txt", old_text: "line 3\n", new_text: "LINE 3\n" }),
      call("edit_file", { path: "work/b.txt", old_text: "b", new_text: "B" }),
    );
    const mine = (await stage.read("work/a.txt")).replace("line 9", "mine");
    await stage.write("work/a.txt", mine);
    const said = await undo(taskId);
    assert.match(said[1] ?? "", /^Restored 1 of 2 files\. work\/a\.txt was changed after/);
    assert.equal(await stage.read("work/a.txt"), mine);
    assert.equal(await stage.read("work/b.txt"), "b\n");
  });

  it("goes into the document that somebody is typing into, without opening or focusing anything", async () => {
    await stage.write("work/typed.txt", lines);
    await stage.write("work/other.txt", "other\n");
    const uri = vscode.Uri.file(stage.path("work/typed.txt"));
    const typed = await vscode.window.showTextDocument(uri, { preview: false });
    await typed.edit((edit) => {
      edit.insert(new vscode.Position(20, 0), "typed, not saved\n");
    });
    await until(() => typed.document.isDirty, "unsaved changes");
    const other = vscode.Uri.file(stage.path("work/other.txt"));
    await vscode.window.showTextDocument(other, { preview: false });
    const taskId = await works(
      call("edit_file", { path: "work/typed.txt", old_text: "line 3\n", new_text: "LINE 3\n" }),
    );
    const told = JSON.stringify(stage.server.requests.at(-1)?.messages.at(-1));
    assert.match(told, /unsaved changes in the editor were kept and saved with it/);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, other.fsPath);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 2);
    const withTyped = lines.replace("line 21\n", "typed, not saved\nline 21\n");
    assert.equal(typed.document.isDirty, false);
    assert.equal(typed.document.getText(), withTyped.replace("line 3\n", "LINE 3\n"));
    assert.equal(await stage.read("work/typed.txt"), typed.document.getText());

    await undo(taskId);
    assert.equal(await stage.read("work/typed.txt"), withTyped, "what was typed is not undone");
  });
});
