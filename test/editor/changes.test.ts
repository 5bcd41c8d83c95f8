import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { call, type ModelServer, report, triage, type Reply } from "../modelServer/modelServer.js";
import { disk, eventually, product } from "./product.js";
import { replaced } from "./replaced.js";
import { useModelServer } from "./useModelServer.js";

const lines = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`).join("");

describe("what experts change", () => {
  let server: ModelServer;
  useModelServer(
    (started) => {
      server = started;
    },
    { "approvals.preset": "all" },
  );
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await disk.remove("work");
  });

  /** Has an expert do this; returns its task's id. */
  async function works(...calls: readonly Reply[]): Promise<string> {
    const { session } = await product();
    server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Change the work" }),
      ...calls,
      report("Done", "Changed."),
    );
    const before = new Set((await session.overview()).tasks.map(({ taskId }) => taskId));
    assert.equal((await (await session.navigator()).say("Change the work")).status, "done");
    assert.equal(server.left, 0);
    const made = (await session.overview()).tasks.find(({ taskId }) => !before.has(taskId));
    assert.ok(made?.hasChanges);
    return made.taskId;
  }

  /** Answers what is asked, with the label of a button; tells what was said. */
  async function undo(taskId: string): Promise<string[]> {
    const said: string[] = [];
    const answer = (text: string, ...rest: (string | object)[]) => {
      const options = rest.find((one) => typeof one === "object");
      said.push(options === undefined ? text : `${text} ${JSON.stringify(options)}`);
      return Promise.resolve(options === undefined ? undefined : rest.at(-1));
    };
    await replaced(vscode.window, "showWarningMessage", answer, () =>
      replaced(vscode.window, "showInformationMessage", answer, async () => {
        await vscode.commands.executeCommand("rooroo.undoTask", taskId);
      }),
    );
    return said;
  }

  it("is shown in one editor, file by file, and is undone as a whole", async () => {
    await disk.write("work/a.txt", lines);
    await disk.write("work/gone.txt", "going\n");
    const taskId = await works(
      call("edit_file", { path: "work/a.txt", old_text: "line 3\n", new_text: "LINE 3\n" }),
      call("write_to_file", { path: "work/new.txt", content: "new\n" }),
    );
    await vscode.commands.executeCommand("rooroo.reviewChanges", taskId);
    const tab = await eventually(
      () => vscode.window.tabGroups.activeTabGroup.activeTab,
      "the review",
    );
    assert.match(tab.label, /^Changes: Change the work · [0-9A-F]{6}/);
    const left = await eventually(
      () => vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "rooroo-earlier"),
      "the file as it was",
    );
    assert.equal(left.getText(), lines);

    const said = await undo(taskId);
    assert.match(said[0] ?? "", /^Undo the changes of “Change the work”\? .*work\/a\.txt/);
    assert.equal(said[1], "Restored 2 of 2 files.");
    assert.equal(await disk.read("work/a.txt"), lines);
    await assert.rejects(disk.read("work/new.txt"));
    assert.equal(await disk.read("work/gone.txt"), "going\n");
    await eventually(
      () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length === 0,
      "no review",
    );
  });

  it("is listed file by file and change by change, each by its first line with text", async () => {
    await disk.write("work/a.txt", lines);
    const taskId = await works(
      call("edit_file", { path: "work/a.txt", old_text: "line 3\n", new_text: "\n  LINE 3\n" }),
      call("edit_file", { path: "work/a.txt", old_text: "line 20\n", new_text: "" }),
    );
    const picker = vscode.window.createQuickPick();
    await replaced(
      vscode.window,
      "createQuickPick",
      () => picker,
      async () => {
        const chosen = vscode.commands.executeCommand("rooroo.keepOrRevertChanges", taskId);
        await eventually(() => picker.items.length > 0, "the changes");
        assert.deepEqual(
          picker.items.map(({ label, description }) => [label.trim(), description]),
          [
            ["$(file) work/a.txt", "2 changes"],
            ["line 3: LINE 3", "+2 −1"],
            ["line 21: line 20", "+0 −1"],
          ],
        );
        picker.hide();
        await chosen;
      },
    );
  });

  it("is left where a person has changed it since", async () => {
    await disk.write("work/a.txt", lines);
    await disk.write("work/b.txt", "b\n");
    const taskId = await works(
      call("edit_file", { path: "work/a.txt", old_text: "line 3\n", new_text: "LINE 3\n" }),
      call("edit_file", { path: "work/b.txt", old_text: "b", new_text: "B" }),
    );
    const mine = (await disk.read("work/a.txt")).replace("line 9", "mine");
    await disk.write("work/a.txt", mine);
    const said = await undo(taskId);
    assert.match(said[1] ?? "", /^Restored 1 of 2 files\. work\/a\.txt was changed after/);
    assert.equal(await disk.read("work/a.txt"), mine);
    assert.equal(await disk.read("work/b.txt"), "b\n");
  });

  it("goes into the document that somebody is typing into, without opening or focusing anything", async () => {
    await disk.write("work/typed.txt", lines);
    await disk.write("work/other.txt", "other\n");
    const uri = vscode.Uri.file(disk.path("work/typed.txt"));
    const typed = await vscode.window.showTextDocument(uri, { preview: false });
    await typed.edit((edit) => {
      edit.insert(new vscode.Position(20, 0), "typed, not saved\n");
    });
    await eventually(() => typed.document.isDirty, "unsaved changes");
    const other = vscode.Uri.file(disk.path("work/other.txt"));
    await vscode.window.showTextDocument(other, { preview: false });
    const taskId = await works(
      call("edit_file", { path: "work/typed.txt", old_text: "line 3\n", new_text: "LINE 3\n" }),
    );
    const told = JSON.stringify(server.requests.at(-1)?.messages.at(-1));
    assert.match(told, /unsaved changes in the editor were kept and saved with it/);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, other.fsPath);
    assert.equal(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length, 2);
    const withTyped = lines.replace("line 21\n", "typed, not saved\nline 21\n");
    assert.equal(typed.document.isDirty, false);
    assert.equal(typed.document.getText(), withTyped.replace("line 3\n", "LINE 3\n"));
    assert.equal(await disk.read("work/typed.txt"), typed.document.getText());

    await undo(taskId);
    assert.equal(await disk.read("work/typed.txt"), withTyped, "what was typed is not undone");
  });

  it("keeps the encoding, the mark and the line breaks of a document with unsaved changes", async () => {
    await disk.write("work/x", "");
    const text = "één\r\ntwee\r\n";
    const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
    const marked = Buffer.from(`\uFEFF${text}`);
    for (const [name, bytes] of [
      ["work/utf16.txt", utf16],
      ["work/bom.txt", marked],
    ] as const) {
      await writeFile(disk.path(name), bytes);
      const uri = vscode.Uri.file(disk.path(name));
      const document = await vscode.workspace.openTextDocument(uri);
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      assert.ok(document.getText().includes("één"), document.encoding);
      await editor.edit((edit) => {
        edit.insert(new vscode.Position(2, 0), "drie");
      });
      await eventually(() => document.isDirty, "unsaved changes");
    }
    await works(
      call("edit_file", { path: "work/utf16.txt", old_text: "twee", new_text: "zwei" }),
      call("edit_file", { path: "work/bom.txt", old_text: "twee", new_text: "zwei" }),
    );
    const now = "\uFEFFéén\r\nzwei\r\ndrie";
    assert.deepEqual(await readFile(disk.path("work/utf16.txt")), Buffer.from(now, "utf16le"));
    assert.deepEqual(await readFile(disk.path("work/bom.txt")), Buffer.from(now));
  });
});
