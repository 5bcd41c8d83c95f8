import { strict as assert } from "node:assert";
import { call, report, triage } from "../modelServer/modelServer.js";
import type { Stage } from "../ui/stage.js";
import { useStage } from "../ui/useStage.js";

/** The newest VS Code that we know, and the lowest that the manifest promises, by the packages' versions. */
const versions = ["4.139.1", "4.104.0"];

for (const version of versions) {
  describe(`VS Code ${version.replace("4.", "1.")}`, () => {
    let stage: Stage;
    useStage({ version, lean: false }, (opened) => {
      stage = opened;
    });

    it("shows the panel, answers a request, does what the user allows, and keeps it over a reload", async () => {
      let panel = await stage.panel();
      stage.server.script(
        triage("direct", { expert: "rooroo-developer", goal: "Take off the discount first" }),
        {
          say: "The discount must come off **first**.",
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
        call("read_file", { path: "src/invoice.js" }),
        report("Done", "The discount comes off first."),
      );
      await stage.say(panel, "Take off the discount before the tax");
      await panel.getByText("The discount must come off").first().waitFor();
      const allow = panel.getByRole("button", { name: "Allow", exact: true });
      await allow.waitFor();
      await stage.screenshot(`smoke-${version}-approval`);
      assert.match(await stage.read("src/invoice.js"), /percentOf\(subtotal, taxPercent/);
      await allow.click();
      await stage.report(panel, "The discount comes off first.").waitFor();
      assert.match(await stage.read("src/invoice.js"), /percentOf\(subtotal - discount/);
      await stage.row(/^Done, 1/).waitFor();

      await stage.reload();
      panel = await stage.panel();
      await stage.report(panel, "The discount comes off first.").waitFor();
      await stage.screenshot(`smoke-${version}-reloaded`);
    });
  });
}
