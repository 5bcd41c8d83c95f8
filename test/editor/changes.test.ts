import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import { call, type ModelServer, report, triage } from "../modelServer/modelServer.js";
import { disk, eventually, product } from "./product.js";
import { useModelServer } from "./useModelServer.js";

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
    server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Change the work" }),
      call("edit_file", { path: "work/utf16.txt", old_text: "twee", new_text: "zwei" }),
      call("edit_file", { path: "work/bom.txt", old_text: "twee", new_text: "zwei" }),
      report("Done", "Changed."),
    );
    const { session } = await product();
    assert.equal((await (await session.navigator()).say("Change the work")).status, "done");
    const now = "\uFEFFéén\r\nzwei\r\ndrie";
    assert.deepEqual(await readFile(disk.path("work/utf16.txt")), Buffer.from(now, "utf16le"));
    assert.deepEqual(await readFile(disk.path("work/bom.txt")), Buffer.from(now));
  });
});
