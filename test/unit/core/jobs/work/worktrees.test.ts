import assert from "node:assert/strict";
import { UserError } from "../../../../../src/core/errors.js";
import type { ModelRequest } from "../../../../../src/core/ports/model.js";
import { CountingIds } from "../../../../fakes/countingIds.js";
import { does, JobStage } from "../../../../fakes/jobStage.js";
import { MemoryLock } from "../../../../fakes/memoryLock.js";
import { calls } from "../../../../fakes/navigatorWorld.js";

const files = {
  "a.txt": "one",
  ".jixo/trip.job.md": "---\nname: trip\n---\n\nPlan a trip.\n",
  ".jixo/trip.log.md":
    '---\ntitle: Trip\nprogress: "0%"\n---\n\n## Roadmap\n\n- [ ] 1. Write a.txt\n  - status: Pending\n\n## Work Log\n',
};

const reads = () => calls("read_file", { path: "a.txt" });
const writes = (content: string) => calls("write_to_file", { path: "a.txt", content });

describe("a job whose tasks work in worktrees", () => {
  let stage: JobStage;

  function open(scripts: ConstructorParameters<typeof JobStage>[0]): void {
    stage = new JobStage(scripts, files);
    stage.isolation = "worktree";
  }

  /** What the model is told by the result of its last call, in a request. */
  const toldBack = (request: number) =>
    stage.model.requests[request]?.messages.findLast(({ role }) => role === "tool")?.content ?? "";

  it("puts what a task has done into the folder when it is done, as the session's changes, and removes the worktree", async () => {
    let inFolder: string | undefined;
    open([
      reads(),
      writes("two"),
      () => {
        inFolder = stage.files.text("a.txt");
        return does();
      },
    ]);
    assert.equal((await stage.run()).code, 0);
    assert.equal(inFolder, "one");
    assert.equal(stage.files.text("a.txt"), "two");
    assert.deepEqual(await stage.trees.left(), []);
    assert.match(stage.log, /Changes\*\*: 1 file/);
    assert.notEqual(
      stage.files.text(`.rooroo/tasks/${stage.session}/changes/log.jsonl`),
      undefined,
    );
  });

  it("tells before its first task what worktrees do only in part", async () => {
    open([reads(), writes("two"), does()]);
    stage.trees.limits = ["submodules"];
    assert.equal((await stage.run()).code, 0);
    const kinds = stage.events.map((event) =>
      event.type === "notice" && event.text.includes("has submodules") ? "told" : event.type,
    );
    assert.ok(kinds.includes("told"));
    assert.ok(kinds.indexOf("told") < kinds.indexOf("sessionStarted"), kinds.join(" "));
  });

  it("lands nothing of a task that is not done, and its next session goes on with it", async () => {
    open([
      reads(),
      writes("half"),
      does({ result: "Pending", summary: "Half." }),
      reads(),
      writes("whole"),
      does(),
    ]);
    await stage.run({ most: 1 });
    assert.equal(stage.files.text("a.txt"), "one");
    assert.equal((await stage.trees.left()).length, 1);
    assert.equal((await stage.run()).code, 0);
    assert.match(toldBack(4), /half/);
    assert.equal(stage.files.text("a.txt"), "whole");
    assert.deepEqual(await stage.trees.left(), []);
  });

  it("has the runner resolve what conflicts with what others have done meanwhile", async () => {
    open([
      reads(),
      writes("mine"),
      () => {
        stage.files.put("a.txt", "theirs");
        return does();
      },
      reads(),
      writes("both"),
      does(),
    ]);
    assert.equal((await stage.run()).code, 0);
    assert.match(toldBack(3), /others changed the same lines[^]*- a\.txt/);
    assert.equal(stage.files.text("a.txt"), "both\n");
    assert.deepEqual(stage.lifecycles, ["Task 1. Write a.txt: Succeeded"]);
  });

  it("does not begin where no worktree can be made, and says why", async () => {
    open([does()]);
    stage.trees.problem = new UserError("hasSubmodules", "There are submodules.");
    assert.deepEqual(await stage.run(), { code: 1, reason: "There are submodules." });
    assert.equal(stage.model.requests.length, 0);
  });

  it("is done once, whenever its process is killed", async () => {
    for (let change = 1; ; change++) {
      const answer = ({ messages }: ModelRequest) =>
        [reads(), writes("two")][messages.filter(({ role }) => role === "tool").length] ?? does();
      open(answer);
      let left = change;
      const die = (operation: string) => {
        if (/^(create|replace|append|remove|make|update)/.test(operation)) left--;
        if (left <= 0) throw new Error("killed");
      };
      stage.files.beforeOperation = die;
      stage.trees.beforeOperation = die;
      await stage.run().catch(() => undefined);
      delete stage.files.beforeOperation;
      delete stage.trees.beforeOperation;
      const shown = `killed at change ${change}`;
      stage.lock = new MemoryLock();
      stage.ids = new CountingIds(1000);
      assert.equal((await stage.run()).code, 0, shown);
      assert.equal(stage.files.text("a.txt"), "two", shown);
      assert.deepEqual(stage.lifecycles, ["Task 1. Write a.txt: Succeeded"], shown);
      await stage.plans.recover();
      assert.deepEqual(await stage.trees.left(), [], shown);
      if (left > 0) {
        assert.ok(change > 20, String(change));
        break;
      }
    }
  });
});
