import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import type { PanelHost } from "./panelHost.js";
import { usePanelPage } from "./usePanelPage.js";

const at = "2026-01-05T10:00:00.000Z";

describe("the sandbox in the panel", () => {
  let host: PanelHost;
  usePanelPage((loaded) => {
    host = loaded;
  });

  const screenshot = async (name: string): Promise<void> => {
    await mkdir("out/screenshots", { recursive: true });
    await host.page.screenshot({ path: `out/screenshots/${name}.png` });
  };

  it("is recommended on the welcome where it works, and set by one click", async () => {
    host.results = { sandboxOffer: { name: "bubblewrap 0.8.0" } };
    await host.load();
    const button = host.page.getByRole("button", { name: "Use the Sandbox" });
    await button.waitFor();
    await screenshot("welcome-sandbox");
    host.results = { sandboxOffer: null };
    await button.click();
    const { params } = await host.request("hostCommand");
    assert.deepEqual(params, { command: "useSandbox" });
    await button.waitFor({ state: "detached" });
  });

  it("is replaced by the reason where it does not work", async () => {
    host.results = { sandboxOffer: { reason: "Install bubblewrap to have a sandbox." } };
    await host.load();
    const note = host.page.locator(".welcome-sandbox");
    await note.waitFor();
    assert.match(await note.innerText(), /asked about each command.*Install bubblewrap/s);
    assert.equal(await host.page.getByRole("button", { name: "Use the Sandbox" }).count(), 0);
  });

  it("is named on a command's card, with what was not kept", async () => {
    const notes = [
      "It ran in the sandbox. Of what it changed, this was not kept:",
      "- .vscode/tasks.json: Editors and their extensions run what these files say.",
    ];
    const taskId = "ROO#20260105-100000#a1b2";
    host.event({ type: "sessionStarted", at, taskId, mode: "rooroo-developer", goal: "Build it" });
    host.agent({
      type: "toolStarted",
      callId: "x",
      tool: "execute_command",
      title: "npm run build",
    });
    host.agent({
      type: "callAllowed",
      callId: "x",
      sandboxed: true,
      why: "Commands run in the sandbox, without network.",
    });
    host.agent({
      type: "toolEnded",
      callId: "x",
      ok: true,
      durationMs: 1200,
      notes,
      output: ["Exit code 0 after 1.2 s.", "It printed nothing.", ...notes].join("\n"),
    });
    await host.drawn();
    const card = host.page.locator("[data-id=x]");
    assert.match(await card.locator(".tool-row").innerText(), /in the sandbox/);
    assert.match(
      await card.locator(".tool-notes").innerText(),
      /not kept:\s+- \.vscode\/tasks\.json/,
    );
    await screenshot("card-sandbox");
    await card.locator(".tool-row").click();
    await host.drawn();
    assert.equal(await card.locator(".tool-notes").count(), 0);
    assert.match(await card.locator(".output").innerText(), /not kept/);
  });
});
