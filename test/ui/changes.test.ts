import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("reviewing what an expert has changed", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  const original = () => stage.read("src/invoice.js");

  it("opens all changes of the task from its report", async () => {
    const before = await original();
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Mend the invoice" }),
      call("apply_diff", {
        path: "src/invoice.js",
        diff: blocks(before),
      }),
      call("write_to_file", { path: "docs/invoice.md", content: "# Invoices\n\nAs they are.\n" }),
      report("Done", "The invoice is mended."),
    );
    await stage.say(panel, "Mend the invoice");
    await stage.report(panel, "The invoice is mended").waitFor();
    await stage.screenshot("report-with-changes");
    await panel.getByRole("button", { name: "Review Changes (2 files)" }).click();
    await stage.page.getByRole("tab", { name: /Changes: Mend the invoice/ }).waitFor();
    await stage.page.locator(".multiDiffEntry").nth(1).waitFor();
    await stage.page.locator(".multiDiffEntry .view-line").getByText("// mended").waitFor();
    await stage.screenshot("review");
  });

  it("reverts the change at the cursor, from the menu of the line", async () => {
    await stage.page
      .locator(".multiDiffEntry .view-line")
      .getByText("// mended")
      .click({ button: "right" });
    await stage.page.getByRole("menuitem", { name: "Revert This Change" }).waitFor();
    await stage.screenshot("review-menu");
    await stage.page.getByRole("menuitem", { name: "Revert This Change" }).click();
    await until(async () => !(await original()).includes("// mended"), "the change is reverted");
    assert.match(await original(), /^\/\/ Invoices\.\n/);
  });

  it("offers every file and change to keep or revert", async () => {
    await stage.page
      .locator(".editor-actions")
      .getByRole("button", { name: "Keep or Revert Changes…" })
      .click();
    const rows = stage.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "docs/invoice.md" }).waitFor();
    await stage.screenshot("review-choose");
    await rows.filter({ hasText: "src/invoice.js" }).click();
    await stage.page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "Keep" })
      .waitFor();
    await stage.screenshot("review-choose-action");
    await stage.page
      .locator(".quick-input-list .monaco-list-row")
      .filter({ hasText: "Keep" })
      .click();
    await rows.filter({ hasText: "docs/invoice.md" }).waitFor();
    await rows.filter({ hasText: "src/invoice.js" }).waitFor({ state: "detached" });
    await stage.page.keyboard.press("Escape");
    await stage.page
      .getByRole("tab", { name: /Changes: Mend the invoice .* \(1 file\)/ })
      .waitFor();
  });

  it("undoes the task, but for what a person has changed since, which it shows", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Add two notes" }),
      call("write_to_file", { path: "docs/one.md", content: "# One\n\nFirst.\n" }),
      call("edit_file", { path: "README.md", old_text: "# tally", new_text: "# Tally" }),
      report("Done", "There are two notes."),
    );
    const readme = await stage.read("README.md");
    await stage.say(panel, "Add two notes");
    await stage.report(panel, "There are two notes").waitFor();
    assert.notEqual(await stage.read("README.md"), readme);
    await stage.write("docs/one.md", "# One\n\nFirst, and mine.\n");
    await stage
      .report(panel, "There are two notes")
      .getByRole("button", { name: /Review/ })
      .click();
    await stage.page.getByRole("tab", { name: /Changes: Add two notes/ }).waitFor();
    await stage.page.locator(".editor-actions").getByRole("button", { name: "Undo Task…" }).click();
    const dialog = stage.page.getByRole("dialog").filter({ hasText: "Undo the changes of" });
    await dialog.waitFor();
    await stage.screenshot("undo-asked");
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await until(async () => (await stage.read("README.md")) === readme, "README.md is restored");
    const notice = stage.page
      .locator(".notifications-toasts")
      .getByText(/docs\/one\.md was changed after/);
    await notice.waitFor();
    await stage.screenshot("undo-left");
    await stage.page.getByRole("button", { name: "Show What Changed Since" }).click();
    await stage.page.getByRole("tab", { name: /Changed since/ }).waitFor();
    await stage.page.locator(".multiDiffEntry .view-line").getByText("First, and mine.").waitFor();
    await stage.screenshot("undo-changed-since");
    assert.equal(await stage.read("docs/one.md"), "# One\n\nFirst, and mine.\n");
  });

  it("finds the changes from the tree, in a dark window, too", async () => {
    await stage.editor.runCommand("workbench.action.toggleLightDarkThemes");
    await stage.row(/^Done, 2/).click();
    const row = stage.row(/^Done, Add two notes/);
    await row.hover();
    await row.getByRole("button", { name: "Review Changes" }).click();
    await stage.page.getByRole("tab", { name: /Changes: Add two notes/ }).waitFor();
    await stage.page
      .locator(".multiDiffEntry .view-line")
      .getByText("First, and mine.")
      .first()
      .waitFor();
    await stage.page.locator(".monaco-workbench.vs-dark").waitFor();
    await stage.screenshot("review-dark");
  });
});

/** Two changes, far from one another. */
function blocks(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [first = "", last = ""] = [lines[0], lines.at(-2)];
  return [
    `<<<<<<< SEARCH\n${first}\n=======\n// Invoices.\n${first}\n>>>>>>> REPLACE`,
    `<<<<<<< SEARCH\n${last}\n=======\n${last} // mended\n>>>>>>> REPLACE`,
  ].join("\n");
}
