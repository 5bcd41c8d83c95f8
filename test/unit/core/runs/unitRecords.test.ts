import assert from "node:assert/strict";
import { UnitRecords } from "../../../../src/core/runs/documents/unitRecords.js";
import { readRunOverview, type RunPart } from "../../../../src/core/runs/runOverview.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import { RunStage } from "../../../fakes/runStage.js";
import { confirmed, failed, files } from "./confirmedRun.js";

const tasksIn = (parts: readonly RunPart[]): RunPart[] =>
  parts.flatMap((part) => [...(part.kind === "task" ? [part] : []), ...tasksIn(part.children)]);

async function overviewOf(stage: RunStage) {
  const records = new UnitRecords(stage.files, new PlainSigner());
  const [row] = (await stage.store.table("process_runs", "")).rows;
  assert.ok(row);
  const read = () => readRunOverview(row, stage.store, stage, { records });
  return { records, read, overview: await read() };
}

describe("the records of a run's agents", () => {
  it("say of each part who did it, what it took and what it changed", async () => {
    const stage: RunStage = new RunStage(files, (unit) => {
      if (unit === "Executor P2-S1-T1") stage.clock.advance(60_000);
      return undefined;
    });
    const { run } = await confirmed(stage);
    const { overview, records, read } = await overviewOf(stage);
    const task = tasksIn(overview.parts).find(({ id }) => id === "P2-S1-T1");
    assert.deepEqual(task?.sessions, ["ROO#RUN_20250102-030405-001_P2-S1-T1"]);
    assert.deepEqual(task.work?.changes, { files: 1, added: 1, removed: 0 });
    // It was asked twice.
    assert.equal(task.work.workedMs, 120_000);
    assert.equal(Date.parse(task.work.to) - Date.parse(task.work.from), 120_000);
    const written = tasksIn(overview.parts).filter(({ work }) => work?.changes !== undefined);
    assert.equal(overview.work?.changes?.files, written.length);
    const ended = stage.events.find(
      (event) => event.type === "sessionEnded" && event.taskId === task.sessions[0],
    );
    assert.equal(ended?.type === "sessionEnded" && ended.changedFiles, 1);

    await records.setUndone(run, task.sessions);
    const undone = await read();
    const again = tasksIn(undone.parts).find(({ id }) => id === task.id);
    assert.deepEqual([again?.work?.isUndone, again?.work?.changes], [true, undefined]);
    assert.equal(undone.work?.changes?.files, written.length - 1);
  });

  it("count all tries of a part, and lead to the last one first", async () => {
    let fails = true;
    const stage: RunStage = new RunStage(files, (unit) =>
      unit === "Executor P1-S1-T1" && fails ? failed("No bees.") : undefined,
    );
    const { run } = await confirmed(stage);
    fails = false;
    await stage.decide(run, { type: "RETRY" });
    const { overview } = await overviewOf(stage);
    const task = tasksIn(overview.parts).find(({ id }) => id === "P1-S1-T1");
    assert.deepEqual(
      task?.sessions.map((id) => id.replace(/^.*_/, "")),
      ["P1-S1-T1-try2", "P1-S1-T1"],
    );
  });

  it("add the times of a session that was resumed", async () => {
    const { files: memory } = new RunStage();
    const records = new UnitRecords(memory, new PlainSigner());
    const at = (from: string, to: string, workedMs: number) =>
      records.put("run-1", "ROO#RUN_1_T04", { from, to, workedMs, tokens: 5 });
    await at("2026-01-02T03:00:00Z", "2026-01-02T03:01:00Z", 60_000);
    await at("2026-01-02T05:00:00Z", "2026-01-02T05:00:30Z", 30_000);
    assert.deepEqual((await records.read("run-1")).get("ROO#RUN_1_T04"), {
      from: "2026-01-02T03:00:00Z",
      to: "2026-01-02T05:00:30Z",
      workedMs: 90_000,
      tokens: 5,
    });
  });

  it("of another installation, or broken, say nothing", async () => {
    const stage = new RunStage(files);
    const { run } = await confirmed(stage);
    const path = `.rooroo/runs/${run}.json`;
    const text = stage.files.text(path) ?? "";
    for (const foreign of [text.replace('"tokens": 0', '"tokens": 1'), "{", ""]) {
      await stage.files.replaceFile(path, foreign);
      const { overview } = await overviewOf(stage);
      assert.equal(overview.work, null);
    }
    const { records } = await overviewOf(stage);
    assert.equal((await records.read("../../x")).size, 0);
  });
});
