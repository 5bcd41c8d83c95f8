import assert from "node:assert/strict";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { logProblems } from "../../../../../src/core/jobs/documents/logProblems.js";
import type { ModelRequest } from "../../../../../src/core/ports/model.js";
import { CountingIds } from "../../../../fakes/countingIds.js";
import { adds, does, JobStage, plans } from "../../../../fakes/jobStage.js";
import { calls } from "../../../../fakes/navigatorWorld.js";
import type { ScriptedResponse } from "../../../../fakes/scriptedModel.js";

const changes = ["createFile", "replaceFile", "appendLines", "removeFile"] as const;

/** Returns three tasks, of which the second asks where to go, and a file that each of them writes. */
function answer({ messages }: ModelRequest): ScriptedResponse {
  const [system = "", told = ""] = messages.map(({ content }) => content);
  if (system.includes("PLANNER")) {
    const clarification = { question: "Alone?" };
    return told.includes("Create the plan")
      ? plans([adds("1. Pack", "2. Go", "3. Rest")], { clarification })
      : plans([]);
  }
  const task = /objective: Task (\d)\. (.*)$/m.exec(told);
  if (messages.length === 2) {
    return calls("write_to_file", { path: `${task?.[1] ?? ""}.txt`, content: "done\n" });
  }
  if (task?.[2] !== "Go") return does({ summary: `Did ${task?.[1] ?? ""}.` });
  return does({
    result: "Pending",
    summary: "Where to?",
    clarification: { question: "Sea or hills?", default_plan: [{ text: "2. Go to the sea" }] },
  });
}

/** Runs the job until its process dies before a change of a file; answers with what is on the disk then. */
async function killedAt(change: number, files: Record<string, string>) {
  const stage = new JobStage(answer, files);
  let count = 0;
  for (const name of changes) {
    const real = stage.files[name].bind(stage.files) as (...args: unknown[]) => Promise<unknown>;
    const faulty = async (...args: unknown[]) => {
      count++;
      if (count < change) return real(...args);
      throw new Error("killed");
    };
    Object.assign(stage.files, { [name]: faulty });
  }
  const end = await stage.run().catch(() => undefined);
  const left = stage.files.paths.map((path) => [path, stage.files.text(path) ?? ""] as const);
  return { files: Object.fromEntries(left), isKilled: end === undefined };
}

describe("a job whose process is killed before any change of a file", () => {
  it("[R-JIXO-17] [R-JIXO-21] [R-JIXO-24] does each task once in the log, and asks each question once", async () => {
    const begun = { ".jixo/trip.job.md": "Plan a trip.\n" };
    let kills = 0;
    for (let change = 1; ; change++) {
      const { files, isKilled } = await killedAt(change, begun);
      if (!isKilled) break;
      kills++;
      const stage = new JobStage(answer, files);
      stage.ids = new CountingIds(1000);
      assert.equal((await stage.run()).code, 0, String(change));
      const log = readJobLog(stage.log);
      assert.deepEqual(logProblems(log), []);
      assert.deepEqual(
        log.tasks.map(({ text, status }) => `${text} ${status ?? ""}`),
        ["1. Pack Completed", "2. Go to the sea Completed", "3. Rest Completed"],
      );
      const entries = log.entries.map(
        ({ result, fields }) => `${fields.get("objective")?.value ?? ""}: ${result ?? ""}`,
      );
      assert.deepEqual(entries.toReversed(), [
        "Create the plan: Succeeded",
        "Task 1. Pack: Succeeded",
        "Task 2. Go: Pending",
        "Task 2. Go to the sea: Succeeded",
        "Task 3. Rest: Succeeded",
      ]);
      for (const question of [/Alone\?/g, /Sea or hills\?/g]) {
        assert.equal(stage.job.match(question)?.length, 1, `${change} ${String(question)}`);
      }
    }
    assert.ok(kills > 50, String(kills));
  });
});
