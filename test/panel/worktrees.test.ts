import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Uri } from "vscode";
import { call, report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("a plan in a worktree", () => {
  let stage: PanelStage;
  let panel: Page;
  let original = "";
  usePanelStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
    original = await stage.read("src/invoice.js");
  });

  const invoice = () => stage.read("src/invoice.js");
  const tab = (title: RegExp) =>
    until(() => title.test(stage.extension.tab ?? ""), `a tab ${String(title)} is in front`);
  const said = (text: RegExp) =>
    until(() => stage.person.said().some((one) => text.test(one)), `it says ${String(text)}`);
  /** Lands by a notice of changes in a worktree, the first being 1. Each task there has one, which may come after its report. */
  const landBy = (number: number) =>
    panel
      .locator(".notice")
      .filter({ hasText: /are in a worktree/ })
      .nth(number - 1)
      .getByRole("button", { name: "Land Plan" })
      .click();
  /** What the last dialog has asked. */
  const asked = () => stage.person.messages.findLast(({ isModal }) => isModal)?.text ?? "";

  it("is chosen for one request in the mode menu", async () => {
    await panel.getByRole("button", { name: /^Mode: Auto/ }).click();
    const choice = panel.getByRole("menuitemcheckbox", { name: /^In a Worktree/ });
    await choice.waitFor();
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
    await stage.extension.choose(/^Done, Mend the invoice.*in a worktree/, "rooroo.openWorktree");
    const [tree = ""] = execFileSync("git", ["worktree", "list", "--porcelain"], {
      cwd: stage.workspace,
      encoding: "utf8",
    })
      .split("\n")
      .filter((line) => line.startsWith("worktree ") && line !== `worktree ${stage.workspace}`);
    const [[uri, options] = []] = stage.extension.editor.commands.executions("vscode.openFolder");
    assert.equal(`worktree ${(uri as Uri).fsPath}`, tree);
    assert.deepEqual(options, { forceNewWindow: true });
    await stage
      .notice(panel, /are in a worktree/)
      .getByRole("button", { name: "Show Changes of Plan" })
      .click();
    await tab(/^Plan in its worktree: Mend the invoice/);
    assert.ok((await stage.extension.shownTexts()).includes(`// mended\n${original}// mine\n`));
    assert.equal(await invoice(), `${original}// mine\n`);
  });

  it("lands beside what the user has done, and its changes are reviewed", async () => {
    stage.person.clicks("Land Plan");
    await landBy(1);
    await until(async () => (await invoice()) === `// mended\n${original}// mine\n`, "it landed");
    assert.match(asked(), /^Land the plan “Mend the invoice”\?/);
    await tab(/^Changes: Land: Mend the invoice .* \(2 files\)$/);
    assert.equal(await stage.read("docs/invoice.md"), "# Invoices\n\nAs they are.\n");
    const record = (await stage.list(".rooroo/worktrees")).find((name) => name.endsWith(".json"));
    const { made } = JSON.parse(await stage.read(join(".rooroo/worktrees", `${record}`))) as {
      made: { root: string };
    };
    await until(() => !existsSync(made.root), "the worktree is removed");
    await stage.row(/^Done, 2/);
    await stage.extension.noRow(/in a worktree/);
  });

  it("is undone as any other change, but for what the user has done", async () => {
    await until(
      () => stage.extension.menu("editor/title").includes("rooroo.undoTask"),
      "the button is there",
    );
    stage.person.clicks("Undo");
    await stage.command("rooroo.undoTask");
    assert.match(asked(), /^Undo the changes of/);
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
    await stage.row(/^Done, Mend it again.*in a worktree/);
    await stage.write("src/invoice.js", mine);
    let answer: (button: string) => void = () => undefined;
    stage.person.clicks(new Promise((resolve) => (answer = resolve)));
    await landBy(2);
    await said(/changed the same lines, so nothing lands: src\/invoice\.js/);
    assert.equal(await invoice(), mine);
    stage.server.script(
      call("read_file", { path: "src/invoice.js" }),
      call("write_to_file", { path: "src/invoice.js", content: resolved }),
      report("Done", "The conflict is resolved."),
    );
    stage.person.clicks("Proceed");
    answer("Have It Resolved");
    await said(/A task is queued that resolves the conflicts/);
    await stage.report(panel, "The conflict is resolved").waitFor();
    await stage.atRest(panel);
    stage.person.clicks("Land Plan");
    await landBy(3);
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
    stage.person.clicks("Discard Plan");
    await stage.extension.choose(/^Done, Write a note.*in a worktree/, "rooroo.discardPlan");
    assert.match(asked(), /^Discard the worktree of “Write a note”\?/);
    await stage.extension.noRow(/in a worktree/);
    assert.equal(stage.has("docs/note.md"), false);
  });
});
