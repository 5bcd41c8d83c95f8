import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { vscodeContract } from "./vscodeContract.js";

interface Companion {
  readonly context: vscode.ExtensionContext;
}

vscodeContract({
  name: "as this editor has it",
  context: async () => {
    const found = vscode.extensions.getExtension<Companion>("rooroo-test.companion");
    assert.ok(found, "the companion extension is not there");
    return (await found.activate()).context;
  },
});
