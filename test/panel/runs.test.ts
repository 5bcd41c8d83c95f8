import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { runPlayers } from "./runPlayers.js";
import { usePanelStage } from "./usePanelStage.js";

describe("a run with its rows and cards", () => {
  let stage: PanelStage;
  let panel: Page;
  const files = { "multiverse/assets/notes.md": "# Notes on bees\n\nThey need flowers.\n" };
  usePanelStage({ files }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  const card = () => panel.locator(".proposal.open");

  it("goes from a request over a change and a reload to its outputs", async () => {
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let isHeld = true;
    const play = runPlayers((told) =>
      isHeld && told.includes("Task in STRATEGIZING") ? held : undefined,
    );
    stage.server.script(...Array.from({ length: 200 }, () => play));
    const starting = stage.command("rooroo.startRun");
    const input = await until(() => stage.person.inputBox, "the request is asked for");
    assert.match(input.prompt ?? "", /uses the files in multiverse\/assets/);
    await input.enter("Write a report about bees, from our notes");
    await starting;

    await stage.row(/^Run Write a report.*Awaiting Confirmation/);
    await card().getByText("Twelve pages at most").waitFor();
    await until(
      () => stage.extension.statusBar.includes("Rooroo needs you (1)"),
      "the status bar says so",
    );
    await card().getByRole("button", { name: "Change…" }).click();
    await card().locator("textarea:focus").waitFor();
    await panel.keyboard.type("Three pages at most");
    await panel.keyboard.press("Enter");
    await panel.getByText("Changes requested: Three pages at most").waitFor();
    await card().getByText("Three pages at most").waitFor();
    const proposals = async () => {
      const spoken = "Proposal, awaiting confirmation, 2 instructions";
      const rows = await stage.extension.rows();
      const found = rows.filter((row) => row.spoken.startsWith(spoken));
      return found.length === 2 && found;
    };
    const [top, below] = await until(proposals, "two rows for the proposal");
    assert.ok(top && below);
    await stage.extension.click(top);
    await panel.locator(".item.shown").filter({ hasText: "Three pages at most" }).waitFor();
    await stage.extension.click(below);
    assert.match(stage.extension.shownFile ?? "", /feedback_for_user\.md$/);

    await card().getByRole("button", { name: "Confirm" }).click();
    await panel.locator(".proposal.answered").filter({ hasText: "Confirmed" }).waitFor();
    await stage.row(/^Running, Task Task in STRATEGIZING/);
    await until(() => stage.extension.statusBar.includes("run 5/6"), "the status bar counts");
    isHeld = false;
    await stage.reopen();
    goOn();

    panel = await stage.panel();
    await stage.row(/^Run Write a report.*, Done, 8 of 8 tasks done/);
    await stage.row(/^Outputs, 1/);
    const done = stage.notice(panel, "[Job Completed]");
    await done.getByRole("button", { name: "Open Outputs" }).click();
    await until(() => stage.extension.shownFile?.endsWith("/report.md"), "the report in an editor");
    const [id = ""] = (await stage.list("multiverse/outputs")).filter(
      (name) => name !== ".gitkeep",
    );
    assert.match(await stage.read(`multiverse/outputs/${id}/report.md`), /^# Made for /);
    const planned = stage.server.requests.filter(({ messages }) =>
      JSON.stringify(messages[1]).includes("The phase is ANALYZING"),
    );
    assert.equal(planned.length, 1);
    await until(
      async () => (await stage.list(".rooroo/locks")).every((name) => !name.startsWith("run-run")),
      "nobody holds the run",
    );
  });
});
