import assert from "node:assert/strict";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import { panelBrowser } from "./panelBrowser.js";
import { PanelHost } from "./panelHost.js";
import { light } from "./themes.js";
import { usePanelPage } from "./usePanelPage.js";

const at = "2026-01-05T10:00:00.000Z";
const planId = "ROO#PLAN_20260105100000_AB12CD";
const planner = "ROO#TASK_20260105100000_AB12CD";
const sub = (number: number) => `ROO#SUB_20260105100000_AB12CD_S00${number}`;
const goals = [
  "Describe the CSV export: columns, quoting, and what an empty invoice gives",
  "Write the export in src/export.js with tests",
  "Check the export against the sample invoices",
  "Describe it in the README",
];
const planned = (held: boolean): ConversationEvent => ({
  type: "plan",
  at,
  planId,
  taskId: planner,
  goal: "Plan a CSV export of the invoices",
  overview: "First **what** it is, then the code, then a look at real data.",
  tasks: goals.map((goal, index) => ({
    taskId: sub(index + 1),
    mode: index === 1 ? "rooroo-developer" : "rooroo-analyzer",
    goal,
    ...(held && index === 0 ? { is: "held" } : {}),
  })),
});
const starts = (taskId: string, mode: string, goal: string): ConversationEvent => ({
  type: "sessionStarted",
  at,
  taskId,
  mode,
  goal,
});

describe("the plan's card", () => {
  let host: PanelHost;
  usePanelPage((loaded) => {
    host = loaded;
  });

  const card = () => host.page.getByRole("region", { name: /^Plan: / });
  const row = (goal: string) => card().getByRole("group", { name: new RegExp(goal) });
  const lastEdit = async (count: number) =>
    ((await host.request("editPlan", count)).params as { edit: unknown }).edit;

  function begin(): void {
    host.event({ type: "user", id: "u", at, text: "Plan a CSV export of the invoices" });
    host.event({
      type: "plan",
      at,
      planId,
      taskId: planner,
      goal: "Plan a CSV export of the invoices",
    });
    host.event(starts(planner, "rooroo-planner", "Plan a CSV export of the invoices"));
  }

  it("is there from the first moment, and in place of the planner's own heading", async () => {
    begin();
    await host.drawn();
    await card().getByRole("heading", { name: "Planning…" }).waitFor();
    assert.equal(await host.page.getByRole("heading", { name: /Planner/ }).count(), 0);
  });

  it("waits for Start, and is edited by keyboard; the focus stays with the task", async () => {
    host.results.experts = ["rooroo-developer", "rooroo-analyzer"];
    begin();
    host.event(planned(true));
    await host.drawn();
    const spoken = host.page.locator("rooroo-announcer [aria-live=assertive]");
    assert.match((await spoken.textContent()) ?? "", /waiting for you to start it/);
    await host.page.screenshot({ path: "out/screenshots/plan-waits.png" });

    const edit = card().getByRole("button", { name: "Edit", exact: true });
    await edit.focus();
    await host.page.keyboard.press("Enter");
    await row("README").focus();
    await host.page.keyboard.press("Alt+ArrowUp");
    assert.deepEqual(await lastEdit(1), { type: "move", taskId: sub(4), before: sub(3) });
    const moved = planned(true);
    assert.ok(moved.type === "plan" && moved.tasks);
    const [one, two, three, four] = moved.tasks;
    host.event({ ...moved, tasks: [one!, two!, four!, three!] });
    await host.drawn();
    const focused = () => host.page.evaluate(() => document.activeElement?.textContent ?? "");
    assert.match(await focused(), /README/);
    await host.page.keyboard.press("Alt+ArrowDown");
    assert.deepEqual(await lastEdit(2), { type: "move", taskId: sub(4), before: null });

    await host.page.keyboard.press("Enter");
    await host.request("experts");
    await host.drawn();
    const goal = card().getByRole("textbox", { name: "Goal" });
    assert.equal(await goal.evaluate((field) => field === document.activeElement), true);
    await goal.fill("Describe it in docs/export.md");
    await card().getByRole("combobox", { name: "Expert" }).selectOption("rooroo-developer");
    await host.page.screenshot({ path: "out/screenshots/plan-edit.png" });
    await goal.press("Enter");
    assert.deepEqual(await lastEdit(3), {
      type: "change",
      taskId: sub(4),
      was: { mode: "rooroo-analyzer", goal: goals[3] },
      mode: "rooroo-developer",
      goal: "Describe it in docs/export.md",
    });
    assert.match(await focused(), /README/);
    await host.page.keyboard.press("Enter");
    await host.drawn();
    await host.page.keyboard.press("Escape");
    await host.drawn();
    assert.equal(await goal.count(), 0);
    assert.match(await focused(), /README/);

    await host.page.keyboard.press("Delete");
    assert.deepEqual(await lastEdit(4), { type: "remove", taskId: sub(4) });
    host.event({ ...moved, tasks: [one!, two!, { ...four!, is: "skipped" }, three!] });
    await host.drawn();
    assert.match(await focused(), /sample invoices/);

    await card().getByRole("button", { name: "Add Task" }).click();
    await card().getByRole("textbox", { name: "Goal" }).fill("Measure it");
    await card().getByRole("button", { name: "Add", exact: true }).click();
    assert.deepEqual(await lastEdit(5), {
      type: "add",
      mode: "rooroo-developer",
      goal: "Measure it",
    });
    await card().getByRole("button", { name: "Start" }).click();
    assert.deepEqual(await lastEdit(6), { type: "start" });
  });

  it("shows how far each task is, and pauses", async () => {
    begin();
    host.event(planned(false));
    host.event(starts(sub(1), "rooroo-analyzer", goals[0]!));
    const usage = { inputTokens: 12_000, outputTokens: 400, cachedTokens: 0, costUsd: 0.031 };
    host.event({ type: "agent", at, taskId: sub(1), event: { type: "usage", usage } });
    host.event({
      type: "sessionEnded",
      at: "2026-01-05T10:01:12.000Z",
      taskId: sub(1),
      mode: "rooroo-analyzer",
      end: "Done",
      message: "Described it.",
      artifacts: [],
    });
    host.event(starts(sub(2), "rooroo-developer", goals[1]!));
    await host.drawn();
    const heading = card().getByRole("heading");
    assert.match(await heading.innerText(), /1 of 4 done/);
    // The strip says it while the card is out of sight, and leads to it.
    const now = host.page.locator(".strip").getByRole("button", { name: "Plan: 1 of 4 done" });
    await now.click();
    await host.page.locator("[data-id]:focus").filter({ has: card() }).waitFor();
    await row("columns, quoting.*1 min 12 s · \\$0.0310").waitFor();
    await row("Write the export.*running").waitFor();
    await card().getByRole("button", { name: "Overview" }).click();
    await card().getByText("then a look at real data").waitFor();
    await card().getByRole("button", { name: "Pause" }).click();
    assert.deepEqual(await lastEdit(1), { type: "pause" });
    // What has begun or ended cannot be edited.
    await card().getByRole("button", { name: "Edit", exact: true }).click();
    assert.equal(
      await card()
        .getByRole("button", { name: /^Remove/ })
        .count(),
      2,
    );
    await host.page.screenshot({ path: "out/screenshots/plan-running-card.png" });
    for (const number of [2, 3, 4]) {
      const taskId = sub(number);
      if (number > 2) host.event(starts(taskId, "rooroo-analyzer", goals[number - 1]!));
      host.event({
        type: "sessionEnded",
        at: "2026-01-05T10:02:00.000Z",
        taskId,
        mode: "rooroo-analyzer",
        end: "Done",
        message: "Did it.",
        artifacts: [],
      });
    }
    await host.drawn();
    await card()
      .getByRole("heading", { name: /4 of 4 done/ })
      .waitFor();
    assert.equal(await host.page.locator(".strip").getByText("Plan:").count(), 0);
  });

  it("fits into a narrow panel, in a light theme, too", async () => {
    const narrow = await PanelHost.open(await panelBrowser(), {
      theme: light,
      width: 300,
      height: 700,
    });
    await narrow.load();
    narrow.event({ type: "user", id: "u", at, text: "Plan a CSV export" });
    narrow.event(planned(true));
    await narrow.drawn();
    const plan = narrow.page.getByRole("region", { name: /^Plan: / });
    await plan.getByRole("button", { name: "Edit", exact: true }).click();
    await narrow.page.screenshot({ path: "out/screenshots/plan-narrow.png" });
    const overflow = await narrow.page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    assert.equal(overflow, false);
    await narrow.close();
  });
});
