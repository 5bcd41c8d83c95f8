import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("the whole way without a mouse", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  it("leads from a request over its approvals, review and undo to Proceed in the command palette, and to a stop", async () => {
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
      call("write_to_file", { path: "no.md", content: "# No\n" }),
      call("write_to_file", { path: "noted.md", content: "# Noted\n" }),
      report("Done", "It is noted."),
    );
    await type("Note it");
    const asked = (path: string) =>
      panel.locator(".dock").getByText(`Create ${path}`).first().waitFor();
    await asked("no.md");
    await toInput();
    await keyboard.press("Control+Alt+Enter");
    await asked("noted.md");
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
    assert.ok(!stage.has("no.md"));
    await stage.screenshot("without-a-mouse");
    await stage.write(
      ".rooroo/queue.jsonl",
      '{"taskId":"ROO#TASK_20260102030405_AB12C9","suggested_mode":"rooroo-analyzer","goal_for_expert":"List them"}\n',
    );
    await panel.getByText("1 queued").waitFor();
    stage.server.script(report("Done", "Listed."));
    await stage.atRest(panel);
    await keyboard.press("F1");
    const palette = stage.page.locator(".quick-input-widget:visible input.input");
    await palette.fill(">Rooroo: Proceed");
    const chosen = stage.page.locator(".quick-input-list .monaco-list-row.focused");
    await chosen.and(stage.page.getByLabel(/^Rooroo: Proceed(,|$)/)).waitFor();
    await keyboard.press("Enter");
    await stage.report(panel, "Listed.").waitFor();

    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Halted" }),
      call("write_to_file", { path: "halted.md", content: "# Halted\n" }),
    );
    await type("Halt it");
    await asked("halted.md");
    await toInput();
    await keyboard.press("Shift+Escape");
    await stage.report(panel, "Stopped").last().waitFor();
  });
});
