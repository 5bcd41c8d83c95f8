import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import type * as vscode from "vscode";
import { gitExtension, Repository } from "../fakes/vscode/git.js";
import { Position } from "../fakes/vscode/text.js";
import { Uri } from "../fakes/vscode/uri.js";
import { report } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("the review of changes", () => {
  let stage: PanelStage;
  let panel: Page;
  let file: vscode.Uri;
  usePanelStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
    file = Uri.file(stage.extension.path("src/money.js"));
    const { extensions } = stage.extension.editor;
    extensions.set("vscode.git", gitExtension(new Repository(stage.workspace)));
    await stage.write(
      "src/money.js",
      "// cents\nexport const cents = 100;\nexport const none = 0;\n",
    );
  });

  /** The problems of the file, with their lines as a person counts them. */
  const problems = () => {
    const found = stage.extension.editor.languages.diagnosticsOf(file);
    return found.map(({ range, message }) => `${range.start.line + 1}: ${message}`);
  };
  const finding = (line: number, severity: string, message: string) => ({
    path: "src/money.js",
    line,
    severity,
    message,
  });

  it("is chosen among all changes, and shows findings in the conversation and as problems", async () => {
    stage.server.script(
      report("Done", "Two findings.", {
        findings: [
          finding(2, "error", "A cent is not a hundred."),
          finding(90, "warning", "Nothing uses it."),
        ],
      }),
    );
    stage.person.picks((items) => {
      assert.deepEqual(
        items.map(({ label }) => label),
        ["All Changes", "Branch…"],
      );
      return "All Changes";
    });
    await stage.command("rooroo.reviewMyChanges");
    await stage.report(panel, "A cent is not a hundred.").waitFor();
    await panel.locator(".report .file-link").filter({ hasText: "src/money.js:2" }).waitFor();
    assert.deepEqual(problems(), ["2: A cent is not a hundred.", "3: Nothing uses it."]);
    const [first] = stage.extension.editor.languages.diagnosticsOf(file);
    assert.equal(first?.source, "Rooroo");
  });

  it("offers to fix a finding, which goes when its lines are edited", async () => {
    const { editors, languages } = stage.extension.editor;
    const editor = await editors.show(file);
    const [{ range }] = languages.diagnosticsOf(file) as [vscode.Diagnostic];
    const offered = (await languages.codeActions(file, range)) as vscode.CodeAction[];
    assert.deepEqual(
      offered.map(({ title }) => title),
      ["Fix with Rooroo", "Explain with Rooroo"],
    );
    const end = editor.document.lineAt(1).range.end;
    await editor.edit((edit) => {
      edit.insert(new Position(1, end.character), "\n");
    });
    await until(() => problems().join() === "4: Nothing uses it.", "it goes, the other one moves");
  });

  it("clears its findings by a command", async () => {
    await stage.command("rooroo.clearFindings");
    assert.deepEqual(problems(), []);
  });
});
