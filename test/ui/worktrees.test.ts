import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
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
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
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
    const opened = stage.editor.context.waitForEvent("page");
    await stage.chooseFromMenu(row, "Open Worktree in New Window");
    const window = await opened;
    const folder = () => new URL(window.url()).searchParams.get("folder") ?? "";
    await until(() => folder() !== "", "the new window has a folder");
    const [tree = ""] = execFileSync("git", ["worktree", "list", "--porcelain"], {
      cwd: stage.workspace,
      encoding: "utf8",
    })
      .split("\n")
      .filter((line) => line.startsWith("worktree ") && line !== `worktree ${stage.workspace}`);
    assert.equal(`worktree ${folder()}`, tree);
    await window.close();
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
    await stage.row(/in a worktree/).waitFor({ state: "detached" });
  });

  it("is undone as any other change, but for what the user has done", async () => {
    await stage.page.locator(".editor-actions").getByRole("button", { name: "Undo Task…" }).click();
    const dialog = stage.page.getByRole("dialog").filter({ hasText: "Undo the changes of" });
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await until(async () => (await invoice()) === `${original}// mine\n`, "it is undone");
    await until(() => !stage.has("docs/invoice.md"), "the new file is gone, too");
  });

  it("has its conflicts resolved by a task of its own, and then lands", async () => {
    const mine = `// mine\n${original}`;
    const resolved = `// mine, mended\n${original}`;
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Mend it again" }),
      call("read_file", { path: "src/invoice.js" }),
      call("write_to_file", { path: "src/invoice.js", content: `// mended\n${original}` }),
      report("Done", "It is mended again."),
    );
    await stage.write("src/invoice.js", original);
    await stage.say(panel, "Mend it again");
    await stage.report(panel, "It is mended again").waitFor();
    await stage.row(/^Done, Mend it again.*in a worktree/).waitFor();
    await stage.write("src/invoice.js", mine);
    await stage
      .notice(panel, /are in a worktree/)
      .getByRole("button", { name: "Land Plan" })
      .click();
    const toast = (text: RegExp) =>
      stage.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text });
    await toast(/changed the same lines, so nothing lands: src\/invoice\.js/).waitFor();
    await stage.screenshot("worktree-conflict");
    assert.equal(await invoice(), mine);
    stage.server.script(
      call("read_file", { path: "src/invoice.js" }),
      call("write_to_file", { path: "src/invoice.js", content: resolved }),
      report("Done", "The conflict is resolved."),
    );
    await toast(/changed the same lines/)
      .getByRole("button", { name: "Have It Resolved" })
      .click();
    await toast(/A task is queued that resolves the conflicts/)
      .getByRole("button", { name: "Proceed" })
      .click();
    await stage.report(panel, "The conflict is resolved").waitFor();
    await stage.atRest(panel);
    await stage
      .notice(panel, /are in a worktree/)
      .getByRole("button", { name: "Land Plan" })
      .click();
    const dialog = stage.page.getByRole("dialog").filter({ hasText: "Land the plan" });
    await dialog.getByRole("button", { name: "Land Plan", exact: true }).click();
    await until(async () => (await invoice()) === resolved, "what was resolved has landed");
  });

  it("is discarded from its row, once that is confirmed", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Write a note" }),
      call("write_to_file", { path: "docs/note.md", content: "# Note\n" }),
      report("Done", "There is a note."),
    );
    await stage.say(panel, "Write a note");
    await stage.report(panel, "There is a note").waitFor();
    await stage.chooseFromMenu(stage.row(/^Done, Write a note.*in a worktree/), "Discard Plan…");
    const dialog = stage.page.getByRole("dialog").filter({ hasText: "Discard the worktree" });
    await dialog.waitFor();
    await stage.screenshot("worktree-discard-asked");
    await dialog.getByRole("button", { name: "Discard Plan", exact: true }).click();
    await stage.row(/in a worktree/).waitFor({ state: "detached" });
    assert.equal(stage.has("docs/note.md"), false);
  });
});
