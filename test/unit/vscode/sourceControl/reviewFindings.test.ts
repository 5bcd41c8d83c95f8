import { strict as assert } from "node:assert";
import { rename, writeFile } from "node:fs/promises";
import * as vscode from "vscode";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { ReviewFindings } from "../../../../src/vscode/sourceControl/reviewFindings.js";
import type { CurrentWorkspace } from "../../../../src/vscode/workspace/currentWorkspace.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("what a review has found in a file that is not open", () => {
  let stage: ExtensionStage;
  const files = { "a.js": "one\n", "b.js": "two\n", "c.js": "three\n", "d.js": "four\n" };
  useExtensionStage({ folder: "empty", files }, (opened) => {
    stage = opened;
  });

  it("goes when the file is changed, replaced or deleted by somebody else, and no sooner", async () => {
    const folder = vscode.Uri.file(stage.workspace);
    const findings = new ReviewFindings({
      session: { folder },
      onDidEmit: new vscode.EventEmitter<unknown>().event,
    } as unknown as CurrentWorkspace);
    const found = Object.keys(files).map((path) => ({
      path,
      line: 1,
      endLine: null,
      severity: "error",
      message: path,
      suggestion: null,
    }));
    const shown = () => {
      const all = Object.keys(files).map((path) => vscode.Uri.joinPath(folder, path));
      return all.flatMap((uri) => vscode.languages.getDiagnostics(uri).map((one) => one.message));
    };
    await stage.editor.watchers.ready();
    findings.take({ type: "sessionEnded", findings: found } as unknown as ConversationEvent);
    assert.deepEqual(shown(), Object.keys(files));
    await writeFile(stage.path("a.js"), "changed\n");
    await until(() => !shown().includes("a.js"), "the changed one");
    await writeFile(stage.path("new.txt"), "replaced\n");
    await rename(stage.path("new.txt"), stage.path("b.js"));
    await until(() => !shown().includes("b.js"), "the replaced one");
    await stage.remove("c.js");
    await until(() => !shown().includes("c.js"), "the deleted one");
    assert.deepEqual(shown(), ["d.js"]);
    findings.dispose();
  });
});
