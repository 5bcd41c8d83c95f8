import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { report, triage } from "../modelServer/modelServer.js";
import type { Stage } from "./stage.js";
import { useStage } from "./useStage.js";

describe("the queue in two windows", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  it("tells a second window on the folder who works on the queue", async () => {
    let finish: (value: unknown) => void = () => undefined;
    stage.server.script(triage("queue", { expert: "rooroo-analyzer", goal: "Think for a while" }), {
      after: new Promise((resolve) => (finish = resolve)),
      then: report("Done", "Thought."),
    });
    await stage.say(panel, "Think about it later");
    await stage.row(/^Running, Think for a while/).waitFor();

    const second = await stage.secondWindow();
    await second.panel.getByText(/The queue is being run by/).waitFor();
    await stage.say(second.panel, "proceed");
    await stage.notice(second.panel, "The queue is being worked on by").waitFor();
    await second.page.screenshot({ path: stage.screenshotPath("second-window") });

    finish(undefined);
    await stage.report(panel, "Thought.").waitFor();
    await second.panel.getByText(/The queue is being run by/).waitFor({ state: "detached" });
    await stage.report(second.panel, "Thought.").waitFor();

    // A task that is done at once never comes to the queue, and is followed all the same.
    stage.server.script(triage("direct", { expert: "rooroo-developer", goal: "Do it now" }), {
      after: new Promise((resolve) => (finish = resolve)),
      then: report("Done", "Directly."),
    });
    await stage.say(panel, "Do it now");
    await second.page.getByRole("treeitem", { name: /^Running, Do it now/ }).waitFor();
    await second.panel.locator(".task-goal").filter({ hasText: "Do it now" }).waitFor();
    finish(undefined);
    await stage.report(second.panel, "Directly.").waitFor();
    await second.page.close();
    assert.equal(stage.server.left, 0);
  });
});
