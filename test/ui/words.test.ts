import { strict as assert } from "node:assert";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import type { Frame, Locator } from "playwright-core";
import { runReply } from "../fakes/runPlays.js";
import { jobPlayers } from "../modelServer/jobPlayers.js";
import type { Reply } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("words to those who work for a job or a run", () => {
  let stage: Stage;
  let panel: Frame;
  const settings = {
    "rooroo.approvals.preset": "all",
    "rooroo.jobs.runners": 2,
    // A click selects a row, and does not open it.
    "workbench.tree.expandMode": "doubleClick",
  };
  const files = {
    ".jixo/french.job.md": "---\nname: french\n---\n\nTranslate docs/ into French.\n",
    "multiverse/assets/notes.md": "# Notes on bees\n\nThey need flowers.\n",
  };
  useStage({ settings, files }, async (opened) => {
    stage = opened;
    await stage.page.setViewportSize({ width: 1280, height: 1700 });
    panel = await stage.panel();
    await stage.runCommand("rooroo.tasks.focus");
  });

  const sendTo = () => panel.getByRole("button", { name: /^Send to: / });
  const queued = (text: string) => panel.locator(".pending-row").filter({ hasText: text });
  const said = (text: string) =>
    panel.locator(".item").filter({ hasText: "You said to the expert at work:" }).filter({
      hasText: text,
    });
  const run = async (name: string) => {
    const row = stage.row(RegExp(`^Job ${name}, `));
    await row.hover();
    await row.getByRole("button", { name: "Run Job…" }).click();
    await stage.page.getByRole("option", { name: "Run Until Done" }).waitFor();
    await stage.page.keyboard.press("Enter");
  };

  it("go to the runner that is chosen, and to its job's next one if it has stopped", async () => {
    const [first, second] = [gate(), gate()];
    const players = jobPlayers({
      plan: {
        title: "Docs in French",
        changes: [{ action: "add", items: [{ text: "1. Home" }, { text: "2. Install" }] }],
      },
      waits: (task) => (task === "1" ? first : second).opened,
    });
    stage.server.script(...Array.from({ length: 100 }, () => players));
    await stage.row(/^Job french, New/).waitFor();
    await run("french");
    for (const task of ["1\\. Home", "2\\. Install"]) {
      await stage.row(RegExp(`^Running, ${task}, turn 1 of 60`)).waitFor();
    }
    // Words that come before these requests would be read at once.
    await until(() => stage.server.requests.length === 5, "both runners are about to submit");
    await sendTo().click();
    const choices = panel.getByRole("menuitemradio", { name: /To Job Runner/ });
    await choices.nth(1).waitFor();
    await stage.screenshot("words-job-choice");
    await choices.filter({ hasText: "french: Task 1. Home" }).click();
    await stage.say(panel, "Say vous to readers");
    await queued("Queued for Job Runner, who reads it before the next step").waitFor();
    await queued("Say vous").getByRole("button", { name: /^Edit/ }).click();
    await stage.page.keyboard.type(", please");
    await stage.page.keyboard.press("Enter");
    await queued("Say vous to readers, please").waitFor();
    await stage.screenshot("words-job-queued");

    first.open();
    await said("Say vous to readers, please").waitFor();
    await stage.row(/^Completed, 1\. Home/).waitFor();
    const told = stage.server.requests.filter(({ messages }) =>
      JSON.stringify(messages).includes("Say vous"),
    );
    assert.match(JSON.stringify(told[0]?.messages[1]), /Task 1\. Home/);

    await stage.say(panel, "Keep the English names");
    await queued("Keep the English names").waitFor();
    const job = stage.row(/^Job french, /);
    await job.hover();
    await job.getByRole("button", { name: "Stop Job" }).click();
    await queued("Queued for the job french, whose next agent reads it").waitFor();
    await stage.screenshot("words-job-stopped");
    second.open();
    await run("french");
    await said("Keep the English names").waitFor();
    await stage.row(/^Job french, Done/).waitFor();
    await until(async () => (await queued("").count()) === 0, "nothing is queued any more");
    await stage.screenshot("words-job-done");
    const log = await stage.read(".jixo/french.log.md");
    assert.match(log, /\*\*Said\*\*: Say vous to readers, please/);
    assert.match(log, /\*\*Said\*\*: Keep the English names/);
  });

  it("go to the agent of a run, and stand in its report", async () => {
    const written = gate();
    const play = ({ messages }: ChatCompletionRequest): Reply => {
      const text = ({ content }: { content?: unknown }) =>
        typeof content === "string" ? content : "";
      const told = text(messages[1] ?? {});
      const results = messages.filter(({ role }) => role === "tool").map(text);
      const { toolCalls = [] } = runReply(told, results);
      const reply = {
        calls: toolCalls.map(({ name, arguments: args }) => ({ name, args: args as object })),
      };
      const waits = told.includes("Task in STRATEGIZING") && results.length === 0;
      return waits ? { after: written.opened, then: reply } : reply;
    };
    stage.server.script(...Array.from({ length: 200 }, () => play));
    await stage.runCommand("rooroo.startRun");
    await stage.page.getByText(/uses the files in multiverse\/assets/).waitFor();
    await stage.page.keyboard.type("Write a report about bees");
    await stage.page.keyboard.press("Enter");
    const card = panel.locator(".proposal.open");
    await card.getByRole("button", { name: "Confirm" }).click();
    await stage.row(/^Running, Task Task in STRATEGIZING/).waitFor();
    await panel.getByRole("button", { name: "Send to: Run Executor" }).waitFor();
    const isAsked = () =>
      stage.server.requests.some(({ messages }) =>
        JSON.stringify(messages[1]).includes("Task in STRATEGIZING: "),
      );
    await until(isAsked, "the executor's first step is under way");
    await stage.say(panel, "Write for gardeners");
    await queued("Queued for Run Executor, who reads it before the next step").waitFor();
    await stage.screenshot("words-run-queued");
    written.open();
    await said("Write for gardeners").waitFor();
    await stage.notice(panel, "[Job Completed]").waitFor();
    await stage.notice(panel, "Write for gardeners").waitFor();
    await stage.screenshot("words-run-done");
  });

  it("are followed by rows that say when, how long and how much, and lead to place, review and undo", async () => {
    const { page } = stage;
    const press = async (row: Locator, button: string) => {
      await row.hover();
      await row.getByRole("button", { name: button }).click();
    };
    const confirm = async () => {
      const dialog = page.getByRole("dialog").filter({ hasText: "Undo the changes of" });
      await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    };
    const shown = (text: string) => panel.locator(".item.shown").filter({ hasText: text });

    // The list has come to rest: what is clicked does not move.
    await stage.row(/^Run Write a report about bees, Done/).waitFor();
    const home = stage.row(/^Completed, 1\. Home, .*\+1 −0/);
    await home.click();
    await shown("Wrote docs/1.md.").waitFor();
    await press(home, "Review Job Changes");
    await page.locator(".tab").filter({ hasText: "1. Home" }).waitFor();
    await press(home, "Undo Job Task…");
    await confirm();
    await until(async () => !(await stage.list("docs")).includes("1.md"), "its file is gone");

    /** Selects a row, opens it, and moves to its first child, which scrolls it into view. */
    const enter = async (row: Locator) => {
      await row.click();
      if ((await row.getAttribute("aria-expanded")) === "false") {
        await page.keyboard.press("ArrowRight");
        await row.and(page.locator("[aria-expanded=true]")).waitFor();
      }
      await page.keyboard.press("ArrowRight");
    };
    // Makes room: only what is in view can be found.
    await stage.row(/^Jobs, 1/).click();
    await page.keyboard.press("ArrowLeft");
    await enter(stage.row(/^Run Write a report about bees, Done, .*\+\d+ −0/));
    await enter(stage.row(/^Completed, Phase Strategizing/));
    await enter(stage.row(/^Completed, Stage Stage/));
    const task = stage.row(/^Completed, Task Task in STRATEGIZING, .*\+1 −0/);
    await task.click();
    await shown("About notes.md").waitFor();
    await stage.screenshot("rows-of-parts");
    await press(task, "Review Run Changes");
    await page.locator(".tab").filter({ hasText: "Task in STRATEGIZING" }).waitFor();
    await stage.screenshot("rows-of-parts-review");
    await press(task, "Undo Run Part…");
    await confirm();
    await stage.row(/^Completed, Task Task in STRATEGIZING, undone/).waitFor();
    await stage.screenshot("rows-of-parts-undone");
  });
});

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
