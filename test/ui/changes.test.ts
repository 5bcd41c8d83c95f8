import { strict as assert } from "node:assert";
import { call, report } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("reviewing what an expert has changed", () => {
  let stage: Stage;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, (opened) => {
    stage = opened;
  });

  const original = () => stage.read("src/invoice.js");

  it("reverts the change at the cursor, from the menu of the line", async () => {
    const panel = await stage.panel();
    stage.server.script(
      call("apply_diff", { path: "src/invoice.js", diff: blocks(await original()) }),
      report("Done", "The invoice is mended."),
    );
    await stage.say(panel, "/do Mend the invoice");
    await stage.report(panel, "The invoice is mended").waitFor();
    await panel.getByRole("button", { name: "Review Changes (1 file)" }).click();
    const mended = stage.page.locator(".multiDiffEntry .view-line").getByText("// mended");
    await mended.waitFor();
    await stage.screenshot("review");
    await mended.click({ button: "right" });
    await stage.page.getByRole("menuitem", { name: "Revert This Change" }).waitFor();
    await stage.screenshot("review-menu");
    await stage.page.getByRole("menuitem", { name: "Revert This Change" }).click();
    await until(async () => !(await original()).includes("// mended"), "the change is reverted");
    assert.match(await original(), /^\/\/ Invoices\.\n/);
  });
});

/** Returns two changes, far from one another. */
function blocks(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [first = "", last = ""] = [lines[0], lines.at(-2)];
  return [
    `<<<<<<< SEARCH\n${first}\n=======\n// Invoices.\n${first}\n>>>>>>> REPLACE`,
    `<<<<<<< SEARCH\n${last}\n=======\n${last} // mended\n>>>>>>> REPLACE`,
  ].join("\n");
}
