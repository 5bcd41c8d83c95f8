import { strict as assert } from "node:assert";
import { call, report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("an editor that is killed", () => {
  let stage: Stage;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, (opened) => {
    stage = opened;
  });

  it("goes on with the task where it was, and does nothing twice", async () => {
    const panel = await stage.panel();
    const never = new Promise(() => undefined);
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Count to two" }),
      call("execute_command", { command: "echo one >> count.txt" }),
      { after: never, then: { say: "" } },
    );
    await stage.say(panel, "Count to two in count.txt");
    await until(() => stage.server.requests.length === 3, "the model has heard of the first count");
    await stage.editor.crash();

    stage.server.script(
      call("execute_command", { command: "echo two >> count.txt" }),
      report("Done", "Counted to two."),
    );
    await stage.reopen();
    const after = await stage.panel();
    await stage.report(after, "Counted to two.").waitFor();
    await after.getByText("Count to two in count.txt").waitFor();
    assert.equal(await stage.read("count.txt"), "one\ntwo\n");
    assert.equal(await after.locator(".task").count(), 1, "it goes on where it was");
    await stage.screenshot("after-crash");
  });
});
