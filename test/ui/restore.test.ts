import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { call, report } from "../modelServer/modelServer.js";
import type { Stage } from "./stage.js";
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
  const said = () => panel.locator(".item[data-kind=user]").filter({ hasText: request });
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

  it("that a crash cut off says so afterwards, and is finished when the user wants it", async () => {
    const readme = await stage.read("README.md");
    await shout();
    const loud = await stage.read("README.md");
    assert.notEqual(loud, readme);
    const tasks = join(stage.workspace, ".rooroo", "tasks");
    const before = join(stage.workspace, "..", "tasks before the restore");
    await cp(tasks, before, { recursive: true });
    await restore();
    await stage.notice(panel, restored).waitFor();
    await stage.editor.crash();
    // What a process leaves that ends after the restore's first step, the event that says what it will do.
    await rm(tasks, { recursive: true });
    await cp(before, tasks, { recursive: true });
    await stage.write("README.md", loud);
    const [path = ""] = (await stage.list(".rooroo/conversations")).filter((name) =>
      name.endsWith(".jsonl"),
    );
    const lines = (await stage.read(`.rooroo/conversations/${path}`)).split("\n");
    const begun = lines.findIndex((line) => line.includes('"type":"restored"'));
    const left = lines.slice(0, begun + 1).map((line) => `${line}\n`);
    await stage.write(`.rooroo/conversations/${path}`, left.join(""));
    await stage.reopen();
    panel = await stage.panel();
    const notice = stage.notice(panel, "has not finished");
    await notice.getByRole("button", { name: "Undo Restore" }).waitFor();
    await stage.screenshot("restore-cut-off");
    assert.equal(await said().count(), 0);
    await notice.getByRole("button", { name: "Finish Restore" }).click();
    await stage.notice(panel, restored).getByText("1 file restored.").waitFor();
    assert.equal(await stage.read("README.md"), readme);
    assert.equal(await panel.getByRole("button", { name: "Finish Restore" }).count(), 0);
  });
});
