import assert from "node:assert/strict";
import type { HttpModelRequest, HttpReply } from "../fakes/httpModel.js";
import { calls, triages } from "../fakes/navigatorWorld.js";
import { taskOf } from "../fakes/runPlays.js";
import { isTriage } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const files = {
  "assets/hives.csv": "city,hives\nOslo,120\nRome,340\nBern,60\n",
  "assets/notes.md": "# Notes\n\nBees like cities.\n",
  "multiverse/guidelines/opening.md":
    "# Opening\n\nEach document begins with: Checked by 7-MERIT\n",
  "multiverse/guidelines/numbers.md": "# Numbers\n\nAfter each number stands: colonies\n",
};

const completes = (args: object) => calls("attempt_completion", { status: "SUCCESS", ...args });
const fails = (log: string) => calls("attempt_completion", { status: "FAILED", error_log: log });

/** Returns what an agent plans that has the material and the folders before it; `undefined` if it is not to plan. */
function plan(told: string): object | undefined {
  if (told.startsWith("Propose")) {
    const rule = { instruction_type: "format", content: "One page", justification: "So you said." };
    return { summary: "A report on hives.", instructions: [rule] };
  }
  if (told.startsWith("Plan the stages")) {
    const [, phase = ""] = /^The phase is (\w+):/m.exec(told) ?? [];
    const outputs = /final outputs go to (\S+\/)\./.exec(told)?.[1] ?? "";
    const task = {
      task_name: `Hives in ${phase}`,
      task_purpose: "Say how many hives there are",
      related_references: ["assets/hives.csv", "assets/notes.md"],
      output_path: phase === "GENERATING_OUTPUT" ? `${outputs}report.md` : "hives.md",
      post_tool_purpose: phase === "GENERATING_OUTPUT" ? "Data Visualization: Hives by city" : "",
    };
    return { stages: [{ stage_name: "Hives", stage_goal: "Their number", tasks: [task] }] };
  }
  if (!told.startsWith("Plan what helps one task")) return undefined;
  const chart = { tool_type: "Data Visualization", tool_task_name: "Hives by city" };
  return { tool_tasks: [{ ...chart, tool_task_purpose: "Bars, one a city" }] };
}

/**
 * Returns a model that never reads a file: it knows what its message gives it, and writes and submits at once. The task
 * of `broken` fails at its first try.
 */
function player(broken: string) {
  let tries = 0;
  return ({ messages, tools }: HttpModelRequest): HttpReply => {
    const message = messages[1]?.content ?? "";
    const told = taskOf(message);
    if (tools[0] === "judge_request") return calls("judge_request", { is_single_command: false });
    const planned = plan(told);
    if (planned !== undefined) return completes(planned);
    const [, run] = /to the letter:\n- (run-\S+)/.exec(told) ?? [];
    if (run !== undefined) return calls("attempt_completion", { message: `${run} did not work.` });
    if (told.includes("(Data Visualization)")) return fails("The drawing has no numbers.");
    if (told.includes(`Hives in ${broken}`) && ++tries === 1) return fails("The source is away.");
    const given = (name: string) =>
      new RegExp(`<data from="[^"]*${name}">\\n([^]*?)\\n</data>`).exec(message)?.[1] ?? "";
    const [, opening = "?"] = /begins with: (.+)/.exec(given("opening.md")) ?? [];
    const [, unit = "?"] = /stands: (.+)/.exec(given("numbers.md")) ?? [];
    const numbers = [...given("hives.csv").matchAll(/,(\d+)/g)].map(([, one]) => Number(one));
    const sum = numbers.reduce((all, one) => all + one, 0);
    const [, path = ""] = /^Write its output to: (\S+)$/m.exec(told) ?? [];
    const content = `${opening}\n\nThere are ${sum} ${unit}.\n`;
    return {
      toolCalls: [
        { name: "write_file", arguments: { path, content } },
        { name: "attempt_completion", arguments: { status: "SUCCESS", summary: "Hives" } },
      ],
    };
  };
}

describe("a run that fails at its first try", () => {
  afterEach(closeStages);

  it("[R-MV-12] [R-MV-24] [R-MV-28] [R-MV-35] follows guidelines that it never read, goes on without a chart, and is tried again", async () => {
    const stage = await Stage.open(player("REFINING_CONTENT"), files);
    const begun = await stage.run("run", "start", "Report how many hives the cities have");
    assert.equal(begun.code, 2, begun.stderr);
    const offer =
      "no files in multiverse/assets/, 2 files in assets/, 2 files in multiverse/guidel";
    assert.ok(begun.stdout.indexOf(offer) < begun.stdout.indexOf("── Run Planner"), begun.stdout);
    assert.match(
      begun.stdout,
      /If you confirm the proposal as it is, the run reads assets\/, too\./,
    );

    const first = await stage.run("run", "confirm");
    assert.equal(first.code, 1, first.stderr);
    const [run = ""] = /run-\d{8}-\d{6}-001/.exec(first.stdout) ?? [];
    assert.match(
      first.stdout,
      new RegExp(`→ rooroo run retry ${run}\\n.*→ rooroo run skip ${run}\\n`),
    );
    const listed = await stage.run("run", "list");
    assert.deepEqual(listed.stdout.trimEnd().split("\n"), [
      `${run}  FAILED`,
      "  Report how many hives the cities have",
      "  why: task P3-S1-T1: The source is away.",
      "  next: your decision: try again, or go on without what has failed",
    ]);
    const failed = await stage.json("run", "status");
    assert.deepEqual(
      [failed["state"], failed["reason"], failed["left_out"]],
      ["failed", "task P3-S1-T1: The source is away.", []],
    );

    const second = await stage.run("run", "retry");
    assert.equal(second.code, 0, second.stdout + second.stderr);
    const text = await stage.read(`multiverse/outputs/${run}/report.md`);
    assert.equal(
      text,
      "Checked by 7-MERIT\n\nThere are 520 colonies.\n\n> Left out: Hives by city (Data Visualization). Reason: The drawing has no numbers.\n",
    );
    const report = await stage.read(`multiverse/runs/${run}/report_for_user.md`);
    assert.ok(second.stdout.includes(report.trimEnd()), second.stdout);
    assert.match(report, /^\[Job Completed\] .*\n\nOutputs:\n- \S+\/report\.md: Hives\n/);
    assert.match(report, /\nLeft out:\n- Hives by city .*: The drawing has no numbers\.\n/);
    // Judging the request is no call of the run's agents. Telling of the failure, and the second try, are two more.
    const asked = stage.model.requests.length;
    const used = stage.model.requests
      .filter(({ tools }) => tools[0] !== "judge_request")
      .reduce((sum, request) => sum + request.tokens + 10, 0);
    const tokens = used.toLocaleString("en-US");
    assert.ok(report.endsWith(`\nUsed: ${asked - 1} requests, ${tokens} tokens.\n`));
    assert.ok(asked - 2 <= 18, String(asked));
    const shown = await stage.run("run", "status");
    assert.match(shown.stdout, /\n {2}left out: Hives by city \(Data Visualization\): The drawing/);
    assert.match(shown.stdout, new RegExp(`\\n {2}used: ${asked - 1} requests`));
    assert.equal((await stage.run("run", "retry", run)).code, 1);
  });

  it("is tried again by words, in the conversation in which it was begun", async () => {
    const play = player("STRATEGIZING");
    const waiting: string[] = [];
    const stage = await Stage.open((request) => {
      if (!isTriage(request)) return play(request);
      const told = request.messages[1]?.content ?? "";
      const [, list = ""] = told.split("What waits for the user:");
      waiting.push(list);
      const decides = (choice: string) => triages({ route: "decide", about: "W1", choice });
      if (told.includes("Have another go")) return decides("again");
      return told.includes("Yes, like this")
        ? decides("confirm")
        : triages({ route: "acknowledge" });
    }, files);
    const ask = (...args: string[]) => stage.run("ask", ...args);
    assert.equal((await ask("/run Report how many hives the cities have")).code, 2);
    assert.equal((await ask("--continue", "Yes, like this")).code, 1);
    const again = await ask("--continue", "Have another go");
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.match(again.stdout, /\[Job Completed\]/);
    assert.match(
      waiting.at(-1) ?? "",
      /W1: a run that has failed, Report how many hives the cities have: .*The source is away\. Choices: again, without\./,
    );
    // A new conversation is not about it.
    await ask("Hello");
    assert.equal(waiting.at(-1), "");
  });

  it("[R-MV-24] goes on without what failed, if the person says so", async () => {
    const stage = await Stage.open(player("STRATEGIZING"), files);
    assert.equal((await stage.run("run", "start", "--phases", "Report the hives")).code, 2);
    assert.equal((await stage.run("run", "confirm")).code, 1);
    const skipped = await stage.run("run", "skip");
    assert.equal(skipped.code, 0, skipped.stdout + skipped.stderr);
    assert.match(
      skipped.stdout,
      /Left out:\n\s*- Hives in STRATEGIZING: task P2-S1-T1: The source is away\./,
    );
    const [run = ""] = await stage.list("multiverse/outputs");
    const tables = ["tasks", "tool_tasks", "left_out"].map(
      (name) => `multiverse/runs/${run}/db/${name}.md`,
    );
    const checked = await stage.run("validate", "run-tables", ...tables);
    assert.equal(checked.code, 0, checked.stdout);
  });
});
