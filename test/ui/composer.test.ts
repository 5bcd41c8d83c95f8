import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("the input while experts work", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({}, (opened) => {
    stage = opened;
  });

  const queued = (text: string) => panel.locator(".pending-row").filter({ hasText: text });

  it("keeps queued words over a reload, and delivers them once", async () => {
    panel = await stage.panel();
    const never = new Promise<void>(() => undefined);
    stage.server.script(triage("direct", { expert: "rooroo-developer", goal: "Look again" }), {
      after: never,
      then: report("Done", "Never said."),
    });
    await stage.say(panel, "Look again");
    await panel.getByRole("button", { name: "Send to: Developer" }).waitFor();
    await until(() => stage.server.requests.length === 2, "the expert's first step is under way");
    await stage.say(panel, "Mind the discount");
    await queued("Mind the discount").waitFor();
    let heard = "";
    stage.server.script((request) => {
      heard = JSON.stringify(request.messages);
      return report("Done", "Minded it.");
    });
    await stage.reload();
    panel = await stage.panel();
    await stage.report(panel, "Minded it.").waitFor();
    assert.equal(heard.split("Mind the discount").length, 2);
    await panel.locator(".user").filter({ hasText: "Mind the discount" }).waitFor();
    await queued("Mind the discount").waitFor({ state: "detached" });
  });
});
