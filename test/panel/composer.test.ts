import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("the input while experts work", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({}, (opened) => {
    stage = opened;
  });

  const queued = (text: string) => panel.locator(".pending-row").filter({ hasText: text });

  it("queues words for the expert at work, which can be changed and deleted until it reads them", async () => {
    panel = await stage.panel();
    let goOn: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Look at the invoice" }),
      { after: waits, then: call("read_file", { path: "src/invoice.js" }) },
      report("Done", "Looked at both."),
    );
    await stage.say(panel, "Look at the invoice");
    await panel.getByRole("button", { name: "Send to: Developer" }).waitFor();
    // Words that come before the first step would be read at once.
    await until(() => stage.server.requests.length === 2, "the expert's first step is under way");
    await stage.say(panel, "And at the tests");
    await stage.say(panel, "And at nothing else");
    await queued("Queued for Developer, who reads it before the next step").first().waitFor();

    await queued("And at the tests").getByRole("button", { name: /^Edit/ }).click();
    await panel.keyboard.type(", please");
    await panel.keyboard.press("Enter");
    await queued("And at the tests, please").waitFor();
    await queued("nothing else")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await queued("nothing else").waitFor({ state: "detached" });
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    await until(
      () => input.evaluate((node) => node === document.activeElement),
      "the input has the focus again",
    );

    goOn();
    await stage.report(panel, "Looked at both.").waitFor();
    await panel.locator(".user").filter({ hasText: "And at the tests, please" }).waitFor();
    await queued("please").waitFor({ state: "detached" });
    const told = JSON.stringify(stage.server.requests.at(-1)?.messages);
    assert.equal(told.split("And at the tests, please").length, 2);
    assert.doesNotMatch(told, /nothing else/);
  });

  it("says what fills the model's window, and has it compacted before the next step", async () => {
    await stage.write("long.txt", "a line of a long file\n".repeat(400));
    let goOn: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    const asked: string[] = [];
    const read = call("read_file", { path: "long.txt" });
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Read it twice" }),
      read,
      { after: waits, then: read },
      (request) => {
        asked.push(JSON.stringify(request.messages));
        return { say: "It read long.txt, which has 400 equal lines." };
      },
      (request) => {
        asked.push(JSON.stringify(request.messages));
        return report("Done", "Read it twice.");
      },
    );
    await stage.say(panel, "Read it twice");
    await until(() => stage.server.requests.length >= 3, "the expert's second step is under way");
    const meter = panel.getByRole("button", { name: /^Context and cost/ });
    const popover = panel.getByRole("dialog", { name: "Context window" });
    await meter.click();
    await popover.getByRole("row", { name: /^Files and results [1-9]/ }).waitFor();
    await popover.getByText("Developer: Read it twice").waitFor();
    await panel.keyboard.press("Escape");
    await popover.waitFor({ state: "detached" });
    await stage.say(panel, "/compact keep the number of lines");
    await stage.notice(panel, "Developer: compacting before the next step.").waitFor();
    goOn();
    await stage.report(panel, "Read it twice.").waitFor();
    assert.match(asked[0] ?? "", /keep above all: keep the number of lines/);
    assert.match(asked[1] ?? "", /which has 400 equal lines/);
    await stage.say(panel, "/compact");
    await stage.notice(panel, "There is nothing to compact").waitFor();
  });
});
