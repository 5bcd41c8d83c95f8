import { strict as assert } from "node:assert";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import type { Page } from "playwright-core";
import { runReply } from "../fakes/runPlays.js";
import type { SeenRow } from "../fakes/vscode/trees.js";
import { jobPlayers } from "../modelServer/jobPlayers.js";
import type { Reply } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("words to those who work for a job or a run", () => {
  let stage: PanelStage;
  let panel: Page;
  const settings = {
    "rooroo.approvals.preset": "all",
    "rooroo.jobs.runners": 2,
  };
  const files = {
    ".jixo/french.job.md": "---\nname: french\n---\n\nTranslate docs/ into French.\n",
    "multiverse/assets/notes.md": "# Notes on bees\n\nThey need flowers.\n",
  };
  usePanelStage({ settings, files }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  const sendTo = () => panel.getByRole("button", { name: /^Send to: / });
  const queued = (text: string) => panel.locator(".pending-row").filter({ hasText: text });
  const said = (text: string) =>
    panel.locator(".item").filter({ hasText: "You said to the expert at work:" }).filter({
      hasText: text,
    });
  /** Presses a button of a row, which must be offered there. */
  const press = async (row: SeenRow, command: string) => {
    assert.ok(stage.extension.offeredOn(row).includes(command), `${command} on ${row.context}`);
    await stage.command(command, row.element);
  };
  /** Runs a job until it is done; resolves with the end of it. */
  const run = async (name: string) => {
    stage.person.picks("Run Until Done");
    // A job that was just stopped is shown as running for a moment.
    const row = await stage.row(RegExp(`^Job ${name}, (?!Running)`));
    return { ended: press(row, "rooroo.runJob") };
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
    await stage.row(/^Job french, External, New/);
    await run("french");
    for (const task of ["1\\. Home", "2\\. Install"]) {
      await stage.row(RegExp(`^Running, ${task}, turn 1 of 60`));
    }
    // Words that come before these requests would be read at once.
    await until(() => stage.server.requests.length === 5, "both runners are about to submit");
    await sendTo().click();
    const choices = panel.getByRole("menuitemradio", { name: /To Job Runner/ });
    await choices.nth(1).waitFor();
    await choices.filter({ hasText: "french: Task 1. Home" }).click();
    await stage.say(panel, "Say vous to readers");
    await queued("Queued for Job Runner, who reads it before the next step").waitFor();
    await queued("Say vous").getByRole("button", { name: /^Edit/ }).click();
    await panel.keyboard.type(", please");
    await panel.keyboard.press("Enter");
    await queued("Say vous to readers, please").waitFor();

    first.open();
    await said("Say vous to readers, please").waitFor();
    await stage.row(/^Completed, 1\. Home/);
    const told = stage.server.requests.filter(({ messages }) =>
      JSON.stringify(messages).includes("Say vous"),
    );
    assert.match(JSON.stringify(told[0]?.messages[1]), /Task 1\. Home/);

    await stage.say(panel, "Keep the English names");
    await queued("Keep the English names").waitFor();
    await press(await stage.row(/^Job french, Running/), "rooroo.stopJob");
    await queued("Queued for the job french, whose next agent reads it").waitFor();
    second.open();
    await run("french");
    await said("Keep the English names").waitFor();
    await stage.row(/^Job french, Done/);
    await until(async () => (await queued("").count()) === 0, "nothing is queued any more");
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
    const starting = stage.command("rooroo.startRun");
    const input = await until(() => stage.person.inputBox, "the request is asked for");
    assert.match(input.prompt ?? "", /uses the files in multiverse\/assets/);
    await input.enter("Write a report about bees");
    const card = panel.locator(".proposal.open");
    await card.getByRole("button", { name: "Confirm" }).click();
    await stage.row(/^Running, Task Task in STRATEGIZING/);
    await panel.getByRole("button", { name: "Send to: Run Executor" }).waitFor();
    const isAsked = () =>
      stage.server.requests.some(({ messages }) =>
        JSON.stringify(messages[1]).includes("Task in STRATEGIZING: "),
      );
    await until(isAsked, "the executor's first step is under way");
    await stage.say(panel, "Write for gardeners");
    await queued("Queued for Run Executor, who reads it before the next step").waitFor();
    written.open();
    await said("Write for gardeners").waitFor();
    await stage.notice(panel, "[Job Completed]").waitFor();
    await stage.notice(panel, "Write for gardeners").waitFor();
    await starting;
  });

  it("are followed by rows that say when, how long and how much, and lead to place, review and undo", async () => {
    const shown = (text: string) => panel.locator(".item.shown").filter({ hasText: text });

    await stage.row(/^Run Write a report about bees, Done, .*\+\d+ −0/);
    const home = await stage.row(/^Completed, 1\. Home, .*\+1 −0/);
    await stage.extension.click(home);
    await shown("Wrote docs/1.md.").waitFor();
    await press(home, "rooroo.reviewJobChanges");
    await until(() => stage.extension.tab?.includes("1. Home"), "the review of the job's task");
    stage.person.clicks("Undo");
    await press(home, "rooroo.undoJobTask");
    await until(async () => !(await stage.list("docs")).includes("1.md"), "its file is gone");

    await stage.row(/^Completed, Phase Strategizing/);
    await stage.row(/^Completed, Stage Stage/);
    const task = await stage.row(/^Completed, Task Task in STRATEGIZING, .*\+1 −0/);
    await stage.extension.click(task);
    await shown("About notes.md").waitFor();
    await press(task, "rooroo.reviewRunChanges");
    await until(
      () => stage.extension.tab?.includes("Task in STRATEGIZING"),
      "the review of the run's task",
    );
    stage.person.clicks("Undo");
    await press(task, "rooroo.undoRunPart");
    await stage.row(/^Completed, Task Task in STRATEGIZING, undone/);
    const asked = stage.person.said().filter((one) => one.startsWith("Undo the changes of"));
    assert.equal(asked.length, 2, "both were asked about");
  });
});

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
