import { strict as assert } from "node:assert";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import type { Page } from "playwright-core";
import { CancellationTokenSource } from "../fakes/vscode/events.js";
import { DataTransfer } from "../fakes/vscode/trees.js";
import { call, report, taskIdIn, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

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
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({}, async (opened) => {
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
    await stage.notice(panel, "All right. What should be done next?").waitFor();
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
    await stage.row(/^Running, .*invoices round/);
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
    await stage.row(/^Done, 4/);
    await stage.row(/^Plan: Prepare tally for other currencies, 3 of 3 done/);
    // A row leads to what was said about its task.
    await stage.extension.click(await stage.row(/^Done, .*money is formatted/));
    const shown = panel.locator(".item.shown");
    await shown.filter({ hasText: "Looked into it." }).waitFor();
    const first = (await shown.getAttribute("data-id")) ?? "";
    await stage.extension.click(await stage.row(/^Done, .*carts add up/));
    await panel.locator(`.item.shown:not([data-id="${first}"])`).waitFor();
    assert.equal(await shown.count(), 1);
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
    const path = ".rooroo/queue.jsonl";
    await stage.write(path, (await stage.read(path)).replace("the totals", "all totals"));
    await card.getByText("Find all totals").waitFor();
    await card.getByRole("button", { name: "Edit", exact: true }).click();
    const totals = card.getByRole("group", { name: /all totals/ });
    await totals.focus();
    await panel.keyboard.press("Alt+ArrowUp");
    await until(async () => /all totals.*\n.*taxes/.test(await stage.read(path)), "moved");
    await card.getByRole("group").first().getByText("all totals").waitFor();
    await panel.keyboard.press("Delete");
    await until(async () => !(await stage.read(path)).includes("totals"), "removed");
    await card.getByText("Find all totals").waitFor();
    stage.server.script(...analysis);
    await card.getByRole("button", { name: "Start" }).click();
    await card.getByRole("heading", { name: /1 of 1 done/ }).waitFor();
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
    await stage.row(/^Queued, Count the tests/);
    await stage.row(/^Line 2 of the queue is invalid/);
    await panel.getByText("2 queued").waitFor();

    const queued = (goal: string) => stage.row(RegExp(`^Queued, ${goal}`));
    const inOrder = (...goals: readonly string[]) =>
      until(
        async () => {
          const labels = (await stage.extension.rows()).map(({ label }) => label);
          return labels.filter((label) => label.startsWith("Count ")).join() === goals.join();
        },
        `${goals.join(" before ")} in the tree`,
      );
    const tree = stage.extension.editor.window.trees.get("rooroo.tasks");
    assert.ok(tree?.dragAndDrop);
    const dragged = new DataTransfer();
    const { token } = new CancellationTokenSource();
    const [files, tests] = [await queued("Count the files"), await queued("Count the tests")];
    await tree.dragAndDrop.handleDrag?.([tests.element], dragged, token);
    await tree.dragAndDrop.handleDrop?.(files.element, dragged, token);
    await inOrder("Count the tests", "Count the files");
    await stage.extension.click(await queued("Count the files"));
    assert.equal(stage.extension.shownFile, context);
    for (const [command, ...goals] of [
      ["rooroo.moveUp", "Count the files", "Count the tests"],
      ["rooroo.moveDown", "Count the tests", "Count the files"],
      ["rooroo.runNext", "Count the files", "Count the tests"],
    ] as const) {
      await stage.command(command, (await queued("Count the files")).element);
      await inOrder(...goals);
    }
    assert.equal(await stage.read(context), "Only those of src.\n");
    await stage.write(
      ".rooroo/queue.jsonl",
      `${await stage.read(".rooroo/queue.jsonl")}${line(3, "Count on nobody")}`,
    );
    await stage.command("rooroo.removeFromQueue", (await queued("Count on nobody")).element);
    await stage.extension.noRow(/^Queued, Count on nobody/);

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
    await stage.row(/^Needs You, .*lines or files/);
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
    // Before that, what is typed is a message for the turn that is about to end.
    await panel.getByPlaceholder("Message the Idea Sparker").waitFor();
    await stage.say(panel, "Abacus, but shorter");
    await panel.getByText("with a k").first().waitFor();
    assert.equal(stage.server.left, 0);
    await stage.say(panel, "/leave");
    await stage.notice(panel, "All right. What should be done next?").waitFor();
  });
});
