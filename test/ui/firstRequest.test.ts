import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("a person's first request", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({}, (opened) => {
    stage = opened;
  });

  it("begins at a panel that says what to do", async () => {
    panel = await stage.panel();
    await panel.getByText("What should we work on?").waitFor();
    await stage.screenshot("welcome");
    assert.ok(!stage.has(".rooroo"), "looking leaves nothing in the workspace");

    await stage.page.keyboard.type("A test fails. ");
    await stage.runCommand("workbench.action.focusStatusBar");
    await stage.runCommand("rooroo.newRequest");
    await until(() => panel.evaluate(() => document.hasFocus()), "the panel has the focus");
    await stage.page.keyboard.type("Please mend it.");
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    assert.equal(await input.inputValue(), "A test fails. Please mend it.");
  });
});
