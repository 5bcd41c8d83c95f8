import { strict as assert } from "node:assert";
import type { Locator, Page } from "playwright-core";
import { Position, Range } from "../fakes/vscode/text.js";
import { call, report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

const run = (command: string) => call("execute_command", { command });

describe("approvals on the panel", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({}, async (opened) => {
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
    await field.press("Enter");
    await done("Edited");
    assert.equal(await stage.read("said.txt"), "mine\n");
    assert.match(heard(), /The user changed the command\. What ran instead:\necho mine/);
    await stage.openTurn(panel);
    await panel.getByText("Edited by you: echo mine > said.txt").waitFor();
  });

  it("are decided and stopped by commands, and asked for again when the task is resumed", async () => {
    await task("Keys", run("echo k > k.txt"), run("echo l > l.txt"));
    await card().getByText("echo k > k.txt").waitFor();
    await stage.command("rooroo.allow");
    await card().getByText("echo l > l.txt").waitFor();
    await stage.command("rooroo.deny");
    await done("Keys");
    assert.deepEqual([stage.has("k.txt"), stage.has("l.txt")], [true, false]);

    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Halted" }),
      run("echo m > m.txt"),
    );
    await stage.say(panel, "Halted");
    await card().waitFor();
    await stage.command("rooroo.stop");
    await stage.report(panel, "Stopped").last().waitFor();
    await card().waitFor({ state: "detached" });
    // Its approval is asked for again at the end of the conversation when the task is resumed.
    stage.server.script(report("Done", "Halted: done."));
    await panel.getByRole("button", { name: "Resume" }).last().click();
    await card().waitFor();
    assert.equal(await panel.locator(".items > .item").last().locator(".approval").count(), 1);
    await stage.command("rooroo.allow");
    await done("Halted");
  });

  it("reject with words, which the model hears", async () => {
    const heard = await task("Rejected", run("echo no > no.txt"));
    await press("Deny and Say Why…");
    const field = card().getByRole("textbox", { name: /Why you deny/ });
    await field.fill("Not like this");
    await field.press("Enter");
    await done("Rejected");
    assert.match(heard(), /did not allow this\. They say: Not like this/);
    assert.equal(stage.has("no.txt"), false);
  });

  it("allow for the session, and say at the next call why it was not asked about", async () => {
    await task("Session", run("echo s >> s.txt"), run("echo s >> s.txt"));
    await press("Always Allow…");
    await card().getByText("Exactly this command: echo s >> s.txt").waitFor();
    await press("Until I Close This Window");
    await done("Session");
    assert.equal(await stage.read("s.txt"), "s\ns\n");
    await stage.openTurn(panel);
    const second = panel.getByRole("button", { name: /^Done Run echo s/ }).last();
    await second.click();
    await panel.getByText("You allowed this for this session.").waitFor();
  });

  it("allow for good, over a reload, until it is revoked", async () => {
    await task("Always", run("echo a >> a.txt"));
    await press("Always Allow…");
    await press("Always");
    await done("Always");
    await stage.reopen();
    panel = await stage.panel();
    await task("Still", run("echo a >> a.txt"), run("echo s >> s.txt"));
    // What was allowed for the session only is asked about again.
    await panel.getByRole("group", { name: /Run this command\? Run echo s/ }).waitFor();
    assert.equal(await stage.read("a.txt"), "a\na\n");
    await press("Deny");
    await done("Still");

    stage.person.picks("Exactly this command: echo a >> a.txt");
    await stage.command("rooroo.manageApprovals");
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
    const editor = await until(() => stage.extension.editor.editors.active, "an editor");
    assert.equal(editor.document.getText(), content);
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    await editor.edit((builder) => {
      builder.replace(new Range(new Position(0, 0), end), "export const one = 2;");
    });
    await press("Apply My Version");
    await done("Written");
    assert.equal(await stage.read("one.js"), "export const one = 2;");
    assert.match(
      heard(),
      /The user changed your text[^]*-export const one = 1;[^]*\+export const one = 2;/,
    );
    await stage.openTurn(panel);
    await panel.getByText("With your edits.").waitFor();
    await until(() => !(stage.extension.tab ?? "").includes("one.js"), "the editor is closed");
  });

  it("say so, once, when one waits and the panel is not in sight", async () => {
    const never: { then?: () => void } = {};
    const reply = new Promise<void>((resolve) => (never.then = resolve));
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Unseen" }),
      { after: reply, then: run("echo u > u.txt") },
      report("Done", "Unseen: done."),
    );
    let show: (button: string) => void = () => undefined;
    await stage.say(panel, "Unseen");
    await until(() => stage.server.requests.length > 0 && stage.server.left === 1, "it works");
    await stage.hidePanel();
    const isShown = new Promise<string>((resolve) => (show = resolve));
    stage.person.clicks(isShown);
    never.then?.();
    const told = () =>
      stage.person.said().filter((one) => one.includes("is awaiting your approval"));
    await until(() => told().length > 0, "it is said");
    show("Show");
    const view = stage.extension.editor.webviews.views.get("rooroo.chat");
    await until(() => view?.visible, "the panel is in sight");
    panel = await stage.panel();
    await card().getByText("echo u > u.txt").waitFor();
    assert.equal(told().length, 1);
    await press("Allow");
    await done("Unseen");
  });

  it("ask when a task has used what it may, and end it when the person says so", async () => {
    await stage.reopen({ "rooroo.limits.task": { requests: 1 } });
    panel = await stage.panel();
    await task("Costly", call("list_files", { path: "." }));
    await panel
      .getByText(/has used 1 request\. Go on for another 1 request\?/)
      .first()
      .waitFor();
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
