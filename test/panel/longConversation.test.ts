import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { report } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("a long conversation", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  it("is shown whole, however long it is, also after a reload", async () => {
    for (const n of [1, 2, 3, 4, 5]) {
      stage.server.script(report("Done", `Part ${n} is written. ${"word ".repeat(60_000)}`));
      await stage.say(panel, `/do Write part ${n}`);
      await stage.report(panel, `Part ${n} is written.`).waitFor();
    }
    await stage.atRest(panel);
    await stage.reopen();
    panel = await stage.panel();
    await stage.report(panel, "Part 5 is written.").waitFor();
    const first = panel.getByText("Write part 1", { exact: true });
    assert.equal(await first.count(), 0);
    const more = panel.getByRole("button", { name: /earlier/i });
    await until(async () => {
      await panel.locator(".scroller").evaluate((one) => {
        one.scrollTop = 0;
      });
      return (await more.count()) === 0 && (await first.count()) > 0;
    }, "the beginning");
  });
});
