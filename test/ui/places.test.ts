import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { report } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("VS Code's own places", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({ own: true }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  /** Returns whether the walkthrough shows the step as done. */
  const isDone = async (step: string): Promise<boolean> => {
    const box = stage.page.locator(
      `.getting-started-step[data-step-id$="#${step}"] [role="checkbox"]`,
    );
    return (await box.getAttribute("aria-checked")) === "true";
  };

  it("opens the walkthrough from the empty panel, and ends a step by what was done", async () => {
    await panel.getByRole("button", { name: "Open the walkthrough" }).press("Enter");
    await stage.page.getByText("Get Started with Rooroo").first().waitFor();
    await until(() => isDone("model"), "the step to pick a model is done: the settings name one");
    assert.equal(await isDone("request"), false);
    await stage.page.getByText("Make your first request").click();
    assert.equal(await isDone("request"), false, "opening a step does not end it");
    await stage.screenshot("walkthrough");

    stage.server.script(report("Done", "It adds up invoices."));
    await stage.say(panel, "/ask What does this project do?");
    await stage.report(panel, "It adds up invoices.").waitFor();
    await until(() => isDone("request"), "the step of the first request is done");
    assert.equal(await isDone("approval"), false);
  });

  const toast = (text: string) => stage.page.locator(".notification-toast", { hasText: text });

  /** Has a request end while `meanwhile` is done. */
  const endingMeanwhile = async (goal: string, meanwhile: () => Promise<unknown>) => {
    let finish: (value: unknown) => void = () => undefined;
    const after = new Promise((resolve) => (finish = resolve));
    stage.server.script({ after, then: report("Done", `${goal}: done.`) });
    await stage.say(panel, `/ask ${goal}`);
    await until(() => stage.server.requests.length === 1, "the expert works");
    await meanwhile();
    finish(undefined);
  };

  it("says that a request is done to somebody who looks elsewhere, once, and to nobody else", async () => {
    assert.equal(
      await stage.page.locator(".notification-toast").count(),
      0,
      "none while looked at",
    );
    await endingMeanwhile("Look around", async () => {
      await stage.runCommand("workbench.view.explorer");
      // Only then has VS Code said that the panel is hidden.
      await until(() => panel.isDetached(), "the panel is hidden");
    });
    await toast("“Look around” is done.").waitFor();
    await stage.screenshot("notice-done");
    await toast("“Look around” is done.").getByRole("button", { name: "Show" }).click();
    panel = await stage.editor.panelFrame();
    await stage.report(panel, "Look around: done.").waitFor();
    await stage.reload();
    panel = await stage.panel();
    await stage.report(panel, "Look around: done.").waitFor();
    assert.equal(await stage.page.locator(".notification-toast").count(), 0, "none after a reload");
  });

  it("puts a link's text into the input, sends nothing, and says where it came from", async () => {
    await stage.runCommand("workbench.view.explorer");
    await stage.runCommand("workbench.action.url.openUrl");
    const url = "code-oss://rooroo.rooroo-navigator/ask?text=Explain%20a%26b%E2%80%AE";
    await stage.page.keyboard.type(url);
    await stage.page.keyboard.press("Enter");
    // VS Code itself asks first.
    await stage.page.getByRole("button", { name: "Open", exact: true }).click();
    await toast("A link has put text into Rooroo's input.").waitFor();
    panel = await stage.editor.panelFrame();
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    await until(async () => (await input.inputValue()) === "Explain a&b⟨U+202E⟩", "the text");
    await stage.screenshot("link");
    assert.equal(stage.server.requests.length, 1, "only the request before");
  });

  const input = () => panel.getByRole("textbox", { name: "Message to the Navigator" });
  it("exports a conversation where the save dialog says", async () => {
    panel = await stage.panel();
    await input().fill("");
    await stage.runCommand("rooroo.exportConversation");
    const name = stage.page.locator(".quick-input-widget:visible input.input");
    await until(async () => (await name.inputValue()).endsWith(".md"), "a name is proposed");
    await name.fill(`${stage.workspace}/told.md`);
    await stage.page.keyboard.press("Enter");
    await stage.page.getByRole("tab", { name: /^told\.md/ }).waitFor();
    assert.match(await stage.read("told.md"), /## You[^]*What does this project do\?/);
    await stage.screenshot("exported");
  });

  it("opens the conversation as a document, from the panel by key, and keeps it up to date", async () => {
    panel = await stage.panel();
    await stage.page.keyboard.press("Alt+F2");
    await stage.page.getByRole("tab", { name: /Rooroo Conversation\.md/ }).waitFor();
    const document = stage.page.locator(".editor-instance .view-lines");
    await document.getByText("## You").last().waitFor();
    stage.server.script(report("Done", "Told in the document."));
    panel = await stage.panel();
    await stage.say(panel, "/ask Tell me");
    await stage.report(panel, "Told in the document.").waitFor();
    await stage.runCommand("rooroo.openAccessibleView");
    await document.getByText("Told in the document.").waitFor();
    await stage.screenshot("accessible-view");
  });
});
