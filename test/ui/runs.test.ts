import { strict as assert } from "node:assert";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import type { Frame } from "playwright-core";
import { runReply } from "../fakes/runPlays.js";
import { call, type Reply } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

const instruction = (instruction_type: string, content: string) => ({
  instruction_type,
  content,
  supersedes: [],
  justification: "You asked for it.",
});
const proposal = (pages: string) => ({
  status: "SUCCESS",
  summary: `A report of **${pages} pages** on what bees need, with a list of sources.`,
  instructions: [
    instruction("scope", `${pages} pages at most`),
    instruction("style", "Plain words, for gardeners"),
  ],
  questions: [
    "Is it for a town or for the country? I write for towns until you say something else.",
  ],
});

/** Agents that do as they are told, and wait where `waits` says so. */
function players(waits: (told: string) => Promise<unknown> | undefined) {
  return ({ messages }: ChatCompletionRequest): Reply => {
    const text = ({ content }: { content?: unknown }) =>
      typeof content === "string" ? content : "";
    const told = text(messages[1] ?? {});
    const results = messages.filter(({ role }) => role === "tool").map(text);
    const reply = replyTo(told, results);
    const waiting = waits(told);
    return waiting === undefined ? reply : { after: waiting, then: reply };
  };
}

function replyTo(told: string, results: readonly string[]): Reply {
  if (told.includes("<task>\nPropose the rules")) {
    const isAgain = told.includes("feedback_for_user.1.md");
    return call("attempt_completion", proposal(isAgain ? "Three" : "Twelve"));
  }
  const { toolCalls = [] } = runReply(told, results);
  return { calls: toolCalls.map(({ name, arguments: args }) => ({ name, args: args as object })) };
}

describe("a run in the editor", () => {
  let stage: Stage;
  let panel: Frame;
  const files = { "multiverse/assets/notes.md": "# Notes on bees\n\nThey need flowers.\n" };
  useStage({ files }, async (opened) => {
    stage = opened;
    await stage.page.setViewportSize({ width: 1280, height: 1700 });
    panel = await stage.panel();
    await stage.runCommand("rooroo.tasks.focus");
  });

  const page = () => stage.page;
  const card = () => panel.locator(".proposal.open");

  it("goes from a request over a change and a reload to its outputs", async () => {
    const killed = gate();
    let isHeld = true;
    const play = players((told) =>
      isHeld && told.includes("Task in STRATEGIZING") ? killed.opened : undefined,
    );
    stage.server.script(...Array.from({ length: 200 }, () => play));
    await page().getByRole("button", { name: "Start Run…" }).first().waitFor();
    await stage.screenshot("run-none");
    await stage.runCommand("rooroo.startRun");
    await page()
      .getByText(/uses the files in multiverse\/assets/)
      .waitFor();
    await page().keyboard.type("Write a report about bees, from our notes");
    await page().keyboard.press("Enter");

    await stage.row(/^Run Write a report.*Awaiting Confirmation/).waitFor();
    await card().getByText("Twelve pages at most").waitFor();
    await stage.statusBar.getByText("Rooroo needs you (1)").waitFor();
    await stage.screenshot("run-proposal");
    await card().getByRole("button", { name: "Change…" }).click();
    await card().locator("textarea:focus").waitFor();
    await page().keyboard.type("Three pages at most");
    await page().keyboard.press("Enter");
    await panel.getByText("Changes requested: Three pages at most").waitFor();
    await card().getByText("Three pages at most").waitFor();
    const proposals = stage.row(/^Proposal, awaiting confirmation, 2 instructions/);
    await proposals.nth(1).waitFor();
    await proposals.first().click();
    await panel.locator(".item.shown").filter({ hasText: "Three pages at most" }).waitFor();
    await proposals.last().click();
    await page().locator(".codelens-decoration").filter({ hasText: "Confirm" }).waitFor();
    await stage.screenshot("run-changed");

    await card().getByRole("button", { name: "Confirm" }).click();
    await panel.locator(".proposal.answered").filter({ hasText: "Confirmed" }).waitFor();
    await stage.row(/^Running, Task Task in STRATEGIZING/).waitFor();
    await stage.statusBar.getByText("run 5/6").waitFor();
    await stage.screenshot("run-running");
    await stage.crash();

    isHeld = false;
    killed.open();
    await stage.reopen();
    panel = await stage.panel();
    await stage.runCommand("rooroo.tasks.focus");
    await stage.row(/^Run Write a report.*, Done, 8 of 8 tasks done/).waitFor();
    const done = stage.notice(panel, "[Job Completed]");
    await done.waitFor();
    // The run's row is the first one of the group "Runs".
    await page().keyboard.press("Home");
    await page().keyboard.press("ArrowDown");
    await page().keyboard.press("ArrowRight");
    await stage.row(/^Outputs, 1/).waitFor();
    await stage.screenshot("run-done");
    await done.getByRole("button", { name: "Open Outputs" }).click();
    await page().locator(".tab").filter({ hasText: "report.md" }).waitFor();
    const [id = ""] = (await stage.list("multiverse/outputs")).filter(
      (name) => name !== ".gitkeep",
    );
    assert.match(await stage.read(`multiverse/outputs/${id}/report.md`), /^# Made for /);
    const planned = stage.server.requests.filter(({ messages }) =>
      JSON.stringify(messages[1]).includes("The phase is ANALYZING"),
    );
    assert.equal(planned.length, 1);
    await until(
      async () => (await stage.list(".rooroo/locks")).every((name) => !name.startsWith("run-run")),
      "nobody holds the run",
    );
  });
});

function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
