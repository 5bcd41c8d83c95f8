import assert from "node:assert/strict";
import type { ModelRequest } from "../../../../src/core/ports/model.js";
import { readRunOverview } from "../../../../src/core/runs/runOverview.js";
import { calls } from "../../../fakes/navigatorWorld.js";
import { RunStage } from "../../../fakes/runStage.js";
import { confirmed, files } from "./confirmedRun.js";

const words = "Write for gardeners.";
const has = ({ messages }: ModelRequest) => JSON.stringify(messages).includes(words);
const first = "Executor P1-S1-T1";
const reads = calls("read_file", { absolute_path: "assets/notes.md" });

/** Returns how often agents were told the words. */
function times({ files: all }: RunStage): number {
  const told = all.paths
    .filter((path) => path.endsWith("/transcript.jsonl"))
    .flatMap((path) => (all.text(path) ?? "").split("\n"))
    .filter((line) => line.includes(words) && line.includes('"messageId"'));
  return told.length;
}

const waiting = ({ files: { paths } }: RunStage) =>
  paths.filter((path) => path.includes("/message-"));

describe("words to an agent of a run", () => {
  it("are told at its next turn, shown in the conversation, and stand in the report", async () => {
    let isTold = false;
    const stage: RunStage = new RunStage(files, async (unit) => {
      if (unit !== first || isTold) return undefined;
      isTold = true;
      await stage.tell(words);
      return reads;
    });
    const { run, end } = await confirmed(stage);
    assert.equal(end.status, "done");
    assert.equal(times(stage), 1);
    assert.deepEqual(waiting(stage), []);
    const shown = stage.events.filter(
      (event) => event.type === "agent" && event.event.type === "messageDelivered",
    );
    assert.equal(shown.length, 1);
    assert.match(
      stage.said.at(-1) ?? "",
      /You said to its agents while they worked:\n- Write for gardeners\./,
    );
    assert.match(stage.files.text(`runs/${run}/report_for_user.md`) ?? "", /gardeners/);
  });

  it("that came too late are told to the next agent, once", async () => {
    let isTold = false;
    const units: string[] = [];
    const stage: RunStage = new RunStage(files, async (unit, request) => {
      if (has(request) && !units.includes(unit)) units.push(unit);
      if (unit !== first || isTold) return undefined;
      isTold = true;
      await stage.tell(words);
      stage.stopping.abort();
      return undefined;
    });
    const { run } = await confirmed(stage);
    assert.equal(waiting(stage).length, 1, "it waits while the run is stopped");
    // As if the session had ended meanwhile: its words are the next one's.
    const [path = ""] = waiting(stage);
    const [, session = ""] = /tasks\/([^/]+)\//.exec(path) ?? [];
    const earlier = session.replace(/_P1-S1-T1$/, "_plan-phase-P1");
    await stage.messages.handOn(session, earlier);
    const next: RunStage = new RunStage(
      Object.fromEntries(stage.files.paths.map((one) => [one, stage.files.text(one) ?? ""])),
      (unit, request) => {
        if (has(request) && !units.includes(unit)) units.push(unit);
        return undefined;
      },
    );
    assert.equal((await next.drive(run)).status, "done");
    assert.deepEqual(units, [first]);
    assert.equal(times(next), 1);
    assert.deepEqual(waiting(next), []);
  });

  it("can be written to the agent that the overview names", async () => {
    const names: unknown[] = [];
    const stage: RunStage = new RunStage(files, async () => {
      const [row] = (await stage.store.table("process_runs", "")).rows;
      if (row === undefined) return undefined;
      const { unit } = await readRunOverview(row, stage.store, stage, { isHere: true });
      names.push(unit?.taskId === stage.sessions.at(-1) && unit?.mode);
      return undefined;
    });
    await confirmed(stage);
    assert.deepEqual([...new Set(names)], ["rooroo-run-planner", "rooroo-run-executor"]);
    const [row] = (await stage.store.table("process_runs", "")).rows;
    const over = row && (await readRunOverview(row, stage.store, stage));
    assert.equal(over?.unit, null);
  });

  it("are neither lost nor told twice by a process that is killed at any file operation", async () => {
    const writing = ["createFile", "replaceFile", "appendLines", "removeFile"] as const;
    /** Tells the first executor something at its first turn; dies at the given operation after that. */
    const play = async (diesAt: number) => {
      let done = 0;
      let isTold = false;
      const stage: RunStage = new RunStage(files, async (unit) => {
        if (unit !== first || isTold) return undefined;
        isTold = true;
        await stage.tell(words);
        for (const name of writing) {
          const real = stage.files[name].bind(stage.files) as (
            ...given: unknown[]
          ) => Promise<unknown>;
          Object.assign(stage.files, {
            [name]: (...given: unknown[]) =>
              ++done < diesAt ? real(...given) : Promise.reject(new Error("killed")),
          });
        }
        return reads;
      });
      const run = await confirmed(stage).then(
        (end) => end.run,
        () => "run-20250102-030405-001",
      );
      const left = stage.files.paths.map((path) => [path, stage.files.text(path) ?? ""] as const);
      return { run, left: Object.fromEntries(left) };
    };
    for (let at = 1; at <= 15; at++) {
      const { run, left } = await play(at);
      const next = new RunStage(left);
      assert.equal((await next.drive(run)).status, "done", String(at));
      assert.equal(times(next), 1, `killed at ${at}`);
      assert.deepEqual(waiting(next), [], `killed at ${at}`);
    }
  });
});
