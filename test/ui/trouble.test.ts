import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { call, type Reply, report, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

describe("when something goes wrong", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  it("shows an expert's failure, and keeps the rest of the chain in the queue", async () => {
    const task = (goal: string) => ({ suggested_mode: "rooroo-analyzer", goal_for_expert: goal });
    stage.server.script(
      triage("plan", { goal: "Two steps" }),
      report("Done", "Two steps.", {
        queue_tasks_json_lines: [task("The first step"), task("The second step")],
      }),
      report("Failed", "I could not do it.", { error_details: "There is no such thing." }),
    );
    await stage.say(panel, "Do it in two steps");
    await stage.notice(panel, "1 task is still queued").waitFor();
    await stage.row(/^Failed, The first step/).waitFor();
    await stage.row(/^Queued, The second step/).waitFor();
    await stage.screenshot("chain-halted");
    stage.server.script(report("Done", "The second step is done."));
    await stage.notice(panel, "still queued").getByText("Proceed").click();
    await stage.report(panel, "The second step is done.").waitFor();
  });

  it("says so when the server refuses the key, and offers to set one", async () => {
    stage.server.script({ refuse: 401, message: "Incorrect API key provided" });
    await stage.say(panel, "Hello?");
    const notice = stage.notice(panel, "(401)");
    await notice.getByText("Set API Key").last().click();
    await stage.page.getByText(/^API Key for http:\/\/127\.0\.0\.1:\d+$/).waitFor();
    await stage.screenshot("refused-key");
    await stage.page.keyboard.press("Escape");
  });

  it("says so when a model does not say what to do, and lets the person choose", async () => {
    stage.server.script({ say: "" }, { say: "" });
    await stage.say(panel, "Explain carts");
    const notice = stage.notice(panel, "could not say what kind of request");
    await notice.waitFor();
    stage.server.script(report("Done", "A cart holds lines."));
    await notice.getByText("Just Answer").click();
    await stage.report(panel, "A cart holds lines.").waitFor();
  });

  it("gives up on an expert's model that answers with nothing", async () => {
    stage.server.script({ say: "" }, { say: "" }, { say: "" });
    await stage.say(panel, "/ask Explain money");
    await stage.report(panel, "answered with nothing").waitFor();
    await stage.screenshot("answers-nothing");
  });

  it("stops in the middle of a command, with every process of it gone", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Wait" }),
      call("execute_command", { command: "echo begun; sleep 43210 & sleep 43210" }),
    );
    await stage.say(panel, "Wait for a while");
    await panel.getByText("begun").first().waitFor();
    await until(async () => (await stage.processes("sleep", "43210")) === 2, "both processes run");
    await stage.screenshot("command-running");
    await panel.getByRole("button", { name: "Stop", exact: true }).click();
    await stage.report(panel, "Stopped").waitFor();
    await until(async () => (await stage.processes("sleep", "43210")) === 0, "no process is left");
    await stage.row(/^Interrupted, Wait/).waitFor();
    await stage.screenshot("stopped");
  });

  it("resumes the stopped task from its row", async () => {
    stage.server.script(report("Done", "Waited long enough."));
    await stage.row(/^Interrupted, Wait/).hover();
    await stage
      .row(/^Interrupted, Wait/)
      .getByRole("button", { name: "Resume Task" })
      .click();
    await stage.report(panel, "Waited long enough.").waitFor();
    const said = JSON.stringify(stage.server.requests[0]?.messages);
    assert.match(said, /sleep 43210/, "the transcript goes on where it ended");
  });

  it("stops one command on its card, and the task goes on without it", async () => {
    let heard = "";
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Wait less" }),
      call("execute_command", { command: "echo waiting; sleep 43212" }),
      (request) => {
        heard = JSON.stringify(request.messages.at(-1)?.content);
        return report("Done", "Went on.");
      },
    );
    await stage.say(panel, "Wait less");
    await panel.getByText("waiting", { exact: true }).waitFor();
    await panel.getByRole("button", { name: "Stop Command" }).click();
    await stage.report(panel, "Went on.").waitFor();
    assert.match(heard, /Stopped/);
    await until(async () => (await stage.processes("sleep", "43212")) === 0, "it is gone");
  });

  it("lists the server's models to choose from", async () => {
    await panel.getByRole("button", { name: /^Model: gpt-test/ }).click();
    await stage.page.getByRole("option", { name: /gpt-4o/ }).waitFor();
    await stage.screenshot("select-model");
    await stage.page.getByRole("option", { name: /gpt-4o/ }).click();
    await panel.getByRole("button", { name: /^Model: gpt-4o/ }).waitFor();
  });

  // From here on the model is known to have no tools.
  it("goes on in envelopes with a model that has no tools, and shows its plan", async () => {
    const plan = (...states: string[]) =>
      states.map((status, index) => ({ step: String(index + 1), title: `Part ${index}`, status }));
    const says = (envelope: object): Reply => ({ say: JSON.stringify(envelope) });
    let mayGoOn = (): void => undefined;
    const shown = new Promise<void>((resolve) => (mayGoOn = resolve));
    const write = { unescape_string: { path: "notes.txt", text: '"All is well.\\n"' } };
    stage.server.script(
      { refuse: 400, message: "gpt-4o does not support tools" },
      says({ route: "direct", expert: "rooroo-developer", goal: "Write notes", reason: "-" }),
      says({ message: "I write them.", plan: plan("running", "pending"), command: write }),
      {
        after: shown,
        then: says({ message: "The notes are **written**.", plan: [] }),
      },
    );
    await stage.say(panel, "Write notes");
    await stage.notice(panel, "has no tool calling").waitFor();
    const steps = (done: number) => panel.getByRole("region", { name: `Steps: ${done} of 2 done` });
    await steps(0).getByText("1. Part 0").waitFor();
    await stage.screenshot("envelope-plan");
    mayGoOn();
    await stage.report(panel, "The notes are written.").waitFor();
    await steps(2).waitFor();
    assert.equal(await stage.read("notes.txt"), "All is well.\n");
    assert.equal(await panel.getByText('"plan"').count(), 0, "no JSON is shown");
    await stage.screenshot("envelope-done");
  });

  it("tests the connection", async () => {
    stage.server.script(call("say", { word: "hello" }));
    await stage.editor.runCommand("rooroo.testConnection");
    const said = stage.page.locator(".notification-toast");
    await said.filter({ hasText: /answered in [\d.]+ s and calls tools/ }).waitFor();
    await stage.screenshot("connection");
    await stage.editor.runCommand("notifications.clearAll");
  });

  it("offers the usual servers, and looks for those of this machine", async () => {
    await stage.editor.runCommand("rooroo.selectModel");
    await stage.page.getByRole("option", { name: /Change Server/ }).click();
    await stage.page.getByRole("option", { name: /^Ollama/ }).waitFor();
    await stage.screenshot("choose-server");
    await stage.page.getByRole("option", { name: /^Azure OpenAI/ }).click();
    const address = stage.page.locator(".quick-input-widget:visible input.input");
    const offered = async () => (await address.inputValue()).includes("{RESOURCE}");
    await until(offered, "the address is there to be completed");
    await stage.page.keyboard.type("mine");
    assert.equal(await address.inputValue(), "https://mine.openai.azure.com/openai/v1");
    await stage.page.keyboard.press("Escape");
  });

  it("says so when no server answers", async () => {
    await stage.server.stop();
    await stage.say(panel, "Anybody there?");
    await stage.notice(panel, "Nothing answers at").waitFor();
    await stage.screenshot("unreachable");
  });
});
