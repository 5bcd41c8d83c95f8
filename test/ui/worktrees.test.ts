import { strict as assert } from "node:assert";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("a plan in a worktree", () => {
  let stage: Stage;
  let panel: Frame;
  let original = "";
  useStage({ settings: { "rooroo.approvals.preset": "all" }, ownFolder: true }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
    original = await stage.read("src/invoice.js");
  });

  const invoice = () => stage.read("src/invoice.js");

  it("is chosen for one request in the mode menu", async () => {
    await panel.getByRole("button", { name: /^Mode: Auto/ }).click();
    const choice = panel.getByRole("menuitemcheckbox", { name: /^In a Worktree/ });
    await choice.waitFor();
    await stage.screenshot("worktree-menu");
    await choice.click();
    await panel.getByRole("button", { name: "Mode: Auto in a worktree" }).waitFor();
  });

  it("leaves the folder to the user, who goes on meanwhile", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Mend the invoice" }),
      call("write_to_file", { path: "docs/invoice.md", content: "# Invoices\n\nAs they are.\n" }),
      call("read_file", { path: "src/invoice.js" }),
      call("apply_diff", {
        path: "src/invoice.js",
        diff: `<<<<<<< SEARCH\n${original.split("\n")[0]}\n=======\n// mended\n${original.split("\n")[0]}\n>>>>>>> REPLACE`,
      }),
      report("Done", "The invoice is mended."),
    );
    await stage.say(panel, "Mend the invoice");
    await stage.report(panel, "The invoice is mended").waitFor();
    await stage.notice(panel, /are in a worktree/).waitFor();
    assert.equal(await invoice(), original);
    assert.equal(stage.has("docs/invoice.md"), false);
    await stage.write("src/invoice.js", `${original}// mine\n`);
  });

  it("is shown in the tree, with its changes", async () => {
    await stage.row(/^Done, 1/).click();
    const row = stage.row(/^Done, Mend the invoice.*in a worktree/);
    await row.hover();
    await stage.screenshot("worktree-tree");
    await row.click({ button: "right" });
    await stage.page.getByRole("menuitem", { name: "Open Worktree in New Window" }).waitFor();
    await stage.screenshot("worktree-row-menu");
    await stage.page.keyboard.press("Escape");
    await stage
      .notice(panel, /are in a worktree/)
      .getByRole("button", { name: "Show Changes of Plan" })
      .click();
    await stage.page.getByRole("tab", { name: /Plan in its worktree: Mend the invoice/ }).waitFor();
    await stage.page.locator(".multiDiffEntry .view-line").getByText("// mended").waitFor();
    await stage.screenshot("worktree-changes");
    assert.equal(await invoice(), `${original}// mine\n`);
  });

  it("lands beside what the user has done, and its changes are reviewed", async () => {
    await stage
      .notice(panel, /are in a worktree/)
      .getByRole("button", { name: "Land Plan" })
      .click();
    const dialog = stage.page.getByRole("dialog").filter({ hasText: "Land the plan" });
    await dialog.waitFor();
    await stage.screenshot("worktree-land-asked");
    await dialog.getByRole("button", { name: "Land Plan", exact: true }).click();
    await until(async () => (await invoice()) === `// mended\n${original}// mine\n`, "it landed");
    await stage.page.getByRole("tab", { name: /Changes: Land: Mend the invoice/ }).waitFor();
    await stage.page.locator(".multiDiffEntry").nth(1).waitFor();
    await stage.screenshot("worktree-landed");
    assert.equal(await stage.read("docs/invoice.md"), "# Invoices\n\nAs they are.\n");
    const record = (await stage.list(".rooroo/worktrees")).find((name) => name.endsWith(".json"));
    const { made } = JSON.parse(await stage.read(join(".rooroo/worktrees", `${record}`))) as {
      made: { root: string };
    };
    await until(() => !existsSync(made.root), "the worktree is removed");
    await stage.row(/^Done, 2/).waitFor();
    assert.equal(await stage.row(/in a worktree/).count(), 0);
  });

  it("is undone as any other change, but for what the user has done", async () => {
    await stage.page.locator(".editor-actions").getByRole("button", { name: "Undo Task…" }).click();
    const dialog = stage.page.getByRole("dialog").filter({ hasText: "Undo the changes of" });
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await until(async () => (await invoice()) === `${original}// mine\n`, "it is undone");
    assert.equal(stage.has("docs/invoice.md"), false);
  });
});
