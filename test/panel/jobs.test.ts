import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { jobPlayers } from "../modelServer/jobPlayers.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

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

describe("a job with its rows and cards", () => {
  let stage: PanelStage;
  let panel: Page;
  const settings = { "rooroo.approvals.preset": "all", "rooroo.jobs.runners": 3 };
  const files = {
    ".jixo/french.job.md": "---\nname: french\n---\n\nTranslate docs/ into French.\n",
  };
  usePanelStage({ settings, files }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
    await stage.row(/^Jobs, 1/);
  });

  /** Runs it until it is done; resolves when it has ended. */
  const run = (job: RegExp) => {
    stage.person.picks(/Run Until Done/);
    return stage.extension.choose(job, "rooroo.runJob");
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
    const first = run(/^Job french, External, New/);
    for (const task of ["1\\.2", "1\\.3", "1\\.4"]) {
      await stage.row(RegExp(`^Running, ${task}\\. .*, turn 1 of 60`));
    }
    await until(
      () => stage.extension.statusBar.includes("job french 10%"),
      "it is in the status bar",
    );
    const log = () => stage.read(".jixo/french.log.md");
    assert.equal((await log()).match(/status: Locked/g)?.length, 3);

    await stage.extension.choose(/^Job french, /, "rooroo.stopJob");
    await first;
    await stage.row(/^Job french, Not Running/);
    assert.doesNotMatch(await log(), /Locked/);

    stopped.open();
    const second = run(/^Job french, Not Running/);
    const questions = async () => {
      const rows = await stage.extension.rows();
      const found = rows.filter(({ spoken }) => spoken.startsWith("Question: Say tu or vous"));
      return found.length === 2 && found;
    };
    // The one at the top leads to the card, the other stands below its job.
    const [top] = await until(questions, "two rows for the question");
    await stage.row(/^Needs You, 1/);
    assert.ok(top);
    await stage.extension.click(top);
    await panel.locator(".item.shown").filter({ hasText: "to readers?" }).waitFor();
    await stage.row(/^Pending, Task 2\.1\. Errors, Asked/);
    const question = panel.locator(".question").filter({ hasText: "to readers?" });
    await question.getByRole("textbox", { name: "Your answer" }).fill("vous");
    await question.getByRole("button", { name: "Answer" }).click();
    await stage.row(/^Succeeded, Work in what was answered/);
    answered.open();
    await stage.row(/^Job french, Done, 10 of 10 tasks done/);
    await second;
    assert.match(await log(), /progress: "100%"/);
    assert.doesNotMatch(await stage.read(".jixo/french.job.md"), /CLARIFICATION/);
    await until(
      async () => (await stage.list(".rooroo/jobs/french/runners")).length === 0,
      "no runner is left",
    );
  });

  it("goes on after the window was loaded anew, and says why it was interrupted", async () => {
    const held = gate();
    const plan = { title: "Once more", changes: [{ action: "add", items: items.slice(2) }] };
    const players = jobPlayers({ plan, waits: () => held.opened });
    stage.server.script(...Array.from({ length: 50 }, () => players));
    await stage.write(".jixo/again.job.md", "Check all links.\n");
    const first = run(/^Job again, /);
    await until(() => stage.server.requests.length === 3, "a runner has written its file");
    stage.server.script(...Array.from({ length: 50 }, () => players));
    await stage.reopen();
    await first;
    await until(() => stage.server.requests.length === 2, "another runner goes on with it");
    const log = () => stage.read(".jixo/again.log.md");
    const why = /The window was closed or loaded anew; work will be resumed\./g;
    assert.equal((await log()).match(why)?.length, 1);

    held.open();
    await stage.row(/^Job again, Done, 1 of 1 task done/);
    assert.equal((await log()).match(/Result\*\*: Succeeded/g)?.length, 2, "planned and done once");
    panel = await stage.panel();
  });
});

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
