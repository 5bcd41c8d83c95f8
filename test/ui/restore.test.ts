import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
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
    await stage.crash();
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

  describe("to before a task of a plan", () => {
    const goals = ["Write the first note", "Write the second note", "Write the third note"];
    const note = (number: number) => `docs/note-${number}.md`;
    const writes = (number: number, content: string) => [
      call("write_to_file", { path: note(number), content }),
      report("Done", `Note ${number} is written.`),
    ];
    const heading = (goal: string) =>
      panel.locator(".item[data-kind=task]").filter({ hasText: goal });
    const card = () => panel.getByRole("region", { name: /^Plan: Write three notes/ });

    before(async () => {
      stage.server.script(
        report("Done", "One note after the other.", {
          queue_tasks_json_lines: goals.map((goal) => ({
            suggested_mode: "rooroo-developer",
            goal_for_expert: goal,
          })),
        }),
        ...writes(1, "one\n"),
        ...writes(2, "two\n"),
        ...writes(3, "three\n"),
      );
      await stage.say(panel, "/plan Write three notes");
      await stage.report(panel, "Note 3 is written.").waitFor();
      await stage.atRest(panel);
    });

    it("by keyboard: files are restored, and it and the later ones wait in the queue", async () => {
      const button = heading(goals[1]!).getByRole("button", { name: "Restore…" });
      await button.focus();
      await stage.screenshot("restore-task-offered");
      await button.press("Enter");
      const rows = stage.page.locator(".quick-input-list .monaco-list-row");
      await rows.filter({ hasText: "Files and Conversation" }).waitFor();
      await stage.screenshot("restore-task-choose");
      await stage.page.keyboard.press("Enter");
      await asks()
        .getByText(/These tasks return to the queue/)
        .waitFor();
      await stage.screenshot("restore-task-asked");
      await stage.page.keyboard.press("Enter");
      const notice = stage.notice(panel, "to before “Write the second note”");
      await notice.getByText("2 tasks are queued again and wait until you proceed.").waitFor();
      assert.deepEqual(
        [1, 2, 3].map((number) => stage.has(note(number))),
        [true, false, false],
      );
      assert.equal(await heading(goals[1]!).count(), 0);
      await card().getByText("1 of 3 done · paused").waitFor();
      await stage.row(/^Queued, Write the second note/).waitFor();
      await stage.screenshot("restore-task-done");
    });

    it("so that they are done anew when the user goes on, and it can be undone", async () => {
      stage.server.script(...writes(2, "second\n"), ...writes(3, "third\n"));
      await card().getByRole("button", { name: "Resume" }).click();
      await stage.report(panel, "Note 3 is written.").waitFor();
      await stage.atRest(panel);
      assert.equal(await stage.read(note(2)), "second\n");
      assert.equal(
        await card()
          .getByText(/3 of 3 done/)
          .count(),
        1,
      );
      await heading(goals[2]!).hover();
      await heading(goals[2]!).getByRole("button", { name: "Restore…" }).click();
      const rows = stage.page.locator(".quick-input-list .monaco-list-row");
      await rows.filter({ hasText: "Files and Conversation" }).click();
      await asks().getByRole("button", { name: "Restore", exact: true }).click();
      const notice = stage.notice(panel, "to before “Write the third note”");
      await notice.getByText("1 task is queued again").waitFor();
      assert.ok(!stage.has(note(3)));
      await notice.getByRole("button", { name: "Undo Restore" }).click();
      await heading(goals[2]!).waitFor();
      await until(() => stage.has(note(3)), "the third note is there again");
      await card()
        .getByText(/3 of 3 done/)
        .waitFor();
      await stage
        .row(/^Queued/)
        .first()
        .waitFor({ state: "detached" });
      assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
      await stage.screenshot("restore-task-undone");
    });
  });

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

    // The first test's task is among them.
    const undone = second.page.getByRole("treeitem", {
      name: /^Done, Shout in the readme.*undone/,
    });
    await second.page.getByRole("treeitem", { name: /^Done, \d/ }).click();
    await second.page.getByRole("treeitem", { name: /^Done, Work in the other window/ }).waitFor();
    const earlier = await undone.count();
    // The first test's notice is there already.
    const notices = (where: Frame) =>
      where.locator(".notice").filter({ hasText: "1 file restored." });
    const before = await notices(panel).count();
    await restore();
    for (const where of [panel, second.panel]) {
      await until(async () => (await notices(where).count()) === before + 1, "it is shown");
      assert.equal(await said(where).count(), 0);
    }
    assert.equal(await stage.read("README.md"), readme);
    await until(
      async () => (await undone.count()) === earlier + 1,
      "the second window's list shows it",
    );
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
