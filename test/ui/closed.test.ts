import { strict as assert } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { report, triage } from "../modelServer/modelServer.js";
import type { Stage } from "./stage.js";
import { useStage } from "./useStage.js";

/** What somebody could have put into a folder for whoever opens it. */
const planted = {
  "AGENTS.md": "Planted rule.",
  ".roomodes": "customModes: [{ slug: rooroo-analyzer, broken",
  ".vscode/settings.json": '{ "rooroo.approvals.preset": "all", "rooroo.limits.turns": 1 }',
  ".rooroo/logs/conversation.jsonl": `${JSON.stringify({
    at: "2026-01-01T00:00:00.000Z",
    type: "notice",
    id: "n-planted",
    level: "info",
    text: "Planted words",
    steps: [],
  })}\n`,
};

describe("a window without a folder", () => {
  let stage: Stage;
  useStage({ folder: false }, (opened) => {
    stage = opened;
  });

  it("says that a folder is needed, on the panel and to commands", async () => {
    const panel = await stage.panel();
    await panel.getByRole("button", { name: "Open Folder" }).waitFor();
    await stage.runCommand("rooroo.proceed");
    const message = stage.page.locator(".notification-toast");
    await message.getByText("Rooroo works on the files of a folder").waitFor();
    await message.getByRole("button", { name: "Open Folder" }).waitFor();
    await stage.page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map(({ finished }) => finished)),
    );
    await stage.screenshot("no-folder");
  });
});

describe("a folder in Restricted Mode", () => {
  let stage: Stage;
  useStage({ trusted: false, files: planted }, (opened) => {
    stage = opened;
  });

  it("runs nothing, and says why", async () => {
    const panel = await stage.panel();
    await panel.getByText("This folder is in Restricted Mode").waitFor();
    await stage.say(panel, "Mend the test");
    await panel.getByRole("alert").getByText("Trust this workspace first").waitFor();
    await stage.screenshot("restricted");
    assert.equal(stage.server.requests.length, 0);
  });

  it("has its entries in VS Code's menus, and each says why nothing runs", async () => {
    await stage.runCommand("workbench.view.explorer");
    await stage.chooseFromMenu(stage.row(/^package\.json/), "Add to Rooroo");
    const notification = stage.page.locator(".notification-toast", {
      hasText: "Trust this workspace first",
    });
    await notification.getByRole("button", { name: "Manage Trust" }).waitFor();
    await stage.runCommand("notifications.clearAll");
    await notification.waitFor({ state: "detached" });
  });

  it("reads nothing of what the folder brings along, writes nothing, and offers to trust it", async () => {
    const panel = await stage.panel();
    await panel.getByRole("button", { name: /Trust/ }).waitFor();
    const tree = stage.page.locator(".pane", { hasText: "Restricted Mode" });
    await tree.getByText("Rooroo is disabled in Restricted Mode").waitFor();
    await stage.runCommand("rooroo.proceed");
    await stage.page.getByText("Trust this workspace first").first().waitFor();
    assert.equal(await panel.getByText("Planted words").count(), 0);
    assert.deepEqual(await readdir(join(stage.workspace, ".rooroo")), ["logs"]);
    assert.deepEqual(await readdir(join(stage.workspace, ".rooroo/logs")), ["conversation.jsonl"]);
    assert.equal(
      await readFile(join(stage.workspace, ".rooroo/logs/conversation.jsonl"), "utf8"),
      planted[".rooroo/logs/conversation.jsonl"],
    );
    assert.equal(stage.server.requests.length, 0);
  });

  it("works at once when the folder is trusted, without a reload", async () => {
    await stage.page.getByRole("button", { name: "Manage Workspace Trust" }).click();
    await stage.page.getByRole("button", { name: "Trust", exact: true }).first().click();
    const panel = await stage.panel();
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
