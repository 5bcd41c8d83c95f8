import { strict as assert } from "node:assert";
import type { Frame, Locator } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

const run = (command: string) => call("execute_command", { command });

describe("approvals on the panel", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  /** Lets a developer make these calls; answers with what the model heard of the last. */
  async function task(goal: string, ...calls: ReturnType<typeof call>[]): Promise<() => string> {
    let heard = "";
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal }),
      ...calls,
      (request) => {
        heard = JSON.stringify(request.messages.at(-1)?.content).replaceAll("\\n", "\n");
        return report("Done", `${goal}: done.`);
      },
    );
    await stage.say(panel, goal);
    return () => heard;
  }
  const done = (goal: string): Promise<void> => stage.report(panel, `${goal}: done.`).waitFor();
  const card = (): Locator => panel.locator(".dock");
  const press = (name: string | RegExp): Promise<void> =>
    card().getByRole("button", { name, exact: true }).click();

  it("run the command that was written instead, and say so to person and model", async () => {
    const heard = await task("Edited", run("echo proposed > said.txt"));
    await card().getByText("It writes to said.txt.").waitFor();
    await press("Edit…");
    const field = card().getByRole("textbox", { name: "Command to run instead" });
    assert.equal(await field.inputValue(), "echo proposed > said.txt");
    await field.fill("echo mine > said.txt");
    await stage.screenshot("approval-edit-command");
    await field.press("Enter");
    await done("Edited");
    assert.equal(await stage.read("said.txt"), "mine\n");
    assert.match(heard(), /The user changed the command\. What ran instead:\necho mine/);
    await stage.openTurn(panel);
    await panel.getByText("Edited by you: echo mine > said.txt").waitFor();
  });

  it("decide by keys, from the input and from the palette, and stop by keys", async () => {
    await task("Keys", run("echo k > k.txt"), run("echo l > l.txt"));
    await card().getByText("echo k > k.txt").waitFor();
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    await input.press("ControlOrMeta+Enter");
    await card().getByText("echo l > l.txt").waitFor();
    await stage.editor.runCommand("rooroo.deny");
    await done("Keys");
    assert.deepEqual([stage.has("k.txt"), stage.has("l.txt")], [true, false]);

    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Halted" }),
      run("echo m > m.txt"),
    );
    await stage.say(panel, "Halted");
    await card().waitFor();
    await input.press("Shift+Escape");
    await stage.report(panel, "Stopped").last().waitFor();
    await card().waitFor({ state: "detached" });
    // Its approval is asked for again at the end of the conversation when the task is resumed.
    stage.server.script(report("Done", "Halted: done."));
    await panel.getByRole("button", { name: "Resume" }).last().click();
    await card().waitFor();
    assert.equal(await panel.locator(".items > .item").last().locator(".approval").count(), 1);
    await input.press("ControlOrMeta+Enter");
    await done("Halted");
  });

  it("reject with words, which the model hears", async () => {
    const heard = await task("Rejected", run("echo no > no.txt"));
    await press("Deny and Say Why…");
    const field = card().getByRole("textbox", { name: /Why you deny/ });
    await field.fill("Not like this");
    await stage.screenshot("approval-deny-why");
    await field.press("Enter");
    await done("Rejected");
    assert.match(heard(), /did not allow this\. They say: Not like this/);
    assert.equal(stage.has("no.txt"), false);
  });

  it("allow for the session, and say at the next call why it was not asked about", async () => {
    await task("Session", run("echo s >> s.txt"), run("echo s >> s.txt"));
    await press("Always Allow…");
    await card().getByText("Exactly this command: echo s >> s.txt").waitFor();
    await stage.screenshot("approval-scopes");
    await press("Until I Close This Window");
    await done("Session");
    assert.equal(await stage.read("s.txt"), "s\ns\n");
    await stage.openTurn(panel);
    const second = panel.getByRole("button", { name: /^Done Run echo s/ }).last();
    await second.click();
    await panel.getByText("You allowed this for this session.").waitFor();
    await stage.screenshot("approval-why-allowed");
  });

  it("allow for good, over a reload, until it is revoked", async () => {
    await task("Always", run("echo a >> a.txt"));
    await press("Always Allow…");
    await press("Always");
    await done("Always");
    await stage.reload();
    panel = await stage.panel();
    await task("Still", run("echo a >> a.txt"), run("echo s >> s.txt"));
    // What was allowed for the session only is asked about again.
    await panel.getByRole("group", { name: /Run this command\? Run echo s/ }).waitFor();
    assert.equal(await stage.read("a.txt"), "a\na\n");
    await press("Deny");
    await done("Still");

    const revoking = stage.runCommand("rooroo.manageApprovals");
    const pick = stage.page.locator(".quick-input-widget");
    await pick.getByText("Exactly this command: echo a >> a.txt").click();
    await stage.screenshot("manage-approvals");
    await stage.page.keyboard.press("Enter");
    await revoking;
    await task("Revoked", run("echo a >> a.txt"));
    await press("Deny");
    await done("Revoked");
    assert.equal(await stage.read("a.txt"), "a\na\n");
  });

  it("write the text that the person made of it in an editor", async () => {
    const content = "export const one = 1;\n";
    const heard = await task("Written", call("write_to_file", { path: "one.js", content }));
    await press("Edit in Editor…");
    await card().getByText("The text is open in the editor.").waitFor();
    const editor = stage.page.locator(".editor-instance .monaco-editor").last();
    await editor.locator(".view-lines").getByText("one").first().click();
    await stage.page.keyboard.press("ControlOrMeta+a");
    await stage.page.keyboard.type("export const one = 2;");
    await stage.screenshot("approval-edit-file");
    await press("Apply My Version");
    await done("Written");
    assert.equal(await stage.read("one.js"), "export const one = 2;");
    assert.match(
      heard(),
      /The user changed your text[^]*-export const one = 1;[^]*\+export const one = 2;/,
    );
    await stage.openTurn(panel);
    await panel.getByText("With your edits.").waitFor();
    await until(
      async () => (await stage.page.getByRole("tab", { name: /one\.js/ }).count()) === 0,
      "the editor of the proposal is closed",
    );
  });

  it("say so, once, when one waits and the panel is not in sight", async () => {
    const never: { then?: () => void } = {};
    const reply = new Promise<void>((resolve) => (never.then = resolve));
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Unseen" }),
      { after: reply, then: run("echo u > u.txt") },
      report("Done", "Unseen: done."),
    );
    await stage.say(panel, "Unseen");
    await until(() => stage.server.requests.length > 0 && stage.server.left === 1, "it works");
    await stage.runCommand("workbench.view.explorer");
    never.then?.();
    const notice = stage.page.locator(".notification-toast", {
      hasText: "is awaiting your approval",
    });
    await notice.waitFor();
    await stage.screenshot("approval-notification");
    assert.equal(await notice.count(), 1);
    await notice.getByRole("button", { name: "Show" }).click();
    panel = await stage.editor.panelFrame();
    await press("Allow");
    await done("Unseen");
  });

  it("are part of the whole way without a mouse: request, approval, review, undo, proceed", async () => {
    const { keyboard } = stage.page;
    const focused = () =>
      panel.evaluate(() => {
        const { activeElement: at } = document;
        return at?.getAttribute("aria-label") ?? at?.textContent.trim() ?? "";
      });
    const isInInput = async () =>
      (await panel.evaluate(() => document.hasFocus() && document.body.dataset["keys"] === "on")) &&
      (await focused()).startsWith("Message");
    /** Goes to the input by its key, unless the focus is there: what is typed while it moves is lost. */
    const toInput = async () => {
      if (!(await isInInput())) await keyboard.press("Control+Alt+J");
      await until(isInInput, "the focus is in the input");
    };
    /** Goes back from the input until the focus is on the button. */
    const backTo = async (button: string) => {
      await toInput();
      for (let steps = 0; (await focused()) !== button; steps++) {
        assert.ok(steps < 20, `no way to ${button}`);
        await keyboard.press("Shift+Tab");
      }
    };
    const type = async (text: string) => {
      await toInput();
      await keyboard.type(text);
      await keyboard.press("Enter");
    };
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Note it" }),
      call("write_to_file", { path: "noted.md", content: "# Noted\n" }),
      report("Done", "It is noted."),
    );
    await type("Note it");
    await panel.getByRole("button", { name: "Allow", exact: true }).waitFor();
    await toInput();
    await keyboard.press("Control+Enter");
    await stage.report(panel, "It is noted.").waitFor();
    // Not those of the task before, which are shown until these are known.
    const changes = panel.getByRole("group", { name: "Changes" });
    await changes.and(panel.getByTitle("Note it")).waitFor();
    await backTo("Review");
    await keyboard.press("Enter");
    await stage.page.getByRole("tab", { name: /Changes: Note it/ }).waitFor();
    await backTo("Undo");
    await keyboard.press("Enter");
    await stage.page.getByRole("dialog").filter({ hasText: "Undo the changes of" }).waitFor();
    await keyboard.press("Enter");
    await until(() => !stage.has("noted.md"), "the change is undone");
    await stage.screenshot("without-a-mouse");
    await stage.write(
      ".rooroo/queue.jsonl",
      '{"taskId":"ROO#TASK_20260102030405_AB12C9","suggested_mode":"rooroo-analyzer","goal_for_expert":"List them"}\n',
    );
    await panel.getByText("1 queued").waitFor();
    stage.server.script(report("Done", "Listed."));
    await type("proceed");
    await stage.report(panel, "Listed.").waitFor();
  });

  it("ask when a task has used what it may, and end it when the person says so", async () => {
    await stage.configure({ "rooroo.limits.task": { requests: 1 } });
    await stage.reload();
    panel = await stage.panel();
    await task("Costly", call("list_files", { path: "." }));
    await panel
      .getByText(/has used 1 request\. Go on for another 1 request\?/)
      .first()
      .waitFor();
    await stage.screenshot("approval-limit");
    await press("Continue");
    await done("Costly");

    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Stopped" }),
      call("list_files", { path: "." }),
    );
    await stage.say(panel, "Stopped");
    await press("Stop");
    await stage.notice(panel, "The task waits where it stopped.").waitFor();
  });
});
