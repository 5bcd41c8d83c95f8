import { strict as assert } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { ApprovalRequest } from "../../../../src/core/approvals/approver.js";
import { PanelApprover } from "../../../../src/vscode/panel/panelApprover.js";
import { ProposalEditor } from "../../../../src/vscode/panel/proposalEditor.js";
import type { ExtensionStage } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("a proposed file in an editor", () => {
  let stage: ExtensionStage;
  useExtensionStage({ folder: "empty" }, (opened) => {
    stage = opened;
  });

  it("has what the person has made of it when it is opened again", async () => {
    const folder = vscode.Uri.file(stage.workspace);
    const approver = new PanelApprover();
    const editor = new ProposalEditor(vscode.Uri.joinPath(folder, "storage"), approver);
    const request = {
      approvalId: "A",
      action: { access: "write", path: "one.js" },
      editable: { kind: "file", text: "proposed\n" },
    } as unknown as ApprovalRequest;
    await editor.show(request, folder);
    const file = stage.path("storage/proposals/A/one.js");
    assert.equal(await readFile(file, "utf8"), "proposed\n");
    await writeFile(file, "edited\n");
    await editor.show(request, folder);
    assert.equal(await readFile(file, "utf8"), "edited\n");
    editor.dispose();
  });
});
