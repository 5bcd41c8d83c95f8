import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("a person's first request", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
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
    await stage.say(panel, "A test fails. Please mend it.");

    await panel.getByRole("group", { name: /^Run this command\?/ }).waitFor();
    await stage.row(/^Needs You, .*awaiting your approval/);
    // Whoever looks elsewhere sees that they are waited for, and one click brings them back.
    await stage.hidePanel();
    const { statusBar, trees } = stage.extension.editor.window;
    const badge = () => trees.get("rooroo.tasks")?.badge?.value;
    await until(() => badge() === 1, "the activity bar says that one thing waits");
    const entry = statusBar.find(({ isShown }) => isShown);
    assert.ok(entry?.command);
    const { command, arguments: args = [] } =
      typeof entry.command === "string" ? { command: entry.command } : entry.command;
    await stage.command(command, ...(args as unknown[]));
    const view = stage.extension.editor.webviews.views.get("rooroo.chat");
    await until(() => view?.visible, "the panel is in sight");
    panel = await stage.panel();
    // The same command need not be asked for again.
    await panel.getByRole("button", { name: "Always Allow…" }).click();
    await panel.getByRole("button", { name: "In This Task", exact: true }).click();

    const change = panel.getByRole("group", { name: /^Make this change\?/ });
    await change.waitFor();
    assert.match(await stage.read("src/invoice.js"), /percentOf\(subtotal, taxPercent\)/);
    await change.getByRole("button", { name: "Allow", exact: true }).click();

    await stage.report(panel, "all tests pass").waitFor();
    assert.match(await stage.read("src/invoice.js"), /percentOf\(subtotal - discount/);
    const last = stage.server.requests.at(-1)?.messages.at(-1);
    assert.match(JSON.stringify(last), /fail 0/);
  });

  it("opens the file that the report names", async () => {
    await panel
      .getByRole("list", { name: "Files" })
      .getByRole("button", { name: "src/invoice.js" })
      .click();
    await until(() => stage.extension.shownFile === "src/invoice.js", "its editor");
  });

  it("loses nothing on the panel when the window is reloaded", async () => {
    await stage.reopen();
    panel = await stage.panel();
    await panel.getByText("A test fails. Please mend it.").waitFor();
    await stage.report(panel, "all tests pass").waitFor();
    await stage.row(/^Done, 1/);
  });
});
