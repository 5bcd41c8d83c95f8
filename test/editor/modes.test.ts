import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { disk, eventually, product } from "./product.js";

const uri = () => vscode.Uri.file(disk.path(".roomodes"));
const found = () => vscode.languages.getDiagnostics(uri());

describe("the workspace's own modes", () => {
  afterEach(async () => {
    await disk.remove(".roomodes");
    await eventually(() => found().length === 0, "no problems without a file");
  });

  it("are checked where they stand, and again when they change", async () => {
    await product();
    const mode = (slug: string) =>
      `  - slug: ${slug}\n    name: Tester\n    roleDefinition: You test.\n    groups: [read]\n`;
    await disk.write(".roomodes", `customModes:\n${mode("tester")}${mode("no good")}`);
    const [problem] = await eventually(() => found().length === 1 && found(), "one problem");
    assert.ok(problem);
    assert.equal(problem.range.start.line, 5);
    assert.match(problem.message, /letters, digits and hyphens/);
    assert.equal(problem.source, "Rooroo");
    assert.equal(problem.severity, vscode.DiagnosticSeverity.Error);

    await disk.write(".roomodes", "customModes: [\n");
    await eventually(() => found()[0]?.message.includes("not valid"), "a file that is none");
    await disk.write(".roomodes", `customModes:\n${mode("tester")}${mode("good")}`);
    await eventually(() => found().length === 0, "the problem is gone when it is mended");
  });
});
