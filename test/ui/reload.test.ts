import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { type Scripted, call, report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

/** A reply that a window which is gone waited for. */
const never: Scripted = { after: new Promise(() => undefined), then: { say: "" } };
const task = (goal: string) => ({ suggested_mode: "rooroo-developer", goal_for_expert: goal });
const append = (word: string) => call("execute_command", { command: `echo ${word} >> words.txt` });

describe("a window that is loaded anew", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  /**
   * Loads the window anew once the panel shows this; it shows the same afterwards. The model answers when
   * that has been seen: what goes on brings more items, and those far above leave the page.
   */
  async function reload(
    shows: RegExp,
    first: Scripted,
    ...replies: readonly Scripted[]
  ): Promise<void> {
    await until(async () => shows.test((await shown(panel)).join("\n")), `${shows} on the panel`);
    const before = await shown(panel);
    let answer = (): void => undefined;
    const seen = new Promise<void>((resolve) => (answer = resolve));
    stage.server.script(
      (request) => ({ after: seen, then: typeof first === "function" ? first(request) : first }),
      ...replies,
    );
    await stage.reload();
    panel = await stage.panel();
    await until(
      async () => (await shown(panel)).slice(0, before.length).join("\n") === before.join("\n"),
      `the same as before on the panel:\n${before.join("\n")}`,
    );
    answer();
  }

  it("goes on with a task whose model was thinking", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Write one and two" }),
      append("one"),
      never,
    );
    await stage.say(panel, "Write one and two");
    await until(() => stage.server.requests.length === 3, "the model thinks");
    await reload(/Run echo one/, append("two"), report("Done", "Wrote both."));
    await stage.report(panel, "Wrote both.").waitFor();
    assert.equal(await stage.read("words.txt"), "one\ntwo\n");
    assert.equal(stage.server.requests.length, 2, "nothing is judged or asked again");
    assert.equal(await panel.locator(".task").count(), 1);
    assert.equal(await panel.getByText("Stopped").count(), 0);
    await stage.screenshot("reloaded-task");
  });

  it("does not repeat a command that it broke off, and leaves no process of it", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Write three" }),
      // It is slow to die, so that the next window begins before this one has ended it.
      call("execute_command", {
        command: "trap '' TERM; echo three >> words.txt; echo begun; while :; do sleep 43211; done",
      }),
    );
    await stage.say(panel, "Write three, slowly");
    await panel.getByText("begun", { exact: true }).waitFor();
    let heard = "";
    await reload(/Run trap/, (request) => {
      heard = JSON.stringify(request.messages.at(-1));
      return report("Done", "It was written.");
    });
    await stage.report(panel, "It was written.").waitFor();
    assert.match(heard, /Stopped|not repeated/);
    assert.equal(await stage.read("words.txt"), "one\ntwo\nthree\n");
    await until(async () => (await stage.processes("sleep", "43211")) === 0, "the command is gone");
  });

  it("shows a question that waits once, and takes its answer", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Choose a word" }),
      call("ask_followup_question", { question: "Which word?", suggestions: ["four", "five"] }),
    );
    await stage.say(panel, "Choose a word");
    await reload(/Which word\?/, append("four"), report("Done", "It is four."));
    assert.equal(await panel.locator(".question").filter({ hasText: "Which word?" }).count(), 1);
    await panel.getByRole("button", { name: "four", exact: true }).click();
    await stage.report(panel, "It is four.").waitFor();
    assert.equal(await stage.read("words.txt"), "one\ntwo\nthree\nfour\n");
  });

  it("goes on with the queue where it was", async () => {
    stage.server.script(
      triage("plan", { goal: "Write five, six, seven" }),
      report("Done", "Three words.", {
        queue_tasks_json_lines: [task("Write five"), task("Write six"), task("Write seven")],
      }),
      append("five"),
      report("Done", "Five is there."),
      append("six"),
      never,
    );
    await stage.say(panel, "Write five, six, seven");
    await until(() => stage.server.requests.length === 6, "the second task's model thinks");
    await reload(
      /Five is there[^]*Run echo six/,
      report("Done", "Six is there."),
      append("seven"),
      report("Done", "Seven is there."),
    );
    await stage.notice(panel, /The task is done\.|All tasks in the queue are done\./).waitFor();
    assert.equal(await stage.read("words.txt"), "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
    assert.equal(stage.server.left, 0);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
    const goal = panel.locator(".task-goal").filter({ hasText: "Write six" });
    assert.equal(await goal.count(), 1);
    await stage.screenshot("reloaded-queue");
  });

  it("asks again for an approval that was open, and acts on it once", async () => {
    await stage.configure({ "rooroo.approvals.preset": "ask" });
    await stage.reload();
    panel = await stage.panel();
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Write eight" }),
      append("eight"),
    );
    await stage.say(panel, "Write eight");
    await panel.getByRole("group", { name: /Run this command\?/ }).waitFor();
    await reload(/Run echo eight/, report("Done", "Eight is there."));
    await stage.row(/^Needs You, Write eight/).waitFor();
    assert.equal(stage.server.requests.length, 0);
    await panel.getByRole("button", { name: "Allow", exact: true }).click();
    await stage.report(panel, "Eight is there.").waitFor();
    assert.match(await stage.read("words.txt"), /seven\neight\n$/);
  });
});

/** Returns what a person reads on the panel from the last request on, item by item. */
async function shown(panel: Frame): Promise<string[]> {
  const items = await panel.locator(".items > .item").evaluateAll((all) =>
    all.map((item) => {
      const copy = item.cloneNode(true) as HTMLElement;
      // What a command has said so far, and its time, are there when it has ended.
      const passing = ".tool-body, .tool-duration";
      for (const output of copy.querySelectorAll(passing)) output.remove();
      return copy.innerText;
    }),
  );
  const texts = items.map((text) => text.replaceAll(/\s+/g, " ").trim());
  const request = texts.findLastIndex((text) => text.startsWith("You said:"));
  return texts.slice(request).filter((text) => text !== "");
}
