import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("the workspace's own modes", () => {
  let stage: ExtensionStage;
  useExtensionStage({ folder: "empty" }, (opened) => {
    stage = opened;
  });
  const found = () => vscode.languages.getDiagnostics(vscode.Uri.file(stage.path(".roomodes")));

  it("are checked where they stand, and again when they change", async () => {
    const mode = (slug: string) =>
      `  - slug: ${slug}\n    name: Tester\n    roleDefinition: You test.\n    groups: [read]\n`;
    await stage.write(".roomodes", `customModes:\n${mode("tester")}${mode("no good")}`);
    const [problem] = await until(() => found().length === 1 && found(), "one problem");
    assert.ok(problem);
    assert.equal(problem.range.start.line, 5);
    assert.match(problem.message, /letters, digits and hyphens/);
    assert.equal(problem.source, "Rooroo");
    assert.equal(problem.severity, vscode.DiagnosticSeverity.Error);

    await stage.write(".roomodes", "customModes: [\n");
    await until(() => found()[0]?.message.includes("not valid"), "a file that is none");
    await stage.write(".roomodes", `customModes:\n${mode("tester")}${mode("good")}`);
    await until(() => found().length === 0, "the problem is gone when it is mended");
    await stage.write(".roomodes", `customModes:\n${mode("no good")}`);
    await until(() => found().length === 1, "it is there again");
    await stage.remove(".roomodes");
    await until(() => found().length === 0, "no problems without a file");
  });
});
