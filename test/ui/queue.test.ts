import { strict as assert } from "node:assert";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import type { Frame } from "playwright-core";
import { call, report, taskIdIn, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

const findings = (request: ChatCompletionRequest) =>
  `.rooroo/tasks/${taskIdIn(request)}/findings.md`;
/** An analyzer at work: writes its findings into its own folder, and names them. */
const analysis = [
  (request: ChatCompletionRequest) =>
    call("write_to_file", { path: findings(request), content: "# Findings\n" }),
  (request: ChatCompletionRequest) =>
    report("Done", "Looked into it.", { output_artifact_paths: [findings(request)] }),
];

describe("tasks, plans and the queue", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({}, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  it("[R-ROO-7] Proceed with an empty queue says so, without asking a model", async () => {
    stage.server.script();
    await stage.say(panel, "proceed");
    await stage.notice(panel, "The queue is empty.").waitFor();
    assert.equal(stage.server.requests.length, 0);
  });

  it("[R-ROO-15] answers filler without starting anything", async () => {
    stage.server.script(triage("acknowledge"));
    await stage.say(panel, "thanks!");
    await stage.notice(panel, "Ready for your next command").waitFor();
    assert.equal(stage.server.requests.length, 1);
  });

  it("[R-ROO-10] plans a larger goal and works through the plan, each task in its folder", async () => {
    const task = (goal: string) => ({ suggested_mode: "rooroo-analyzer", goal_for_expert: goal });
    let goOn: () => void = () => undefined;
    const watched = new Promise<void>((resolve) => (goOn = resolve));
    stage.server.script(
      triage("plan", { goal: "Prepare tally for other currencies" }),
      report("Done", "Three looks before we change anything.", {
        plan_overview: "First money, then carts, then invoices.",
        queue_tasks_json_lines: [
          task("Find where money is formatted"),
          task("Find where carts add up"),
          task("Find where invoices round"),
        ],
      }),
      ...analysis,
      ...analysis,
      // The last one waits until it has been watched.
      { after: watched, then: { say: "Hm." } },
      ...analysis,
    );
    await stage.say(panel, "Get tally ready for other currencies");
    await stage.row(/^Running, .*invoices round/).waitFor();
    await stage.screenshot("plan-running");
    goOn();
    await stage.notice(panel, /The task is done\.|All tasks in the queue are done\./).waitFor();
    assert.equal(stage.server.left, 0);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
    const ids = await stage.taskFolders(/^ROO#SUB_/);
    assert.equal(ids.length, 3);
    for (const id of ids) {
      for (const name of ["context.md", "findings.md", "report.json"]) {
        assert.ok(stage.has(`.rooroo/tasks/${id}/${name}`), `${id}/${name}`);
      }
    }
    await stage.row(/^Done, 4/).click();
    await stage.row(/^Plan: Prepare tally for other currencies, 3 of 3 done/).click();
    // A row leads to what was said about its task; the list keeps the focus.
    await stage.row(/^Done, .*money is formatted/).click();
    const shown = panel.locator(".item.shown");
    const first = await shown.getAttribute("data-id");
    await shown.filter({ hasText: "Looked into it." }).waitFor();
    await stage.page.keyboard.press("ArrowDown");
    await stage.page.keyboard.press("Enter");
    await until(
      async () => (await shown.count()) === 1 && (await shown.getAttribute("data-id")) !== first,
      "the next task is shown",
    );
    await stage.screenshot("plan-done");
    assert.ok(await stage.page.evaluate(() => document.activeElement?.closest(".monaco-list")));
  });

  it("[R-ROO-33] shows a plan that waits, follows the queue's file, and starts it as it was edited", async () => {
    const task = (goal: string) => ({ suggested_mode: "rooroo-analyzer", goal_for_expert: goal });
    stage.server.script(
      report("Done", "Two looks.", {
        plan_overview: "First taxes, then totals.",
        queue_tasks_json_lines: [task("Find the taxes"), task("Find the totals")],
      }),
    );
    await stage.say(panel, "/plan --wait Find taxes and totals");
    const card = panel.getByRole("region", { name: "Plan: Find taxes and totals" });
    await card.getByRole("button", { name: "Start" }).waitFor();
    await stage.screenshot("plan-card-waits");
    const path = ".rooroo/queue.jsonl";
    await stage.write(path, (await stage.read(path)).replace("the totals", "all totals"));
    await card.getByText("Find all totals").waitFor();
    await card.getByRole("button", { name: "Edit", exact: true }).click();
    const totals = card.getByRole("group", { name: /all totals/ });
    await totals.focus();
    await stage.page.keyboard.press("Alt+ArrowUp");
    await until(async () => /all totals.*\n.*taxes/.test(await stage.read(path)), "moved");
    await card.getByRole("group").first().getByText("all totals").waitFor();
    await stage.page.keyboard.press("Delete");
    await until(async () => !(await stage.read(path)).includes("totals"), "removed");
    await card.getByText("Find all totals").waitFor();
    stage.server.script(...analysis);
    await card.getByRole("button", { name: "Start" }).click();
    await card.getByRole("heading", { name: /1 of 1 done/ }).waitFor();
    await stage.screenshot("plan-card-done");
    await stage.atRest(panel);
    assert.equal(await stage.read(path), "");
  });

  it("[R-ROO-14] queues a task, and runs what a person queued by hand with Proceed", async () => {
    stage.server.script(
      triage("queue", { expert: "rooroo-analyzer", goal: "List the exports" }),
      ...analysis,
    );
    await stage.say(panel, "Some day, list the exports");
    await stage.notice(panel, "Added to the queue").waitFor();
    await until(() => stage.server.left === 0, "the task has run");
    await stage.atRest(panel);

    const line = (number: number, goal: string) =>
      `{"taskId":"ROO#TASK_20260102030405_AB12C${number}","suggested_mode":"rooroo-analyzer","goal_for_expert":"${goal}"}\n`;
    const context = ".rooroo/tasks/ROO#TASK_20260102030405_AB12C1/context.md";
    await stage.write(context, "Only those of src.\n");
    await stage.write(
      ".rooroo/queue.jsonl",
      `${line(1, "Count the files")}this is no task\n${line(2, "Count the tests")}`,
    );
    await stage.row(/^Queued, Count the tests/).waitFor();
    await stage.row(/^Line 2 of the queue is invalid/).waitFor();
    await panel.getByText("2 queued").waitFor();
    await stage.screenshot("queued-by-hand");

    const inOrder = (...goals: readonly string[]) =>
      until(
        async () => (await queued.allInnerTexts()).join().includes(goals.join()),
        `${goals.join(" before ")} in the tree`,
      );
    const queued = stage.row(/^Queued, Count/).locator(".label-name");
    const [files, tests] = ["files", "tests"].map((what) =>
      stage.row(RegExp(`^Queued, .* ${what}`)),
    );
    assert.ok(files && tests);
    await tests.dragTo(files);
    await inOrder("Count the tests", "Count the files");
    await files.click();
    await stage.page.getByRole("tab", { name: /^context\.md/ }).waitFor();
    await stage.page.keyboard.press("Alt+ArrowUp");
    await inOrder("Count the files", "Count the tests");
    await stage.page.keyboard.press("Alt+ArrowDown");
    await inOrder("Count the tests", "Count the files");
    await files.hover();
    await files.getByRole("button", { name: "Run Next" }).click();
    await inOrder("Count the files", "Count the tests");
    assert.equal(await stage.read(context), "Only those of src.\n");
    await stage.write(
      ".rooroo/queue.jsonl",
      `${await stage.read(".rooroo/queue.jsonl")}${line(3, "Count on nobody")}`,
    );
    await stage.row(/^Queued, Count on nobody/).click();
    await stage.page.keyboard.press("Delete");
    await stage.row(/^Queued, Count on nobody/).waitFor({ state: "detached" });

    stage.server.script(...analysis, ...analysis);
    await panel.locator(".strip").getByRole("button", { name: "Proceed" }).click();
    await until(
      async () => (await stage.read(".rooroo/queue.jsonl")) === "this is no task\n",
      "drained",
    );
    await stage.write(".rooroo/queue.jsonl", "");
  });

  it("[R-ROO-19] shows an expert's question, and goes on with the answer", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Measure the code" }),
      call("ask_followup_question", {
        question: "Do you mean lines or files?",
        suggestions: ["Lines", "Files"],
      }),
      report("Done", "219 lines."),
    );
    await stage.say(panel, "How much code is this?");
    await stage.row(/^Needs You, .*lines or files/).waitFor();
    await stage.screenshot("question");
    await panel.getByRole("button", { name: "Lines", exact: true }).click();
    await stage.report(panel, "219 lines.").waitFor();
    assert.equal(stage.server.requests.at(-1)?.messages.at(-1)?.content, "Lines");
  });

  it("[R-ROO-16] asks when it cannot tell what is meant", async () => {
    stage.server.script(
      triage("clarify", { question: "Which one do you mean?" }),
      triage("acknowledge", { reply: "The invoice it is." }),
    );
    await stage.say(panel, "Do the thing");
    const question = panel.locator(".question").filter({ hasText: "Which one do you mean?" });
    await question.getByRole("textbox", { name: "Your answer" }).fill("The invoice");
    await question.getByRole("button", { name: "Answer" }).click();
    await stage.notice(panel, "The invoice it is.").waitFor();
  });

  it("[R-ROO-6] hands a brainstorm over, which goes on until it is left", async () => {
    stage.server.script(
      triage("brainstorm", { goal: "Names for tally" }),
      { say: "Two ideas: **Abacus** or **Ledgerly**. Which direction do you like?" },
      { say: "Then *Abakus*, with a k. Shall I write it down?" },
    );
    await stage.say(panel, "Let us find a new name for tally");
    await stage.notice(panel, "Idea Sparker is on it.").waitFor();
    await panel.getByText("Which direction do you like?").first().waitFor();
    await stage.screenshot("brainstorm");
    await stage.say(panel, "Abacus, but shorter");
    await panel.getByText("with a k").first().waitFor();
    assert.equal(stage.server.left, 0);
    await stage.say(panel, "/leave");
    await stage.notice(panel, "Ready for your next command").waitFor();
  });

  it("tells a second window on the folder who works on the queue", async () => {
    let finish: (value: unknown) => void = () => undefined;
    stage.server.script(triage("queue", { expert: "rooroo-analyzer", goal: "Think for a while" }), {
      after: new Promise((resolve) => (finish = resolve)),
      then: report("Done", "Thought."),
    });
    await stage.say(panel, "Think about it later");
    await stage.row(/^Running, Think for a while/).waitFor();

    const second = await stage.secondWindow();
    await second.panel.getByText(/The queue is being run by/).waitFor();
    await stage.say(second.panel, "proceed");
    await stage.notice(second.panel, "The queue is being worked on by").waitFor();
    await second.page.screenshot({ path: stage.screenshotPath("second-window") });

    finish(undefined);
    await stage.report(panel, "Thought.").waitFor();
    await second.panel.getByText(/The queue is being run by/).waitFor({ state: "detached" });
    await stage.report(second.panel, "Thought.").waitFor();

    // A task that is done at once never comes to the queue, and is followed all the same.
    stage.server.script(triage("direct", { expert: "rooroo-developer", goal: "Do it now" }), {
      after: new Promise((resolve) => (finish = resolve)),
      then: report("Done", "Directly."),
    });
    await stage.say(panel, "Do it now");
    await second.page.getByRole("treeitem", { name: /^Running, Do it now/ }).waitFor();
    await second.panel.locator(".task-goal").filter({ hasText: "Do it now" }).waitFor();
    finish(undefined);
    await stage.report(second.panel, "Directly.").waitFor();
    await second.page.close();
    assert.equal(stage.server.left, 0);
  });
});
