import assert from "node:assert/strict";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { call, report } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("a restore", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  const request = "Shout in the readme";
  const restored = "Restored the files and the conversation to before";
  const said = () => panel.locator(".item[data-kind=user]").filter({ hasText: request });

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
    stage.person.picks("Files and Conversation").clicks("Restore");
    await said().hover();
    await said().getByRole("button", { name: "Restore…" }).click();
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
    // What a process leaves that ends after the restore's first step, the event that says what it will do.
    await stage.reopen(undefined, async () => {
      await rm(tasks, { recursive: true });
      await cp(before, tasks, { recursive: true });
      await stage.write("README.md", loud);
      const [path = ""] = (await stage.list(".rooroo/conversations")).filter((name) =>
        name.endsWith(".jsonl"),
      );
      const lines = (await stage.read(`.rooroo/conversations/${path}`)).split("\n");
      const begun = lines.findIndex((line) => line.includes('"type":"restored"'));
      assert.notEqual(begun, -1);
      const left = lines.slice(0, begun + 1).map((line) => `${line}\n`);
      await stage.write(`.rooroo/conversations/${path}`, left.join(""));
    });
    panel = await stage.panel();
    const notice = stage.notice(panel, "has not finished");
    await notice.getByRole("button", { name: "Undo Restore" }).waitFor();
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
      stage.person.picks("Files and Conversation").clicks("Restore");
      await button.press("Enter");
      const notice = stage.notice(panel, "to before “Write the second note”");
      await notice.getByText("2 tasks are queued again and wait until you proceed.").waitFor();
      const asked = stage.person.messages.findLast(({ isModal }) => isModal);
      assert.match(asked?.text ?? "", /^Restore files and/);
      assert.match(asked?.detail ?? "", /These tasks return to the queue/);
      assert.deepEqual(
        [1, 2, 3].map((number) => stage.has(note(number))),
        [true, false, false],
      );
      assert.equal(await heading(goals[1]!).count(), 0);
      await card().getByText("1 of 3 done · paused").waitFor();
      await stage.row(/^Queued, Write the second note/);
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
      stage.person.picks("Files and Conversation").clicks("Restore");
      await heading(goals[2]!).hover();
      await heading(goals[2]!).getByRole("button", { name: "Restore…" }).click();
      const notice = stage.notice(panel, "to before “Write the third note”");
      await notice.getByText("1 task is queued again").waitFor();
      assert.ok(!stage.has(note(3)));
      await notice.getByRole("button", { name: "Undo Restore" }).click();
      await heading(goals[2]!).waitFor();
      await until(() => stage.has(note(3)), "the third note is there again");
      await card()
        .getByText(/3 of 3 done/)
        .waitFor();
      await stage.extension.noRow(/^Queued/);
      assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
    });
  });
});
