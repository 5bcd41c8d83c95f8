import { strict as assert } from "node:assert";
import { report, triage } from "../modelServer/modelServer.js";
import { planted } from "../panel/planted.js";
import type { Stage } from "./stage.js";
import { useStage } from "./useStage.js";

describe("a folder in Restricted Mode", () => {
  let stage: Stage;
  useStage({ trusted: false, files: planted }, (opened) => {
    stage = opened;
  });

  it("works at once when the folder is trusted, without a reload", async () => {
    // The list of tasks stands below the panel.
    const panel = await stage.panel();
    await stage.page.getByRole("button", { name: "Manage Workspace Trust" }).click();
    await stage.page.getByRole("button", { name: "Trust", exact: true }).first().click();
    await stage.panel();
    await panel.getByText("This folder is in Restricted Mode").waitFor({ state: "detached" });
    stage.server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Say hello" }),
      report("Done", "Hello from a trusted folder."),
    );
    await stage.say(panel, "Say hello");
    await stage.report(panel, "Hello from a trusted folder.").waitFor();
    // What the folder brought is told of, and not shown as said.
    await stage.notice(panel, "This folder has 1 message that this installation").waitFor();
    assert.equal(await panel.getByText("Planted words").count(), 0);
    assert.match(JSON.stringify(stage.server.requests), /Planted rule/);
    await stage.screenshot("trusted");
  });
});
