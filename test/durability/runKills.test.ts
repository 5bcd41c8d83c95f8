import assert from "node:assert/strict";
import { runTables, type TableName } from "../../src/core/runs/documents/runTables.js";
import { calls } from "../fakes/navigatorWorld.js";
import { type Answer, RunStage } from "../fakes/runStage.js";
import { say } from "./say.js";

const changes = ["createFile", "replaceFile", "appendLines", "removeFile"] as const;
const files = {
  "assets/notes.md": "# Notes\n\nA lot of them.\n",
  "guidelines/style.md": "Short words.\n",
};
/** The first task wants a chart, which fails: the run goes on without it. */
const answer: Answer = (unit) => {
  if (unit === "Executor P1-S1-T1-POST1") {
    return calls("attempt_completion", { status: "FAILED", error_log: "There are no numbers." });
  }
  if (unit !== "Planner plan-stage-P1-S1") return undefined;
  const task = { task_name: "Count", task_purpose: "Count the bees", output_path: "count.md" };
  const more = { related_references: ["assets/notes.md"], post_tool_purpose: "Draw them" };
  return calls("attempt_completion", { tasks: [{ ...task, ...more }] });
};
const tables = Object.keys(runTables) as TableName[];

/** Returns what a person sees in the end: all tables of the run, and its outputs. */
async function result(stage: RunStage, run: string): Promise<unknown> {
  const rows = await Promise.all(tables.map((name) => stage.rows(name, run)));
  const made = /^(?:outputs|runs\/[^/]+\/workspace)\//;
  const outputs = stage.files.paths.filter((path) => made.test(path));
  return { rows, outputs: outputs.map((path) => [path, stage.files.text(path)]) };
}

/** Takes a run from its request, or from where it is, to its outputs. */
async function whole(stage: RunStage, known: string | undefined): Promise<string> {
  const run = known ?? (await stage.start("Write a report about bees"));
  const { status } = await stage.drive(run);
  if (status === "waiting") {
    assert.equal((await stage.decide(run, { type: "CONFIRM" })).status, "done");
  } else assert.equal(status, "done");
  return run;
}

/**
 * Returns what is on the disk when the process dies before a change, or between two lines that are
 * appended at once; `undefined` if there are fewer such moments.
 */
async function killedBefore(moment: number): Promise<Record<string, string> | undefined> {
  const stage = new RunStage(files, answer);
  let count = 0;
  let left: Record<string, string> | undefined;
  const isAlive = (): boolean => ++count < moment;
  const die = (): never => {
    left ??= Object.fromEntries(
      stage.files.paths.map((path) => [path, stage.files.text(path) ?? ""]),
    );
    throw new Error("killed");
  };
  for (const name of changes) {
    const real = stage.files[name].bind(stage.files) as (...args: unknown[]) => Promise<unknown>;
    const faulty = async (...args: unknown[]) => {
      if (!isAlive()) die();
      const [path, lines, options] = args;
      for (let written = 1; Array.isArray(lines) && written < lines.length; written++) {
        if (isAlive()) continue;
        await real(path, lines.slice(0, written), options);
        die();
      }
      return real(...args);
    };
    Object.assign(stage.files, { [name]: faulty });
  }
  await whole(stage, undefined).catch(() => undefined);
  return left;
}

describe("a run whose process is killed before any change of a file", () => {
  it("[R-MV-2] comes to the same tables and outputs, and does no task twice", async () => {
    const undisturbed = new RunStage(files, answer);
    const run = await whole(undisturbed, undefined);
    const expected = await result(undisturbed, run);
    let kills = 0;
    for (let change = 1; ; change++) {
      const left = await killedBefore(change);
      if (left === undefined) break;
      kills++;
      const stage = new RunStage(left, answer);
      const isKnown = (await stage.store.rows("process_runs")).length > 0;
      await whole(stage, isKnown ? run : undefined);
      assert.deepEqual(await result(stage, run), expected, `killed before change ${change}`);
      for (const path of stage.files.paths.filter((one) => one.endsWith("transcript.jsonl"))) {
        const handedIn = stage.files.text(path)?.match(/"name":"attempt_completion"/g);
        assert.equal(handedIn?.length, 1, `${path}, killed before change ${change}`);
      }
    }
    assert.ok(kills > 150, String(kills));
    say(`a run was killed at ${kills} moments`);
  });
});
