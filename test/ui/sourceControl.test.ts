import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("the commit message", () => {
  let stage: Stage;
  useStage({}, async (opened) => {
    stage = opened;
    await stage.write("src/money.js", "// cents\n");
    execFileSync("git", ["add", "."], { cwd: stage.workspace });
    await stage.runCommand("workbench.view.scm");
    await input().waitFor();
    await stage.screenshot("source-control");
  });

  /**
   * Presses the button, which the header of the changes shows only under the mouse. A window that is still opening draws
   * the header anew and loses the click, as a person sees, who presses it again.
   */
  async function write(): Promise<void> {
    const header = stage.page.locator(".part.sidebar .pane-header").filter({ hasText: "Changes" });
    const hasBegun = () => stage.server.requests.length > 0;
    for (let tries = 1; ; tries++) {
      await header.hover();
      await header.getByRole("button", { name: "Write Commit Message" }).click();
      try {
        await until(hasBegun, "a message is being written", 15_000);
        return;
      } catch (error) {
        if (tries === 5) throw error;
      }
    }
  }
  const input = () => stage.page.locator(".scm-editor .view-lines");
  const typed = async () => (await input().innerText()).replaceAll("\u00a0", " ").trim();

  it("is written into the input of Source Control by its button", async () => {
    stage.server.script({ say: "Count in cents" });
    await write();
    await until(async () => (await typed()) === "Count in cents", "the message is there");
    await stage.screenshot("commit-message");
    const [request] = stage.server.requests;
    const told = JSON.stringify(request?.messages);
    assert.match(told, /Carts, discounts and invoices/);
    assert.match(told, /\+\/\/ cents/);
  });
});
