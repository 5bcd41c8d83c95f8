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
    const told = stage.report(panel, "There are two notes");
    await told.getByRole("heading", { name: /Undone/ }).waitFor();
    await told.getByRole("button", { name: "docs/one.md" }).waitFor();
    await stage.row(/^Done, 2/).click();
    await stage.row(/^Done, Add two notes.*undone/).waitFor();
    await panel.getByRole("group", { name: "Changes" }).getByText("1 file changed").waitFor();
  });

  it("finds the changes from the tree, in a dark window, too", async () => {
    await stage.runCommand("workbench.action.toggleLightDarkThemes");
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

  const said = (text: string) => panel.locator(".item[data-kind=user]").filter({ hasText: text });

  it("restores files and conversation to before a message, and undoes that, by mouse", async () => {
    const readme = await stage.read("README.md");
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Shout in the readme" }),
      call("edit_file", { path: "README.md", old_text: "# tally", new_text: "# TALLY" }),
      call("write_to_file", { path: "docs/loud.md", content: "# LOUD\n" }),
      report("Done", "It shouts."),
    );
    panel = await stage.panel();
    await stage.say(panel, "Shout in the readme");
    await stage.report(panel, "It shouts.").waitFor();
    await stage.atRest(panel);
    await said("Shout in the readme").hover();
    await said("Shout in the readme").getByRole("button", { name: "Restore…" }).click();
    const rows = stage.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Files and Conversation" }).waitFor();
    await stage.screenshot("restore-choose");
    await rows.filter({ hasText: "Files and Conversation" }).click();
    const dialog = stage.page.getByRole("dialog").filter({ hasText: "Restore files and" });
    await dialog.getByText(/docs\/loud\.md \(removed\)/).waitFor();
    await stage.screenshot("restore-asked");
    assert.notEqual(await stage.read("README.md"), readme);
    await dialog.getByRole("button", { name: "Restore", exact: true }).click();
    const notice = stage.notice(panel, "Restored the files and the conversation to before");
    await notice.getByText("2 files restored.").waitFor();
    assert.equal(await stage.read("README.md"), readme);
    assert.ok(!stage.has("docs/loud.md"));
    assert.equal(await said("Shout in the readme").count(), 0);
    await stage.screenshot("restored");
    await notice.getByRole("button", { name: "Undo Restore" }).click();
    await said("Shout in the readme").waitFor();
    await until(() => stage.has("docs/loud.md"), "the file is there again");
    assert.notEqual(await stage.read("README.md"), readme);
    await stage.report(panel, "It shouts.").getByRole("heading", { name: /Done/ }).waitFor();
  });

  it("sends an edited message in place of what it was, by keyboard", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Whisper" }),
      report("Done", "It whispers:\n\n```js\nwhisper();\n```"),
    );
    panel = await stage.panel();
    await said("Shout in the readme").getByRole("button", { name: "Edit" }).press("Enter");
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    await panel.getByText("Editing an earlier message").waitFor();
    assert.equal(await input.inputValue(), "Shout in the readme");
    await stage.screenshot("edit-message");
    await input.fill("Whisper in the readme");
    await input.press("Enter");
    await stage.page.getByRole("dialog").filter({ hasText: "Send the edited message" }).waitFor();
    await stage.screenshot("edit-asked");
    await stage.page.keyboard.press("Enter");
    await stage.report(panel, "It whispers").waitFor();
    await said("Whisper in the readme").waitFor();
    assert.equal(await said("Shout in the readme").count(), 0);
    assert.ok(!stage.has("docs/loud.md"));
  });

  it("inserts code at the cursor of the editor", async () => {
    await stage.page.keyboard.press("Escape");
    await stage.runCommand("workbench.action.closeAllEditors");
    await stage.report(panel, "It whispers").waitFor();
    const insert = panel.getByRole("button", { name: "Insert at Cursor" });
    await insert.press("Enter");
    await panel.getByRole("alert").getByText("There is no text editor to insert into").waitFor();
    await stage.runCommand("workbench.action.files.newUntitledFile");
    await stage.page.locator(".editor-instance .view-lines").first().waitFor();
    await insert.press("Enter");
    await stage.page.locator(".editor-instance .view-line").getByText("whisper();").waitFor();
    await stage.screenshot("inserted");
  });
});

/** Returns two changes, far from one another. */
function blocks(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [first = "", last = ""] = [lines[0], lines.at(-2)];
  return [
    `<<<<<<< SEARCH\n${first}\n=======\n// Invoices.\n${first}\n>>>>>>> REPLACE`,
    `<<<<<<< SEARCH\n${last}\n=======\n${last} // mended\n>>>>>>> REPLACE`,
  ].join("\n");
}
