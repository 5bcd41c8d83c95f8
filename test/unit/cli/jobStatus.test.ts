import assert from "node:assert/strict";
import { jobStatusText } from "../../../src/cli/terminal/jobStatus.js";
import { createStyle } from "../../../src/cli/terminal/style.js";
import { golden } from "../../fakes/golden.js";
import { factsOf, liveRunner, logText, nightOfWork } from "../../fakes/nightOfWork.js";

const style = createStyle({ isTTY: false }, {});
const options = { style, columns: 100, verbose: false, zone: "UTC" };
const commandOf = (words: readonly string[]) => ["rooroo", ...words].join(" ");
/** Returns the length of the longest line without commands, which are never cut. */
const widest = (text: string) => {
  const lines = text.split("\n").filter((line) => !line.includes("rooroo "));
  return Math.max(...lines.map((line) => Array.from(line).length));
};

describe("the status of a job in a terminal", () => {
  for (const [name, columns, verbose] of [
    ["wide", 120, false],
    ["narrow", 48, false],
    ["verbose", 100, true],
  ] as const) {
    it(`tells a night: ${name}`, async () => {
      const { facts, overview } = nightOfWork();
      const text = jobStatusText(facts, overview, { ...options, columns, verbose, commandOf });
      await golden(`jobs/status-${name}.txt`, text);
      assert.ok(widest(text) <= columns, `${widest(text)} columns`);
    });
  }

  it("needs no more than a screen for a job of 40 tasks, whatever is in its way", () => {
    const runners = Array.from({ length: 6 }, (_, at) =>
      liveRunner(`${at + 1}. Go`, "2026-01-02T06:00:00.000Z", String(at)),
    );
    const tasks = Array.from({ length: 40 }, (_, at) => {
      const states = ["Completed", "Failed", "Pending", "Pending", "Completed"];
      const status = at < 6 ? "Locked" : states[at % 5];
      const waits = at % 5 === 2 && at >= 6 ? `\n  - waits for: Q-${at}` : "";
      const runner = at < 6 ? `\n  - runner: ${runners[at]?.runner ?? ""}` : "";
      return `- [ ] ${at + 1}. Go\n  - status: ${status}${runner}${waits}`;
    });
    const words = "Something long has happened here that takes many words to tell. ".repeat(6);
    const entries = tasks.map((_task, at) => ({
      time: "2026-01-02T03:00:00.000Z",
      objective: `Task ${at + 1}. Go`,
      result: at % 5 === 0 || at % 5 === 4 ? "Succeeded" : "Pending",
      reason: "no progress",
      usage: "10 min 0 s, 3 requests, 5,000 tokens, $0.1000",
      summary: words,
    }));
    const asked = [2, 7, 12, 17, 22, 27, 32, 37].map(
      (at) =>
        `---\n### JIXO: CLARIFICATION REQUEST\n**ID**: Q-${at}\n**To User**: Say.\n\n**Question**:\n- ${words}\n\n**Response**:\n- <!-- here -->\n---\n`,
    );
    const job = `Go.\n\n${asked.join("\n")}`;
    const { facts, overview } = factsOf(logText(tasks, entries), { job, live: runners });
    const text = jobStatusText(facts, overview, { ...options, columns: 80, commandOf });
    assert.ok(facts.obstacles.length > 10);
    assert.ok(text.split("\n").length <= 40, text);
    assert.ok(widest(text) <= 80, text);
    const all = jobStatusText(facts, overview, { ...options, verbose: true, commandOf });
    for (const { title } of facts.tasks) assert.ok(all.includes(title), title);
    for (const { text: question } of overview.questions) {
      assert.ok(all.replace(/\s+/g, " ").includes(question.trim().slice(-60)));
    }
  });

  it("prints nothing that a terminal would act on, whatever stands in the files", () => {
    const sly = "\u001b[2J\u202eevil\u0007";
    const log = logText(
      [`- [ ] 1. Go ${sly}\n  - status: Failed`, `- [ ] 2. ${sly}\n  - status: Pending`],
      [
        { time: sly, objective: `Task 1. Go ${sly}`, result: "Failed", summary: sly, changes: sly },
        { time: "x", objective: "Task 2.", result: "Pending", reason: "blocked", summary: sly },
      ],
      [],
      sly,
    );
    const { facts, overview } = factsOf(log, { job: `---\nname: ${JSON.stringify(sly)}\n---\nGo` });
    for (const verbose of [false, true]) {
      const text = jobStatusText(facts, overview, { ...options, verbose, commandOf });
      assert.doesNotMatch(text, /[\u001b\u0007\u202e]/);
      assert.match(text, /␛\[2J/);
    }
  });
});
