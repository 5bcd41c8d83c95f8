import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
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

  it("mends the failing test, asking before it changes or runs anything", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Make the failing test pass" }),
      {
        say: "I run the tests first.",
        calls: [{ name: "execute_command", args: { command: "node --test" } }],
      },
      call("read_file", { path: "src/invoice.js" }),
      {
        say: "The tax is taken from the **whole** subtotal; the discount must come off first.",
        calls: [
          {
            name: "edit_file",
            args: {
              path: "src/invoice.js",
              old_text: "percentOf(subtotal, taxPercent)",
              new_text: "percentOf(subtotal - discount, taxPercent)",
            },
          },
        ],
      },
      call("execute_command", { command: "node --test" }),
      report("Done", "Fixed `src/invoice.js`: all tests pass.", {
        output_artifact_paths: ["src/invoice.js"],
      }),
    );
    await stage.page.keyboard.press("Enter");

    await panel.getByRole("group", { name: /^Run this command\?/ }).waitFor();
    await stage.row(/^Needs You, .*awaiting your approval/).waitFor();
    await stage.screenshot("approve-command");
    // Whoever looks elsewhere sees that they are waited for, and one click brings them back.
    await stage.runCommand("workbench.view.explorer");
    await stage.page.locator(".activitybar .badge-content").getByText("1").first().waitFor();
    await stage.screenshot("approval-while-hidden");
    await stage.statusBar.click();
    panel = await stage.editor.panelFrame();
    // The same command need not be asked for again.
    await panel.getByRole("button", { name: "Always Allow…" }).click();
    await panel.getByRole("button", { name: "In This Task", exact: true }).click();

    const change = panel.getByRole("group", { name: /^Make this change\?/ });
    await change.waitFor();
    await stage.screenshot("approve-change");
    assert.match(await stage.read("src/invoice.js"), /percentOf\(subtotal, taxPercent\)/);
    await change.getByRole("button", { name: "Allow", exact: true }).click();

    await stage.report(panel, "all tests pass").waitFor();
    assert.match(await stage.read("src/invoice.js"), /percentOf\(subtotal - discount/);
    const last = stage.server.requests.at(-1)?.messages.at(-1);
    assert.match(JSON.stringify(last), /fail 0/);
    await stage.screenshot("direct-task-done");
  });

  it("opens the file that the report names", async () => {
    await panel
      .getByRole("list", { name: "Files" })
      .getByRole("button", { name: "src/invoice.js" })
      .click();
    await stage.page.getByRole("tab", { name: /invoice\.js/ }).waitFor();
    await stage.screenshot("artifact-opened");
  });

  it("loses nothing on the panel when the window is reloaded", async () => {
    await stage.reload();
    panel = await stage.panel();
    await panel.getByText("A test fails. Please mend it.").waitFor();
    await stage.report(panel, "all tests pass").waitFor();
    await stage.row(/^Done, 1/).waitFor();
    await stage.screenshot("after-reload");
  });
});
