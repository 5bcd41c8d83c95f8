import { strict as assert } from "node:assert";
import { readdir, readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { call, type Reply, report, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

describe("when something goes wrong", () => {
  let stage: PanelStage;
  let panel: Page;
  usePanelStage({ settings: { "rooroo.approvals.preset": "all" } }, async (opened) => {
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
    await stage.row(/^Failed, The first step/);
    await stage.row(/^Queued, The second step/);
    stage.server.script(report("Done", "The second step is done."));
    await stage.notice(panel, "still queued").getByText("Go On Without It").click();
    await stage.report(panel, "The second step is done.").waitFor();
  });

  it("says so when the server refuses the key, and offers to set one", async () => {
    stage.server.script({ refuse: 401, message: "Incorrect API key provided" });
    await stage.say(panel, "Hello?");
    const notice = stage.notice(panel, "(401)");
    await notice.getByText("Set API Key").last().click();
    await until(
      () => stage.person.asked.some((one) => /^API Key for http:\/\/127\.0\.0\.1:\d+$/.test(one)),
      "a key is asked for",
    );
    stage.person.leave();
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
  });

  it("stops in the middle of a command, with every process of it gone", async () => {
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Wait" }),
      call("execute_command", { command: "echo begun; sleep 43210 & sleep 43210" }),
    );
    await stage.say(panel, "Wait for a while");
    await panel.getByText("begun").first().waitFor();
    await until(async () => (await processes("sleep", "43210")) === 2, "both processes run");
    await panel.getByRole("button", { name: "Stop", exact: true }).click();
    await stage.report(panel, "Stopped").waitFor();
    await until(async () => (await processes("sleep", "43210")) === 0, "no process is left");
    await stage.row(/^Interrupted, Wait/);
  });

  it("resumes the stopped task from its row", async () => {
    stage.server.script(report("Done", "Waited long enough."));
    const row = await stage.row(/^Interrupted, Wait/);
    await stage.command("rooroo.resumeTask", row.element);
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
    await until(async () => (await processes("sleep", "43212")) === 0, "it is gone");
  });

  it("lists the server's models to choose from", async () => {
    await panel.getByRole("button", { name: /^Model: gpt-test/ }).click();
    const list = await until(() => stage.person.quickPick, "a list is open");
    await until(
      () => list.items.some(({ label }) => label.includes("gpt-4o")),
      "it has the models",
    );
    list.choose(/gpt-4o/);
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
    mayGoOn();
    await stage.report(panel, "The notes are written.").waitFor();
    await steps(2).waitFor();
    assert.equal(await stage.read("notes.txt"), "All is well.\n");
    assert.equal(await panel.getByText('"plan"').count(), 0, "no JSON is shown");
  });

  it("tests the connection", async () => {
    stage.server.script(call("say", { word: "hello" }));
    await stage.command("rooroo.testConnection");
    const said = stage.person.said().join("\n");
    assert.match(said, /answered in [\d.]+ s and calls tools/);
  });

  it("offers the usual servers, and looks for those of this machine", async () => {
    const choosing = stage.command("rooroo.selectModel");
    const models = await until(() => stage.person.quickPick, "the models are offered");
    models.choose(/Change Server/);
    const servers = await until(
      () =>
        stage.person.quickPick?.items.some(({ label }) => label.startsWith("Ollama")) &&
        stage.person.quickPick,
      "the servers are offered",
    );
    servers.choose(/^Azure OpenAI/);
    const address = await until(() => stage.person.inputBox, "the address can be completed");
    assert.match(address.value, /\{RESOURCE\}/);
    stage.person.leave();
    await choosing;
  });

  it("says so when no server answers", async () => {
    await stage.server.stop();
    await stage.say(panel, "Anybody there?");
    await stage.notice(panel, "Nothing answers at").waitFor();
  });
});

/** Returns how many processes run with just these words as their command line. */
async function processes(...words: readonly string[]): Promise<number> {
  let found = 0;
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (line === words.map((word) => `${word}\0`).join("")) found++;
  }
  return found;
}
