import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { Rooroo } from "../cli/rooroo.js";
import { closeStages, Stage } from "../cli/stage.js";
import type { HttpModelRequest, HttpReply } from "../fakes/httpModel.js";
import { calls } from "../fakes/navigatorWorld.js";
import { runReply } from "../fakes/runPlays.js";
import { type KillCounts, killEnvironment, type KillOrders, killOrders } from "./killOrders.js";
import { counted, findsNo, noneLocked } from "./kills.js";
import { say } from "./say.js";

const files = {
  "multiverse/assets/notes.md": "# Notes\n\nA lot of them.\n",
  "multiverse/guidelines/style.md": "Short words.\n",
};
/** A run's two processes: the request, and the work that the person's word sets going. */
const halves = [["start", "Write a report about bees"], ["confirm"]] as const;
/** Enough for what a kill leaves; more would mean that it does not come to its end. */
const mostRounds = 5;

/**
 * Returns when a process is killed: `runKills.test.ts` has a kill before every change, in memory; here there is a real one at
 * each kind of change that only runs make, and at the first and last that any make.
 */
function ordersFor(counts: KillCounts): readonly KillOrders[] {
  const ofRuns = /table|project|run-ID|\/runs\//;
  const usual = (all: readonly KillOrders[]): KillOrders[] => [
    { when: "after", at: 1 },
    ...all.filter(({ kind = "" }) => ofRuns.test(kind)),
    { when: "after", at: counts.after },
  ];
  return killOrders(counts, usual, 1 / halves.length);
}

function plays({ messages, results, tools }: HttpModelRequest): HttpReply {
  if (tools[0] === "judge_request") return calls("judge_request", { is_single_command: false });
  return runReply(
    messages[1]?.content ?? "",
    results.map(({ content }) => content),
  );
}

/** Runs `rooroo run …` with orders to be carried out on the way. Returns the note that they leave. */
async function killed(stage: Stage, words: readonly string[], orders: KillOrders) {
  const note = `${stage.root}.note`;
  const env = { ...stage.model.env, ...killEnvironment(orders, note) };
  const child = new Rooroo(["run", ...words, "--approve", "all"], { cwd: stage.root, env });
  const ended = await child.ended;
  const text = await readFile(note, "utf8").catch(() => "");
  await rm(note, { force: true });
  return { ...ended, note: text };
}

/** Returns what a person sees in the end, whatever the run is called. */
async function result(stage: Stage): Promise<string> {
  const [run = "", ...others] = await stage.list("multiverse/outputs");
  assert.deepEqual(others, []);
  const names = ["phases", "major_stages", "tasks", "tool_tasks"];
  const texts = [
    ...names.map((name) => `multiverse/runs/${run}/db/${name}.md`),
    ...["process_runs", "user_instructions", "knowledge_base_catalog"].map(
      (name) => `multiverse/db/${name}.md`,
    ),
    `multiverse/outputs/${run}/report.md`,
  ];
  const all = await Promise.all(texts.map((path) => stage.read(path)));
  return all.join("\n").replaceAll(run, "RUN");
}

/** Says what the product offers until the run is over. */
async function finish(stage: Stage): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const table = await stage.read("multiverse/db/process_runs.md");
    if (table.includes("COMPLETED")) return;
    const [run] = /run-[\d-]+/.exec(table) ?? [];
    const proposal = await stage.read(`multiverse/runs/${run}/feedback_for_user.md`);
    // The status is written before the proposal.
    const words =
      run === undefined
        ? halves[0]
        : table.includes("AWAITING_CONFIRMATION") && proposal !== ""
          ? halves[1]
          : ["resume"];
    const { code, stdout, stderr } = await stage.runAll("run", ...words);
    assert.ok(code === 0 || code === 2, `${words.join(" ")}: ${stdout}${stderr}`);
  }
  assert.fail("the run does not come to its end");
}

/** Returns a log without what a kill has left of a line. */
function wholeLines(text: string): string {
  const isWhole = (line: string): boolean => {
    try {
      JSON.parse(line);
      return true;
    } catch {
      return false;
    }
  };
  return text.split("\n").filter(isWhole).join("\n");
}

/** @param killed where it was */
async function handedIn(stage: Stage, killed: string): Promise<void> {
  const tasks = await stage.list(".rooroo/tasks");
  assert.equal(tasks.length, 11);
  for (const task of tasks) {
    const text = wholeLines(await stage.read(`.rooroo/tasks/${task}/transcript.jsonl`));
    assert.equal(
      text.match(/"name":"attempt_completion"/g)?.length ?? 0,
      text === "" ? 0 : 1,
      `${task}, killed ${killed}`,
    );
  }
}

describe("a run whose process is killed by SIGKILL", function () {
  this.timeout(3_600_000);
  afterEach(closeStages);

  it("[R-MV-2] comes to the same tables and outputs, and does no task twice", async () => {
    const undisturbed = await Stage.open(plays, files);
    const counts: KillCounts[] = [];
    for (const words of halves) {
      const { code, note, stderr } = await killed(undisturbed, words, { when: "after", at: 0 });
      assert.equal(code, words === halves[0] ? 2 : 0, stderr);
      counts.push(JSON.parse(note) as KillCounts);
    }
    const expected = await result(undisturbed);
    await handedIn(undisturbed, "nowhere");
    let kills = 0;
    for (const [half, count] of counts.entries()) {
      for (const orders of ordersFor(count)) {
        const stage = await Stage.open(plays, files);
        if (half === 1) assert.equal((await stage.runAll("run", ...halves[0])).code, 2);
        const { signal, note } = await killed(stage, halves[half] ?? [], orders);
        // From run to run the number of operations differs a little.
        const kill = signal === "SIGKILL" ? 1 : 0;
        kills += kill;
        await counted("run", kill, async () => {
          await finish(stage);
          assert.equal(await result(stage), expected, `killed ${note}`);
          await findsNo("twice", () => handedIn(stage, note));
          await noneLocked(stage.root);
        });
      }
    }
    assert.ok(kills > 8, String(kills));
    const changes = counts.map(({ after }) => after).join(" and ");
    say(`a run's processes were killed at ${kills} of ${changes} changes of files`);
  });
});
