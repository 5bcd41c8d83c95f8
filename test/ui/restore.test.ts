import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { call, report } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("a restore", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  const request = "Shout in the readme";
  const restored = "Restored the files and the conversation to before";
  const said = (where = panel) =>
    where.locator(".item[data-kind=user]").filter({ hasText: request });
  const asks = () => stage.page.getByRole("dialog").filter({ hasText: "Restore files and" });

  async function shout(): Promise<void> {
    stage.server.script(
      call("edit_file", { path: "README.md", old_text: "# tally", new_text: "# TALLY" }),
      report("Done", "It shouts."),
    );
    await stage.say(panel, `/do ${request}`);
    await stage.report(panel, "It shouts.").waitFor();
    await stage.atRest(panel);
  }

  async function restore(): Promise<void> {
    await said().hover();
    await said().getByRole("button", { name: "Restore…" }).click();
    const rows = stage.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Files and Conversation" }).click();
    await asks().getByRole("button", { name: "Restore", exact: true }).click();
  }

  it("is refused while another window works on the folder, and is shown there, too", async () => {
    const readme = await stage.read("README.md");
    await shout();
    let finish: () => void = () => undefined;
    stage.server.script({
      after: new Promise<void>((resolve) => (finish = resolve)),
      then: report("Done", "The other window is done."),
    });
    const second = await stage.secondWindow();
    await said(second.panel).waitFor();
    await stage.say(second.panel, "/do Work in the other window");
    await stage.row(/^Running, Work in the other window/).waitFor();

    await said().getByRole("button", { name: "Restore…" }).press("Enter");
    await stage.page
      .getByText(/is at work in this folder, perhaps in another/)
      .first()
      .waitFor();
    await stage.screenshot("restore-refused");
    finish();
    await stage.report(panel, "The other window is done.").waitFor();
    await stage.atRest(second.panel);
    await stage.atRest(panel);
    assert.notEqual(await stage.read("README.md"), readme);

    const undone = second.page.getByRole("treeitem", {
      name: /^Done, Shout in the readme.*undone/,
    });
    await second.page.getByRole("treeitem", { name: /^Done, \d/ }).click();
    await second.page.getByRole("treeitem", { name: /^Done, Work in the other window/ }).waitFor();
    assert.equal(await undone.count(), 0);
    const notices = (where: Frame) =>
      where.locator(".notice").filter({ hasText: "1 file restored." });
    await restore();
    for (const where of [panel, second.panel]) {
      await until(async () => (await notices(where).count()) === 1, "it is shown");
      assert.equal(await said(where).count(), 0);
    }
    assert.equal(await stage.read("README.md"), readme);
    await until(async () => (await undone.count()) === 1, "the second window's list shows it");
    await second.page.screenshot({ path: stage.screenshotPath("restore-second-window") });

    await stage
      .notice(second.panel, restored)
      .getByRole("button", { name: "Undo Restore" })
      .click();
    await said(second.panel).waitFor();
    await said().waitFor();
    await until(async () => (await stage.read("README.md")) !== readme, "the readme shouts again");
    await second.page.close();
  });
});
