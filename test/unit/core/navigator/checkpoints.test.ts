import assert from "node:assert/strict";
import { endsAtChange } from "../../../fakes/memoryFileSystem.js";
import { asks, calls, completes, triages } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";
import { place, RestoreStage, writes } from "./restoreStage.js";

const changing = (path: string, content: string): ModelScript[] => [
  triages({ route: "direct", goal: `Write ${path}`, expert: "rooroo-developer" }),
  ...writes(path, content),
];

/** Makes three requests: the second changes `a`, the third `a` again and `b`. */
async function threeRequests(more: readonly ModelScript[] = []) {
  const stage = new RestoreStage(
    [
      ...changing("a", "one\n"),
      ...changing("a", "two\n"),
      triages({ route: "direct", goal: "Write b", expert: "rooroo-developer" }),
      calls("read_file", { path: "a" }),
      calls("write_to_file", { path: "a", content: "three\n" }),
      calls("write_to_file", { path: "b", content: "new\n" }),
      completes({ message: "Wrote both" }),
      ...more,
    ],
    { a: "zero\n" },
  );
  const ids: string[] = [];
  for (const text of ["first", "second", "third"]) ids.push(await stage.say(text));
  return { stage, ids };
}

describe("a restore to before a message", () => {
  it("says first which files change, and changes nothing", async () => {
    const { stage, ids } = await threeRequests();
    const preview = await stage.points.preview(ids[1]!);
    assert.equal(preview.checkpoint.title, "second");
    assert.deepEqual(preview.files, [
      { path: "a", type: "restored" },
      { path: "b", type: "removed" },
    ]);
    assert.equal(stage.text("a"), "three\n");
    assert.deepEqual(
      (await stage.points.list()).map(({ title }) => title),
      ["first", "second", "third"],
    );
  });

  it("restores both, and can be undone", async () => {
    const { stage, ids } = await threeRequests();
    const before = await stage.shown();
    assert.deepEqual(await stage.points.restore(ids[1]!, "both"), { files: 2, left: [] });
    assert.equal(stage.text("a"), "one\n");
    assert.equal(stage.text("b"), undefined);
    const lines = await stage.lines();
    assert.ok(!lines.includes("second") && !lines.includes("third"), lines.join());
    assert.match(lines.at(-1) ?? "", /files and the conversation to before “second”. 2 files/);
    assert.deepEqual(
      (await stage.points.list()).map(({ title }) => title),
      ["first"],
    );

    const notice = (await stage.shown()).at(-1);
    assert.deepEqual(await stage.points.undo(notice!.id), { files: 3, left: [] });
    assert.equal(stage.text("a"), "three\n");
    assert.equal(stage.text("b"), "new\n");
    assert.deepEqual(await stage.shown(), before);
    await assert.rejects(stage.points.undo(notice!.id), { code: "restoreUnknown" });
    // What was made again can be undone again.
    await stage.points.restore(ids[0]!, "files");
    assert.equal(stage.text("a"), "zero\n");
    assert.equal(stage.text("b"), undefined);
  });

  it("restores only the files, or only the conversation", async () => {
    const { stage, ids } = await threeRequests();
    await stage.points.restore(ids[2]!, "files");
    assert.equal(stage.text("a"), "two\n");
    assert.ok((await stage.lines()).includes("third"));
    await stage.points.restore(ids[1]!, "conversation");
    assert.equal(stage.text("a"), "two\n");
    assert.ok(!(await stage.lines()).includes("second"));
    await assert.rejects(stage.points.preview(ids[1]!), { code: "checkpointUnknown" });
  });

  it("never overwrites what somebody has changed since, and names it before and after", async () => {
    const { stage, ids } = await threeRequests();
    stage.stage.files.put("a", "mine\n");
    const [left, removed] = (await stage.points.preview(ids[1]!)).files;
    assert.deepEqual(removed, { path: "b", type: "removed" });
    assert.ok(left?.type === "left");
    assert.equal(left.problem.code, "fileChangedAfterTask");
    const { files, left: kept } = await stage.points.restore(ids[1]!, "both");
    assert.equal(files, 1);
    assert.deepEqual(
      kept.map(({ path }) => path),
      ["a"],
    );
    assert.equal(stage.text("a"), "mine\n");
    assert.match((await stage.lines()).at(-1) ?? "", /Left as they are:\n\n- `a`: a was changed/);
    // Undone, nothing of the person's is overwritten either.
    stage.stage.files.put("b", "mine, too\n");
    const undone = await stage.points.undo((await stage.shown()).at(-1)!.id);
    assert.deepEqual(
      undone.left.map(({ path }) => path),
      ["b"],
    );
    assert.equal(stage.text("b"), "mine, too\n");
    assert.match((await stage.lines()).at(-1) ?? "", /undone, but for these files/);
  });

  it("keeps the Navigator from hearing what was taken back", async () => {
    const request: ModelScript = triages({ route: "acknowledge", reply: "Yes." });
    const { stage, ids } = await threeRequests([request, request, request]);
    const heard = () => JSON.stringify(stage.stage.model.requests.at(-1)?.messages);
    await stage.points.restore(ids[1]!, "conversation");
    const fourth = await stage.say("fourth");
    assert.match(heard(), /first/);
    assert.doesNotMatch(heard(), /second|third/);
    // Nor after a restart.
    const { events } = await stage.conversations.journal(place).load();
    stage.stage.navigator.recall(events, place);
    await stage.say("fifth");
    assert.match(heard(), /fourth/);
    assert.doesNotMatch(heard(), /second|third/);
    await stage.points.restore(fourth, "conversation");
    await stage.points.undo((await stage.shown()).at(-1)!.id);
    await stage.say("sixth");
    assert.match(heard(), /fourth/);
  });

  it("takes what waits out of the queue and the lists, and puts it back to wait there", async () => {
    const tasks = ["One", "Two"].map((goal) => ({
      suggested_mode: "rooroo-developer",
      goal_for_expert: goal,
    }));
    const stage = new RestoreStage(
      [completes({ queue_tasks_json_lines: tasks }), asks("Which?")],
      {},
    );
    const id = await stage.say("/plan --wait Build it");
    await stage.say("/do Ask");
    const { navigator } = stage.stage;
    const states = async () => (await navigator.overview()).tasks.map(({ state }) => state).sort();
    assert.deepEqual(await states(), ["done", "needsYou", "queued", "queued"]);
    assert.deepEqual((await stage.points.preview(id)).unfinished, ["One", "Two", "Ask"]);
    await stage.points.restore(id, "both");
    assert.deepEqual(await states(), ["done"]);
    assert.equal(stage.stage.queueText, "");
    assert.deepEqual(await stage.lines(), [
      "Restored the files and the conversation to before “--wait Build it”. 0 files restored.",
    ]);
    await stage.points.undo((await stage.shown()).at(-1)!.id);
    assert.deepEqual(await states(), ["done", "needsYou", "queued", "queued"]);
    const [first, second] = await stage.stage.dependencies.queue.entries();
    assert.deepEqual([first?.autoProceed, second?.autoProceed], [false, true]);
  });

  it("is refused while something works here", async () => {
    const { stage, ids } = await threeRequests();
    const held = await stage.stage.lock.tryHold("drain");
    await assert.rejects(stage.points.restore(ids[1]!, "both"), {
      code: "restoreWhileRunningElsewhere",
    });
    assert.equal(stage.text("a"), "three\n");
    assert.ok((await stage.lines()).includes("second"));
    if ("held" in held) await held.held.release();
  });

  it("loses nothing when the process ends at any file operation, and is finished or undone then", async () => {
    for (const then of ["finish", "undo"] as const) {
      for (let end = 1; ; end++) {
        const { stage, ids } = await threeRequests();
        const disk = stage.stage.files;
        disk.beforeOperation = endsAtChange(end);
        const cutOff = await stage.points.restore(ids[1]!, "both").then(
          () => false,
          () => true,
        );
        disk.beforeOperation = undefined;
        if (!cutOff) break;
        // The next process, with what is on disk.
        const next = new RestoreStage([], disk, stage.stage.clock);
        const notice = (await next.shown()).at(-1);
        if (notice?.kind !== "notice" || !notice.id.startsWith("r-")) {
          assert.equal(next.text("a"), "three\n", `killed at ${end}`);
          assert.equal(next.text("b"), "new\n");
          assert.ok((await next.lines()).includes("third"));
          continue;
        }
        assert.ok(!(await next.lines()).includes("third"));
        await next.points[then](notice.id);
        const isUndone = then === "undo";
        assert.equal(next.text("a"), isUndone ? "three\n" : "one\n", `${then}, killed at ${end}`);
        assert.equal(next.text("b"), isUndone ? "new\n" : undefined);
        assert.equal((await next.lines()).includes("third"), isUndone);
      }
    }
  }).timeout(60_000);

  it("is undone in the end, although the process ends at any file operation of that", async () => {
    for (let end = 1; ; end++) {
      const { stage, ids } = await threeRequests();
      await stage.points.restore(ids[1]!, "both");
      const { id } = (await stage.shown()).at(-1)!;
      const disk = stage.stage.files;
      disk.beforeOperation = endsAtChange(end);
      const cutOff = await stage.points.undo(id).then(
        () => false,
        () => true,
      );
      disk.beforeOperation = undefined;
      if (!cutOff) break;
      const next = new RestoreStage([], disk, stage.stage.clock);
      if (!(await next.lines()).includes("third")) await next.points.undo(id);
      assert.equal(next.text("a"), "three\n", `killed at ${end}`);
      assert.equal(next.text("b"), "new\n");
      assert.ok((await next.lines()).includes("third"));
    }
  }).timeout(60_000);
});
