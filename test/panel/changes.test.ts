import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import type { ShownMessage } from "../fakes/vscode/person.js";
import { Selection } from "../fakes/vscode/text.js";
import { call, report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("reviewing what an expert has changed", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  const original = () => stage.read("src/invoice.js");
  const tab = (title: RegExp) =>
    until(() => title.test(stage.extension.tab ?? ""), `a tab ${String(title)} is in front`);
  const message = (text: RegExp): Promise<ShownMessage> =>
    until(
      () => stage.person.messages.findLast((one) => text.test(one.text)),
      `a message ${String(text)}`,
    );

  it("opens all changes of the task from its report", async () => {
    const before = await original();
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Mend the invoice" }),
      call("apply_diff", { path: "src/invoice.js", diff: blocks(before) }),
      call("write_to_file", { path: "docs/invoice.md", content: "# Invoices\n\nAs they are.\n" }),
      report("Done", "The invoice is mended."),
    );
    await stage.say(panel, "Mend the invoice");
    await stage.report(panel, "The invoice is mended").waitFor();
    assert.deepEqual(stage.extension.menu("editor/title"), [], "no buttons without a review");
    await panel.getByRole("button", { name: "Review Changes (2 files)" }).click();
    await tab(/^Changes: Mend the invoice .* \(2 files\)$/);
    const [written = "", was = "", is = "", ...more] = await stage.extension.shownTexts();
    assert.deepEqual(more, []);
    assert.equal(written, "# Invoices\n\nAs they are.\n");
    assert.equal(was, before);
    assert.match(is, /^\/\/ Invoices\.\n[^]*\/\/ mended/);
  });

  it("offers every file and change to keep or revert", async () => {
    await until(
      () => stage.extension.menu("editor/title").includes("rooroo.keepOrRevertChanges"),
      "the button is there",
    );
    stage.person.picks(
      (files) => {
        assert.ok(files.some(({ label }) => label.includes("docs/invoice.md")));
        return /src\/invoice\.js/;
      },
      /Keep/,
      (files) => {
        assert.ok(files.some(({ label }) => label.includes("docs/invoice.md")));
        assert.ok(!files.some(({ label }) => label.includes("src/invoice.js")));
        return undefined;
      },
    );
    await stage.command("rooroo.keepOrRevertChanges");
    await tab(/^Changes: Mend the invoice .* \(1 file\)$/);
    assert.match(await original(), /\/\/ mended/);
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
    const told = stage.report(panel, "There are two notes");
    await told.waitFor();
    assert.notEqual(await stage.read("README.md"), readme);
    await stage.write("docs/one.md", "# One\n\nFirst, and mine.\n");
    await told.getByRole("button", { name: /Review/ }).click();
    await tab(/^Changes: Add two notes/);
    await until(
      () => stage.extension.menu("editor/title").includes("rooroo.undoTask"),
      "the button is there",
    );
    stage.person.clicks("Undo", "Show What Changed Since");
    await stage.command("rooroo.undoTask");
    assert.ok((await message(/^Undo the changes of “Add two notes”/)).isModal);
    assert.equal(await stage.read("README.md"), readme);
    assert.deepEqual((await message(/docs\/one\.md was changed after/)).buttons, [
      "Show What Changed Since",
    ]);
    await tab(/^Changed since/);
    assert.deepEqual(await stage.extension.shownTexts(), [
      "# One\n\nFirst.\n",
      "# One\n\nFirst, and mine.\n",
    ]);
    assert.equal(await stage.read("docs/one.md"), "# One\n\nFirst, and mine.\n");
    await told.getByRole("heading", { name: /Undone/ }).waitFor();
    await told.getByRole("button", { name: "docs/one.md" }).waitFor();
    await stage.row(/^Done, Add two notes.*undone/);
    await panel.getByRole("group", { name: "Changes" }).getByText("1 file changed").waitFor();
  });

  it("finds the changes from the tree", async () => {
    await stage.command("workbench.action.closeAllEditors");
    await stage.extension.choose(/^Done, Add two notes/, "rooroo.reviewChanges");
    await tab(/^Changes: Add two notes/);
    assert.ok((await stage.extension.shownTexts()).includes("# One\n\nFirst, and mine.\n"));
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
    await stage.say(panel, "Shout in the readme");
    await stage.report(panel, "It shouts.").waitFor();
    await stage.atRest(panel);
    stage.person.picks("Files and Conversation").clicks("Restore");
    await said("Shout in the readme").hover();
    await said("Shout in the readme").getByRole("button", { name: "Restore…" }).click();
    const asked = await message(/^Restore files and/);
    assert.ok(asked.isModal);
    assert.match(asked.detail ?? "", /docs\/loud\.md \(removed\)/);
    const notice = stage.notice(panel, "Restored the files and the conversation to before");
    await notice.getByText("2 files restored.").waitFor();
    assert.equal(await stage.read("README.md"), readme);
    assert.ok(!stage.has("docs/loud.md"));
    assert.equal(await said("Shout in the readme").count(), 0);
    await notice.getByRole("button", { name: "Undo Restore" }).click();
    await said("Shout in the readme").waitFor();
    await until(() => stage.has("docs/loud.md"), "the file is there again");
    assert.notEqual(await stage.read("README.md"), readme);
    await stage.report(panel, "It shouts.").getByRole("heading", { name: /Done/ }).waitFor();
  });

  it("restores nothing before it is confirmed", async () => {
    stage.person.picks("Files and Conversation").clicks(undefined);
    const count = stage.person.messages.length;
    await said("Shout in the readme").hover();
    await said("Shout in the readme").getByRole("button", { name: "Restore…" }).click();
    await until(() => stage.person.messages.length > count, "it is asked");
    assert.match(stage.person.messages.at(-1)?.text ?? "", /^Restore files and/);
    assert.ok(stage.has("docs/loud.md"));
    assert.equal(await said("Shout in the readme").count(), 1);
  });

  it("sends an edited message in place of what it was, by keyboard", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Whisper" }),
      report("Done", "It whispers:\n\n```js\nwhisper();\n```"),
    );
    await said("Shout in the readme").getByRole("button", { name: "Edit" }).press("Enter");
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    await panel.getByText("Editing an earlier message").waitFor();
    assert.equal(await input.inputValue(), "Shout in the readme");
    await input.fill("Whisper in the readme");
    stage.person.clicks("Restore Files and Send");
    await input.press("Enter");
    // The first button is the one that Enter presses.
    const asked = await message(/^Send the edited message in place of “Shout in the readme”/);
    assert.ok(asked.isModal);
    assert.equal(asked.buttons[0], "Restore Files and Send");
    await stage.report(panel, "It whispers").waitFor();
    await said("Whisper in the readme").waitFor();
    assert.equal(await said("Shout in the readme").count(), 0);
    assert.ok(!stage.has("docs/loud.md"));
  });

  it("inserts code at the cursor of the editor", async () => {
    await stage.command("workbench.action.closeAllEditors");
    await stage.report(panel, "It whispers").waitFor();
    const insert = panel.getByRole("button", { name: "Insert at Cursor" });
    await insert.press("Enter");
    await panel.getByRole("alert").getByText("There is no text editor to insert into").waitFor();
    const { documents, editors } = stage.extension.editor;
    const editor = await editors.show(await documents.open({ content: "one\nthree\n" }));
    editors.select(new Selection(1, 0, 1, 0));
    await insert.press("Enter");
    await until(() => editor.document.getText().includes("whisper();"), "the code is there");
    assert.match(editor.document.getText(), /^one\nwhisper\(\);\n*three\n$/);
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
