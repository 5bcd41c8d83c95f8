import { strict as assert } from "node:assert";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import { jobPlayers } from "../modelServer/jobPlayers.js";
import { call, type Reply, report, triage } from "../modelServer/modelServer.js";
import { runPlayers } from "../panel/runPlayers.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("an editor that is killed", () => {
  let stage: Stage;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, (opened) => {
    stage = opened;
  });

  it("goes on with the task where it was, and does nothing twice", async () => {
    const panel = await stage.panel();
    const never = new Promise(() => undefined);
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Count to two" }),
      call("execute_command", { command: "echo one >> count.txt" }),
      { after: never, then: { say: "" } },
    );
    await stage.say(panel, "Count to two in count.txt");
    await until(() => stage.server.requests.length === 3, "the model has heard of the first count");
    const draft = "and then to three";
    await panel.getByRole("textbox", { name: "Message to the Navigator" }).fill(draft);
    await until(async () => (await stage.stored()).includes(draft), "the host has kept the draft");
    await stage.crash();

    stage.server.script(
      call("execute_command", { command: "echo two >> count.txt" }),
      report("Done", "Counted to two."),
    );
    await stage.reopen();
    const after = await stage.panel();
    await stage.report(after, "Counted to two.").waitFor();
    await after.getByText("Count to two in count.txt").waitFor();
    const input = after.getByRole("textbox", { name: "Message to the Navigator" });
    assert.equal(await input.inputValue(), draft);
    await input.press("Control+A");
    await input.press("Delete");
    assert.equal(await stage.read("count.txt"), "one\ntwo\n");
    assert.equal(await after.locator(".task").count(), 1, "it goes on where it was");
    await stage.screenshot("after-crash");
  });

  it("tells a plan's developer after it what the user wrote, selected, and what was found", async () => {
    const { page } = stage;
    await stage.openFile("src/invoice.js");
    // The keys are the editor's only when its text has the focus, which comes after its tab.
    await page.locator(".editor-instance .monaco-editor.focused .view-line").first().waitFor();
    await page.locator(".statusbar-item", { hasText: "Ln 1, Col 1" }).waitFor();
    await page.keyboard.press("Shift+End");
    await page.locator(".statusbar-item", { hasText: "selected" }).waitFor();
    const [selected = ""] = (await stage.read("src/invoice.js")).split("\n");

    let isHeld = true;
    /** Answers as a model whose developer knows only what it is told. */
    const play = (request: ChatCompletionRequest): Reply => {
      const [system = "", told = ""] = request.messages.map(({ content }) =>
        typeof content === "string" ? content : "",
      );
      const isWritten = request.messages.some(({ role }) => role === "tool");
      if (request.tools?.some((tool) => tool.function.name === "triage") === true) {
        return triage("plan", { goal: "Fix it." });
      }
      if (system.includes("You are rooroo-planner")) {
        const tasks = ["analyzer", "developer"].map((name) => ({
          suggested_mode: `rooroo-${name}`,
          goal_for_expert: `Part of the ${name}`,
        }));
        return report("Done", "Planned.", { queue_tasks_json_lines: tasks });
      }
      if (system.includes("You are rooroo-analyzer")) {
        if (isHeld) return { after: new Promise(() => undefined), then: { say: "" } };
        return report("Done", "It is in addUp().");
      }
      const known = [/addUp/, /MAX_OFF/].map((one) => one.exec(told)?.[0]);
      const [, path = ""] = /the editor showed (\S+), line 1/.exec(told) ?? [];
      if (known.includes(undefined) || path === "" || !told.includes(`\n${selected}\n`)) {
        return report("Failed", "Nobody told me.");
      }
      if (isWritten) return report("Done", "Written down.");
      return call("write_to_file", { path: "told.txt", content: `${known.join(" ")} ${path}\n` });
    };
    stage.server.script(...Array.from({ length: 12 }, () => play));
    const panel = await stage.panel();
    await stage.say(panel, "Fix this line:\n1. never below zero\n9. name the constant MAX_OFF");
    await until(() => stage.server.requests.length === 3, "the analyzer is asked");
    await stage.crash();

    isHeld = false;
    await stage.reopen();
    await stage.report(await stage.panel(), "Written down.").waitFor();
    assert.equal(await stage.read("told.txt"), "addUp MAX_OFF src/invoice.js\n");
  });

  it("goes on with a job and a run", async () => {
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const items = [{ text: "1. Check every link" }];
    const plan = { title: "Links", changes: [{ action: "add", items }] };
    const jobPlayer = jobPlayers({ plan, waits: () => held });
    const has = (request: ChatCompletionRequest, words: string) =>
      JSON.stringify(request.messages).includes(words);
    const runPlayer = runPlayers((told) =>
      told.includes("Task in STRATEGIZING") ? held : undefined,
    );
    const play = (request: ChatCompletionRequest): Reply => {
      const isOfJob =
        has(request, "of a long job") || has(request, "You judge whether the roadmap");
      return isOfJob ? jobPlayer(request) : runPlayer(request);
    };
    stage.server.script(...Array.from({ length: 100 }, () => play));
    // So that all rows are in sight.
    const enlarge = () => stage.page.setViewportSize({ width: 1280, height: 1700 });
    await enlarge();
    await stage.write("multiverse/assets/notes.md", "# Notes on bees\n");
    await stage.write(".jixo/links.job.md", "Check all links.\n");
    await stage.runCommand("rooroo.tasks.focus");
    // Nobody has taken it over yet: its file was not made by Rooroo.
    await stage.row(/^Job links, External, New/).waitFor();
    await stage.runCommand("rooroo.runJob", "links");
    await stage.page.getByRole("option", { name: "Run Until Done" }).waitFor();
    await stage.page.keyboard.press("Enter");
    await stage.row(/^Running, 1\. Check every link/).waitFor();
    const isWritten = (one: ChatCompletionRequest) =>
      has(one, "objective: Task ") && one.messages.some(({ role }) => role === "tool");
    await until(() => stage.server.requests.some(isWritten), "the runner has written its file");
    await stage.runCommand("rooroo.startRun", "Write a report about bees");
    await stage.row(/^Run Write a report.*Awaiting Confirmation/).waitFor();
    await stage.runCommand("rooroo.confirmRun");
    await stage.row(/^Running, Task Task in STRATEGIZING/).waitFor();
    await stage.crash();

    goOn();
    await stage.reopen();
    await enlarge();
    await stage.runCommand("rooroo.tasks.focus");
    await stage.row(/^Job links, Done, 1 of 1 task done/).waitFor();
    await stage.row(/^Run Write a report.*, Done, 8 of 8 tasks done/).waitFor();
    const log = await stage.read(".jixo/links.log.md");
    assert.equal(log.match(/Result\*\*: Succeeded/g)?.length, 2, "planned once, done once");
    assert.doesNotMatch(log, /Result\*\*: Pending/, "who is killed says nothing");
    const planned = stage.server.requests.filter((one) => has(one, "The phase is ANALYZING"));
    assert.equal(planned.filter(({ messages }) => messages.length === 2).length, 1);
  });
});
