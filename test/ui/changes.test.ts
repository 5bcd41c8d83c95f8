import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import { Stage, until } from "./stage.js";

describe("reviewing what an expert has changed", function () {
  this.timeout(90_000);
  let stage: Stage;
  let panel: Frame;
  before(async () => {
    stage = await Stage.open({ settings: { "rooroo.approvals.preset": "all" } });
    panel = await stage.panel();
  });
  after(async () => {
    await stage.close();
  });
  afterEach(async function () {
    await stage.screenshotIfFailed(this.currentTest);
  });

  const original = () => stage.read("src/invoice.js");

  it("opens all changes of the task from its report", async () => {
    const before = await original();
    await stage.write("before.txt", before);
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Mend the invoice" }),
      call("apply_diff", {
        path: "src/invoice.js",
        diff: blocks(before),
      }),
      call("write_to_file", { path: "docs/invoice.md", content: "# Invoices\n\nAs they are.\n" }),
      report("Done", "The invoice is mended."),
    );
    await stage.say(panel, "Mend the invoice");
    await stage.report(panel, "The invoice is mended").waitFor();
    await stage.screenshot("report-with-changes");
    await panel.getByRole("button", { name: "Review Changes (2 files)" }).click();
    await stage.page.getByRole("tab", { name: /Changes: Mend the invoice/ }).waitFor();
    await stage.page.locator(".multiDiffEntry").nth(1).waitFor();
    await stage.page.waitForTimeout(1500);
    await stage.screenshot("review");
  });
});

/** Two changes, far from one another. */
function blocks(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [first = "", last = ""] = [lines[0], lines.at(-2)];
  return [
    `<<<<<<< SEARCH\n${first}\n=======\n// Invoices.\n${first}\n>>>>>>> REPLACE`,
    `<<<<<<< SEARCH\n${last}\n=======\n${last} // mended\n>>>>>>> REPLACE`,
  ].join("\n");
}
