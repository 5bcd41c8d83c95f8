import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import type { Locator } from "playwright-core";
import { report } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("the commit message", () => {
  let stage: Stage;
  useStage({}, async (opened) => {
    stage = opened;
    await stage.write("src/money.js", "// cents\n");
    execFileSync("git", ["add", "."], { cwd: stage.workspace });
    await stage.runCommand("workbench.view.scm");
    await input().waitFor();
    await stage.screenshot("source-control");
  });

  /**
   * Presses the button, which the header of the changes shows only under the mouse. A window that is still opening draws
   * the header anew and loses the click, as a person sees, who presses it again.
   */
  async function write(): Promise<void> {
    const header = stage.page.locator(".part.sidebar .pane-header").filter({ hasText: "Changes" });
    const hasBegun = async () => stage.server.requests.length > 0 || (await dialog().count()) > 0;
    for (let tries = 1; ; tries++) {
      await header.hover();
      await header.getByRole("button", { name: "Write Commit Message" }).click();
      try {
        await until(hasBegun, "a message is being written", 15_000);
        return;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }
  const input = () => stage.page.locator(".scm-editor .view-lines");
  const typed = async () => (await input().innerText()).replaceAll("\u00a0", " ").trim();
  const dialog = () => stage.page.locator(".monaco-dialog-box");
  const pressed = (name: string): Locator => dialog().getByRole("button", { name, exact: true });

  it("is written into the input of Source Control by its button", async () => {
    stage.server.script({ say: "Count in cents" });
    await write();
    await until(async () => (await typed()) === "Count in cents", "the message is there");
    await stage.screenshot("commit-message");
    const [request] = stage.server.requests;
    const told = JSON.stringify(request?.messages);
    assert.match(told, /Carts, discounts and invoices/);
    assert.match(told, /\+\/\/ cents/);
  });

  it("replaces what was typed only when that is confirmed", async () => {
    await input().click();
    await stage.page.keyboard.press("ControlOrMeta+A");
    await stage.page.keyboard.type("My own words");
    stage.server.script({ say: "Not mine" }, { say: "Better words" });
    await write();
    await pressed("Replace").waitFor();
    await stage.screenshot("commit-message-replace");
    await pressed("Cancel").click();
    await dialog().waitFor({ state: "detached" });
    assert.equal(await typed(), "My own words");
    await write();
    await pressed("Replace").click();
    await until(async () => (await typed()) === "Better words", "the words are replaced");
  });

  it("is not written once it is cancelled", async () => {
    let answer: (value?: unknown) => void = () => undefined;
    const after = new Promise((resolve) => (answer = resolve));
    stage.server.script({ after, then: { say: "Too late" } });
    const notification = stage.page.locator(".notification-toast", {
      hasText: "Writing a commit message…",
    });
    // VS Code leaves those of the messages before for a while.
    await until(async () => (await notification.count()) === 0, "no message is being written");
    await write();
    await until(() => stage.server.requests.length === 1, "the model is asked");
    await notification.getByRole("button", { name: "Cancel" }).click();
    await notification.waitFor({ state: "detached" });
    // The next message is written in spite of the one that was cancelled, whose answer comes later still.
    stage.server.script({ say: "In time" });
    await write();
    await pressed("Replace").click();
    await until(async () => (await typed()) === "In time", "the next message is there");
    answer();
  });
});

describe("the review of changes", () => {
  let stage: Stage;
  useStage({}, async (opened) => {
    stage = opened;
    await stage.write(
      "src/money.js",
      "// cents\nexport const cents = 100;\nexport const none = 0;\n",
    );
  });

  const problem = (text: string) =>
    stage.page.locator(".markers-panel .monaco-list-row").filter({ hasText: text });
  const finding = (line: number, severity: string, message: string) => ({
    path: "src/money.js",
    line,
    severity,
    message,
  });

  it("is chosen in Source Control, and shows findings in the conversation and as problems", async () => {
    stage.server.script(
      report("Done", "Two findings.", {
        findings: [
          finding(2, "error", "A cent is not a hundred."),
          finding(90, "warning", "Nothing uses it."),
        ],
      }),
    );
    // A window that is still opening moves the focus, which closes lists.
    const panel = await stage.panel();
    await stage.runCommand("rooroo.reviewMyChanges");
    await stage.page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "All Changes" })
      .click();
    await stage.report(panel, "A cent is not a hundred.").waitFor();
    await panel.locator(".report .file-link").filter({ hasText: "src/money.js:2" }).waitFor();
    await stage.runCommand("workbench.panel.markers.view.focus");
    await problem("A cent is not a hundred.").waitFor();
    assert.match(
      await problem("A cent is not a hundred.").innerText(),
      /Rooroo[^]*\[Ln 2, Col 1\]/,
    );
    assert.match(await problem("Nothing uses it.").innerText(), /\[Ln 3, Col 1\]/);
    await stage.screenshot("review-findings");
  });

  it("offers to fix a finding, which goes when its lines are edited", async () => {
    await problem("A cent is not a hundred.").dblclick();
    const editor = stage.page.locator(".editor-instance .view-lines");
    await editor.getByText("export const cents").waitFor();
    await stage.page.locator("[class*=codicon-gutter-lightbulb]").first().click();
    await stage.page.getByText("Fix with Rooroo").waitFor();
    await stage.screenshot("review-fix");
    await stage.page.keyboard.press("Escape");
    await editor.getByText("export const cents").click();
    await stage.page.keyboard.press("End");
    await stage.page.keyboard.press("Enter");
    await problem("A cent is not a hundred.").waitFor({ state: "detached" });
    await until(
      async () => (await problem("Nothing uses it.").innerText()).includes("[Ln 4, Col 1]"),
      "the other one has moved",
    );
  });

  it("clears its findings by a command", async () => {
    await stage.runCommand("rooroo.clearFindings");
    await problem("Nothing uses it.").waitFor({ state: "detached" });
  });
});
