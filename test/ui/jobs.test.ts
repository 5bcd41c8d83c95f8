import { strict as assert } from "node:assert";
import type { Frame, Locator } from "playwright-core";
import { jobPlayers } from "../modelServer/jobPlayers.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

const pages = ["Home", "Install", "Setup", "Guide", "Errors", "Limits", "Prices", "News", "Help"];
const phase = (number: number, text: string, tasks: readonly string[]) => ({
  text: `${number}. ${text}`,
  tasks: tasks.map((task, index) => `${number}.${index + 1}. ${task}`),
});
const items = [
  phase(1, "Translate the pages that people read first", pages.slice(0, 4)),
  phase(2, "Translate the rest", pages.slice(4)),
  { text: "3. Check every link" },
];

describe("a job in the editor", () => {
  let stage: Stage;
  let panel: Frame;
  const settings = { "rooroo.approvals.preset": "all", "rooroo.jobs.runners": 3 };
  const files = {
    ".jixo/french.job.md": "---\nname: french\n---\n\nTranslate docs/ into French.\n",
  };
  useStage({ settings, files }, async (opened) => {
    stage = opened;
    const { page } = stage;
    await page.setViewportSize({ width: 1280, height: 1700 });
    panel = await stage.panel();
    await stage.runCommand("rooroo.tasks.focus");
    await stage.row(/^Jobs, 1/).waitFor();
  });

  const job = () => stage.row(/^Job french, /);
  const press = async (row: Locator, button: string) => {
    await row.hover();
    await row.getByRole("button", { name: button }).click();
  };

  const run = async (row: Locator) => {
    await press(row, "Run Job…");
    await stage.page.getByRole("option", { name: "Run Until Done" }).waitFor();
    await stage.page.keyboard.press("Enter");
  };
  it("shows who does what while it runs, stops it, and goes on to its end with an answer", async () => {
    const [stopped, answered] = [gate(), gate()];
    const asks = {
      result: "Pending",
      summary: "Tu or vous?",
      clarification: {
        question: "Say tu or vous to readers?",
        default_plan: [{ text: "2.1. Errors, with vous" }],
      },
    };
    let asked = false;
    const players = jobPlayers({
      plan: { title: "Docs in French", changes: [{ action: "add", items }] },
      waits: (task) =>
        task === "1.1" ? undefined : task === "3" ? answered.opened : stopped.opened,
      ends: (task) => {
        if (task !== "2.1" || asked) return undefined;
        asked = true;
        return asks;
      },
    });
    stage.server.script(...Array.from({ length: 200 }, () => players));
    await stage.row(/^Job french, New/).waitFor();
    await stage.screenshot("job-new");
    await run(job());
    for (const task of ["1\\.2", "1\\.3", "1\\.4"]) {
      await stage.row(RegExp(`^Running, ${task}\\. .*, turn 1 of 60`)).waitFor();
    }
    await stage.statusBar.getByText(/job french 10%/).waitFor();
    await stage.screenshot("job-running");
    const log = () => stage.read(".jixo/french.log.md");
    assert.equal((await log()).match(/status: Locked/g)?.length, 3);

    await press(job(), "Stop Job");
    await stage.row(/^Job french, Not Running/).waitFor();
    await stage.screenshot("job-stopped");
    assert.doesNotMatch(await log(), /Locked/);

    stopped.open();
    await run(job());
    await stage
      .row(/^Question: Say tu or vous/)
      .nth(1)
      .waitFor();
    await stage.row(/^Needs You, 1/).waitFor();
    // Its row at the top leads to the card.
    await stage
      .row(/^Question: Say tu or vous/)
      .first()
      .click();
    await panel.locator(".item.shown").filter({ hasText: "to readers?" }).waitFor();
    await press(job(), "Open Job File");
    await stage.page.locator(".codelens-decoration").filter({ hasText: "Answer…" }).waitFor();
    await stage.row(/^Roadmap/).click();
    await stage.row(/^Work Log/).click();
    await stage.row(/^Pending, Task 2\.1\. Errors, Asked/).waitFor();
    await stage.screenshot("job-question");
    const question = panel.locator(".question").filter({ hasText: "to readers?" });
    await question.getByRole("textbox", { name: "Your answer" }).fill("vous");
    await question.getByRole("button", { name: "Answer" }).click();
    await stage.row(/^Succeeded, Work in what was answered/).waitFor();
    answered.open();
    await stage.row(/^Job french, Done, 10 of 10 tasks done/).waitFor();
    await stage.screenshot("job-done");
    assert.match(await log(), /progress: "100%"/);
    assert.doesNotMatch(await stage.read(".jixo/french.job.md"), /CLARIFICATION/);
    await until(
      async () => (await stage.list(".rooroo/jobs/french/runners")).length === 0,
      "no runner is left",
    );
  });

  it("goes on with a job after a reload, and after the editor was killed", async () => {
    const killed = gate();
    const plan = { title: "Once more", changes: [{ action: "add", items: items.slice(2) }] };
    const players = jobPlayers({ plan, waits: () => killed.opened });
    stage.server.script(...Array.from({ length: 50 }, () => players));
    await stage.write(".jixo/again.job.md", "Check all links.\n");
    const again = stage.row(/^Job again, /);
    await again.waitFor();
    await run(again);
    await until(() => stage.server.requests.length === 3, "a runner has written its file");
    stage.server.script(...Array.from({ length: 50 }, () => players));
    await stage.reload();
    await until(() => stage.server.requests.length === 2, "another runner goes on with it");
    const stopped = await stage.read(".jixo/again.log.md");
    const why = /The window was closed or loaded anew; work will be resumed\./g;
    assert.equal(stopped.match(why)?.length, 1);
    await stage.crash();

    killed.open();
    await stage.reopen();
    await stage.runCommand("rooroo.tasks.focus");
    await stage.row(/^Job again, Done, 1 of 1 task done/).waitFor();
    const log = await stage.read(".jixo/again.log.md");
    assert.equal(log.match(/Result\*\*: Succeeded/g)?.length, 2, "planned once, done once");
    assert.equal(log.match(/Result\*\*: Pending/g)?.length, 1, "who is killed says nothing");
    await stage.screenshot("job-after-crash");
  });
});

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
