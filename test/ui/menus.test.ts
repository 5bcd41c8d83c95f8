import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { report } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

const files = { "prices.json": '{\n  "apple": 1,\n  "pear": oops\n}\n' };

describe("Rooroo in VS Code's own menus", () => {
  let stage: Stage;
  let panel: Frame;
  // So that a terminal's text stands in the page.
  const settings = { "terminal.integrated.gpuAcceleration": "off" };
  useStage({ files, settings }, async (opened) => {
    stage = opened;
    // A terminal's selection is told by the clipboard, for which a browser asks.
    await stage.editor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    panel = await stage.panel();
  });

  const chips = () => panel.locator("rooroo-composer .chips .chip");
  /** Waits for an attachment in the input, and takes it out again. */
  const attached = async (label: string | RegExp) => {
    panel = await stage.editor.panelFrame();
    await chips().filter({ hasText: label }).waitFor();
    assert.equal(await chips().count(), 1);
    await panel.getByRole("button", { name: /^Remove / }).click();
    await chips().waitFor({ state: "detached" });
  };

  const tab = (name: string) => stage.page.getByRole("tab", { name: RegExp(`^${name}`) });
  const word = (text: string) => stage.page.locator(".editor-instance .view-line").getByText(text);

  it("adds a file of the Explorer", async () => {
    await stage.runCommand("workbench.view.explorer");
    await stage.chooseFromMenu(stage.row(/^package\.json/), "Add to Rooroo");
    await attached("package.json");
  });

  it("adds a tab's file, and what is selected in an editor", async () => {
    await stage.openFile("prices.json");
    await stage.chooseFromMenu(tab("prices.json"), "Add to Rooroo");
    await attached("prices.json");
    await word("apple").dblclick();
    await stage.chooseFromMenu(word("apple"), "Add to Rooroo");
    await attached(/prices\.json.*2/);
  });

  it("fixes a problem from its quick fixes, at once", async () => {
    await stage.openFile("prices.json");
    await stage.page.locator(".editor-instance .squiggly-error").first().waitFor();
    await word("pear").click();
    await stage.runCommand("editor.action.marker.next");
    const problem = stage.page.locator(".marker-widget");
    await problem.waitFor();
    await stage.runCommand("closeMarkersNavigation");
    await problem.waitFor({ state: "hidden" });
    await stage.runCommand("editor.action.quickFix");
    const entry = (name: string) =>
      stage.page.locator(".action-widget .monaco-list-row", { hasText: name });
    await entry("Explain with Rooroo").waitFor();
    await stage.screenshot("quick-fix");
    stage.server.script(report("Done", "The price is a number now."));
    await entry("Fix with Rooroo").click();
    panel = await stage.editor.panelFrame();
    await stage.report(panel, "The price is a number now.").waitFor();
    const told = JSON.stringify(stage.server.requests[0]?.messages);
    assert.match(told, /Fix this problem\./);
    assert.match(told, /prices\.json/);
    assert.match(told, /oops/);
  });

  it("explains what is selected in an editor, at once", async () => {
    await stage.openFile("prices.json");
    await word("apple").dblclick();
    stage.server.script(report("Done", "It is the price of an apple."));
    await stage.chooseFromMenu(word("apple"), "Explain with Rooroo");
    panel = await stage.editor.panelFrame();
    await stage.report(panel, "It is the price of an apple.").waitFor();
    assert.match(JSON.stringify(stage.server.requests[0]?.messages), /Explain this code\./);
  });

  it("adds a change of Source Control, and all of them", async () => {
    await stage.runCommand("workbench.view.scm");
    await stage.chooseFromMenu(stage.row(/^prices\.json/), "Add to Rooroo");
    await attached("prices.json");
    await stage.runCommand("workbench.view.scm");
    await stage.chooseFromMenu(stage.row(/^Changes/).first(), "Add to Rooroo");
    await attached(/changes/i);
  });

  it("adds what is selected in the terminal", async () => {
    await stage.runCommand("workbench.action.terminal.new");
    const terminal = stage.page.locator(".terminal.xterm").last();
    await terminal.waitFor();
    await stage.page.keyboard.type("echo told by$((1 + 1))the terminal");
    await stage.page.keyboard.press("Enter");
    await until(
      async () => (await terminal.innerText()).includes("by2the"),
      "the terminal has answered",
    );
    await stage.runCommand("workbench.action.terminal.selectAll");
    await stage.chooseFromMenu(terminal, "Add Terminal Selection to Rooroo");
    await attached(/terminal/i);
  });
});
