import assert from "node:assert/strict";
import { ChangeStore } from "../../../../src/core/changes/changeStore.js";
import { noDocuments } from "../../../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../../../src/core/changes/taskChanges.js";
import { TaskRecorder } from "../../../../src/core/changes/taskRecorder.js";
import { isUserError, UserError } from "../../../../src/core/errors.js";
import type { WorkspaceHost } from "../../../../src/core/experts/workspaceHost.js";
import type { UnfinishedTask } from "../../../../src/core/navigator/queue/planTasks.js";
import { landingId } from "../../../../src/core/navigator/worktrees/landingId.js";
import { PlanWorktreeStore } from "../../../../src/core/navigator/worktrees/planWorktree.js";
import type { PlanWorktrees } from "../../../../src/core/navigator/worktrees/planWorktrees.js";
import { english } from "../../../../src/core/text/translator.js";
import { spoken, type Words } from "../../../../src/core/text/words.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";
import { memoryPlans } from "../../../fakes/memoryPlans.js";
import { MemoryWorktrees } from "../../../fakes/memoryWorktrees.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const planId = "ROO#PLAN_20260102030405_A1B2C3";
const other = "ROO#PLAN_20260102030406_D4E5F6";
const record = ".rooroo/worktrees/ROO-PLAN_20260102030405_A1B2C3.json";
const allowed = () => Promise.resolve(true);

/** A folder and its worktrees, on which one process after the other works. */
class Stage {
  readonly files = new MemoryFileSystem({ "a.txt": "one", "b.txt": "two", "c.txt": "three" });
  readonly worktrees = new MemoryWorktrees(this.files);
  readonly clock = new ManualClock();
  readonly signer = new PlainSigner();
  readonly setUps: string[] = [];
  setUp: () => Promise<void> = () => Promise.resolve();

  /** Returns the objects of a new process. */
  begin(): PlanWorktrees {
    return memoryPlans({
      ...parts(this),
      setUp: async (plan) => {
        this.setUps.push(plan);
        await this.setUp();
      },
      unfinished: () => this.unfinished,
    });
  }

  unfinished: readonly UnfinishedTask[] = [];

  changes(files = this.files): TaskChanges {
    const { clock, signer } = this;
    return new TaskChanges({ files, signer, clock, documents: noDocuments }, ".rooroo/tasks");
  }

  /** Writes into a plan's worktree as its tasks would. */
  put(path: string, text: string, plan = planId): void {
    this.worktrees.at(`/worktrees/${plan.replaceAll("#", "-")}`).put(path, text);
  }

  phase(): string {
    return (JSON.parse(this.files.text(record) ?? "{}") as { phase?: string }).phase ?? "none";
  }
}

describe("a plan in a worktree", () => {
  let stage: Stage;
  let plans: PlanWorktrees;

  beforeEach(() => {
    stage = new Stage();
    plans = stage.begin();
  });

  it("has none unless it was asked for", async () => {
    assert.equal(await plans.hostOf(planId), undefined);
    assert.deepEqual(await stage.worktrees.left(), []);
  });

  it("is refused with a reason before anything is done", async () => {
    stage.worktrees.problem = new UserError("hasSubmodules", "There are submodules.");
    const before = stage.files.paths;
    await assert.rejects(plans.ask(planId), { code: "hasSubmodules" });
    assert.deepEqual(stage.files.paths, before);
  });

  it("tells before anything is done, and once, what is done only in part", async () => {
    stage.worktrees.limits = ["submodules", "filtered", "sparse"];
    const told: string[] = [];
    const before = stage.files.paths;
    const tell = (text: Words) => {
      assert.deepEqual(stage.files.paths, before);
      told.push(spoken(text, english));
    };
    await plans.ask(planId, undefined, tell);
    await plans.ask(planId, undefined, tell);
    assert.equal(told.length, 3);
    assert.match(told.join("\n"), /submodules:.*\n.*Git LFS.*\n.*sparse checkout:/);
    assert.deepEqual(
      (await plans.check()).map((text) => spoken(text, english)),
      told,
    );
  });

  it("gets it at its first task, set up once, and the next task finds it as the first has left it", async () => {
    await plans.ask(planId);
    assert.deepEqual(await stage.worktrees.left(), []);
    stage.files.put("a.txt", "changed since");
    const host = await plans.hostOf(planId);
    assert.equal(await textIn(host, "a.txt"), "changed since");
    stage.put("a.txt", "first task");
    assert.equal(await textIn(await plans.hostOf(planId), "a.txt"), "first task");
    assert.equal(await textIn(await stage.begin().hostOf(planId), "a.txt"), "first task");
    assert.deepEqual(stage.setUps, [planId]);
  });

  it("is made anew where setting up fails", async () => {
    await plans.ask(planId);
    stage.setUp = () => {
      stage.put("half.txt", "half");
      return Promise.reject(new UserError("setUpFailed", "It failed."));
    };
    await assert.rejects(plans.hostOf(planId), { code: "setUpFailed" });
    stage.setUp = () => Promise.resolve();
    const host = await plans.hostOf(planId);
    assert.equal(await textIn(host, "half.txt"), undefined);
    assert.equal(stage.phase(), "ready");
  });

  it("is not where a record says that this installation did not write", async () => {
    await plans.ask(planId);
    await plans.hostOf(planId);
    const text = stage.files.text(record) ?? "";
    stage.files.put(record, text.replace(/"root": "[^"]*"/, '"root": "/etc"'));
    assert.equal(await stage.begin().hostOf(planId), undefined);
  });

  it("is not worked on where its folder is gone, or after it is over", async () => {
    await plans.ask(planId);
    await plans.hostOf(planId);
    await stage.worktrees.remove("ROO-PLAN_20260102030405_A1B2C3");
    const next = stage.begin();
    assert.deepEqual(await next.recover(), [{ type: "tellLost", planId }]);
    await next.discard(planId);
    await assert.rejects(next.hostOf(planId), { code: "planOver" });
    assert.deepEqual(await next.recover(), []);
  });

  it("has a number of its own, and tells of conflicts with the other before either lands", async () => {
    for (const one of [planId, other]) {
      await plans.ask(one);
      await plans.hostOf(one);
    }
    const store = new PlanWorktreeStore(stage.files, stage.clock, stage.signer);
    assert.deepEqual(
      (await store.all()).map(({ number }) => number),
      [1, 2],
    );
    assert.deepEqual(await plans.conflicts(planId), new Map());
    for (const one of [planId, other]) stage.put("b.txt", one, one);
    assert.deepEqual([...(await plans.conflicts(planId))], [[other, ["b.txt"]]]);
  });

  it("is refused beyond ten, until one has ended", async () => {
    const eleventh = "ROO#PLAN_20260102030407_F7A8B9";
    for (let n = 0; n < 10; n++) await plans.ask(`ROO#PLAN_20260102030405_A1B2C${n}`);
    await assert.rejects(plans.ask(eleventh), { code: "tooManyWorktrees" });
    await plans.discard(planId);
    await plans.ask(eleventh);
  });

  it("is listed with what it will conflict with, as of its last task; both plans of a conflict are told", async () => {
    for (const one of [planId, other]) {
      await plans.ask(one);
      await plans.hostOf(one);
    }
    stage.put("b.txt", "mine", planId);
    await plans.look(planId);
    stage.put("b.txt", "theirs", other);
    stage.put("a.txt", "theirs", other);
    stage.files.put("a.txt", "the user's");
    await plans.look(other);
    await plans.look("ROO#PLAN_20260102030407_F7A8B9");
    const places = await stage.begin().places();
    assert.deepEqual(
      places.map(({ phase, made, conflicts }) => [phase, made?.bytes, conflicts]),
      [
        ["ready", 11, [{ with: other, paths: ["b.txt"] }]],
        [
          "ready",
          11,
          [
            { with: null, paths: ["a.txt"] },
            { with: planId, paths: ["b.txt"] },
          ],
        ],
      ],
    );
    await plans.discard(planId);
    assert.deepEqual(
      (await plans.places()).map(({ conflicts }) => conflicts.map((one) => one.with)),
      [[null]],
    );
  });

  describe("landing", () => {
    beforeEach(async () => {
      await plans.ask(planId);
      await plans.hostOf(planId);
      stage.put("a.txt", "plan's a");
      stage.put("b.txt", "plan's b");
      stage.put("made.txt", "made");
    });

    it("writes its files as changes that are reviewed and undone, and removes the worktree", async () => {
      stage.files.put("c.txt", "mine");
      const landed = await plans.land(planId, { mayWrite: allowed });
      assert.equal(landed.type, "landed");
      assert.deepEqual(
        ["a.txt", "b.txt", "c.txt", "made.txt"].map((path) => stage.files.text(path)),
        ["plan's a", "plan's b", "mine", "made"],
      );
      assert.deepEqual(await stage.worktrees.left(), []);
      const id = landingId(planId);
      const changed = (await stage.changes().files([id])).map(({ path }) => path);
      assert.deepEqual(changed, ["a.txt", "b.txt", "made.txt"]);
      await stage.changes().undo(id, allowed);
      assert.deepEqual(
        ["a.txt", "b.txt", "c.txt", "made.txt"].map((path) => stage.files.text(path)),
        ["one", "two", "mine", undefined],
      );
      assert.deepEqual(await plans.land(planId, { mayWrite: allowed }), {
        type: "landed",
        files: [],
        leftOut: [],
        unfinished: [],
      });
      assert.equal(stage.files.text("a.txt"), "one");
    });

    it("waits for the plan's tasks, or takes what there is and leaves the worktree to them", async () => {
      stage.unfinished = [{ taskId: "ROO#TASK_1", is: "waiting" }];
      await assert.rejects(plans.land(planId, { mayWrite: allowed }), (error) => {
        assert.ok(isUserError(error));
        assert.equal(error.code, "planNotEnded");
        assert.match(error.message, /ROO#TASK_1 \(waiting\)/);
        return true;
      });
      assert.equal(stage.files.text("a.txt"), "one");
      const landed = await plans.land(planId, { mayWrite: allowed, isConfirmed: true });
      assert.ok(landed.type === "landed");
      assert.deepEqual(landed.unfinished, stage.unfinished);
      assert.equal(stage.files.text("a.txt"), "plan's a");
      assert.equal(await textIn(await plans.hostOf(planId), "b.txt"), "plan's b");
      stage.put("c.txt", "plan's c");
      stage.unfinished = [];
      await plans.land(planId, { mayWrite: allowed });
      assert.equal(stage.files.text("c.txt"), "plan's c");
      assert.deepEqual(await stage.worktrees.left(), []);
    });

    it("moves where a task's changes are found from the worktree to the landing", async () => {
      const task = "ROO#TASK_20260102030405_A1B2C3";
      const files = stage.worktrees.at("/worktrees/ROO-PLAN_20260102030405_A1B2C3");
      const log = new ChangeStore(files, stage.clock, stage.signer, `.rooroo/tasks/${task}`);
      await new TaskRecorder(log, files).writing("a.txt", bytes("one"), bytes("plan's a"));
      const found = await (await plans.changesOf(task))?.files([task]);
      assert.deepEqual(
        found?.map(({ path }) => path),
        ["a.txt"],
      );
      await plans.land(planId, { mayWrite: allowed });
      await assert.rejects(plans.changesOf(task), (error) => {
        assert.ok(isUserError(error));
        assert.equal(error.code, "planHasLanded");
        assert.match(error.message, /ROO#LAND_20260102030405_A1B2C3/);
        return true;
      });
    });

    it("writes nothing where the user has changed the same", async () => {
      stage.files.put("b.txt", "mine");
      assert.deepEqual(await plans.land(planId, { mayWrite: allowed }), {
        type: "conflicts",
        paths: ["b.txt"],
      });
      assert.equal(stage.files.text("a.txt"), "one");
      assert.equal(stage.phase(), "ready");
    });

    it("leaves a file that changes meanwhile or that nobody allows, and keeps the worktree for them", async () => {
      stage.put(".vscode/settings.json", "{}");
      const refused = () => {
        stage.files.put("a.txt", "mine, just now");
        return Promise.resolve(false);
      };
      const landed = await plans.land(planId, { mayWrite: refused });
      assert.ok(landed.type === "partly");
      assert.deepEqual(
        landed.files.map(({ path, ...one }) => [
          path,
          one.type === "left" ? one.problem.code : one.type,
        ]),
        [
          [".vscode/settings.json", "fileProtected"],
          ["a.txt", "fileChangedSinceLanding"],
          ["b.txt", "landed"],
          ["made.txt", "landed"],
        ],
      );
      assert.equal(stage.files.text("a.txt"), "mine, just now");
      assert.equal(stage.phase(), "ready");
      assert.deepEqual((await plans.preview(planId)).type, "conflicts");
    });
  });

  it("takes in what the user has done meanwhile, and lands over it when the conflicts are resolved", async () => {
    await plans.ask(planId);
    const host = await plans.hostOf(planId);
    stage.put("a.txt", "plan's a");
    stage.files.put("a.txt", "mine");
    stage.files.put("b.txt", "mine, too");
    assert.equal((await plans.land(planId, { mayWrite: allowed })).type, "conflicts");
    assert.deepEqual(await plans.update(planId), ["a.txt"]);
    assert.match((await textIn(host, "a.txt")) ?? "", /mine\n=======\nplan's a/);
    assert.equal(await textIn(host, "b.txt"), "mine, too");
    assert.equal(stage.files.text("a.txt"), "mine");
    stage.put("a.txt", "both");
    assert.equal((await plans.land(planId, { mayWrite: allowed })).type, "landed");
    assert.equal(stage.files.text("a.txt"), "both");
    await stage.changes().undo(landingId(planId), allowed);
    assert.equal(stage.files.text("a.txt"), "mine");
    assert.equal(stage.files.text("b.txt"), "mine, too");
  });

  it("conflicts with another that lands at the same moment, instead of leaving files", async () => {
    for (const plan of [planId, other]) {
      await plans.ask(plan);
      await plans.hostOf(plan);
      stage.put("a.txt", plan, plan);
    }
    const landed = await Promise.all(
      [planId, other].map((plan) => plans.land(plan, { mayWrite: allowed })),
    );
    assert.deepEqual(landed.map(({ type }) => type).sort(), ["conflicts", "landed"]);
  });

  it("is neither landed nor discarded nor updated while a session uses it", async () => {
    const lock = new MemoryLock();
    const begun = () => memoryPlans({ ...parts(stage), lock });
    const first = begun();
    await first.ask(planId);
    const used = await first.use(planId);
    await first.hostOf(planId);
    const second = begun();
    await assert.rejects(second.use(planId), { code: "worktreeInUse" });
    for (const done of [
      () => second.land(planId, { mayWrite: allowed }),
      () => second.discard(planId),
      () => second.update(planId),
    ]) {
      await assert.rejects(done, { code: "worktreeInUse" });
    }
    stage.put("made.txt", "made");
    assert.equal((await first.landFor("ROO#JOB_x_1", planId)).type, "landed");
    await used.release();
    assert.equal(stage.files.text("made.txt"), "made");
    const store = new ChangeStore(
      stage.files,
      stage.clock,
      stage.signer,
      ".rooroo/tasks/ROO#JOB_x_1",
    );
    assert.deepEqual([...(await store.read()).keys()], ["made.txt"]);
  });

  it("survives a kill at every operation on a file or by git: nothing is lost, nothing lands twice", async () => {
    let kills = 0;
    for (let at = 1; ; at++) {
      stage = new Stage();
      const result = await killedAt(stage, at);
      const shown = `killed at operation ${at}`;
      const texts = ["a.txt", "b.txt", "c.txt", "made.txt"].map((path) => stage.files.text(path));
      assert.deepEqual(texts, ["plan's a", "two", "mine", "made"], shown);
      assert.deepEqual(await stage.worktrees.left(), [], shown);
      const id = landingId(planId);
      await stage.changes().undo(id, allowed);
      assert.equal(stage.files.text("a.txt"), "one", shown);
      assert.equal(stage.files.text("made.txt"), undefined, shown);
      if (result === "whole") break;
      kills++;
    }
    assert.ok(kills > 40, String(kills));
  });

  it("receive what was made of a plan elsewhere, once, also after a process was killed at it", async () => {
    const stage = new Stage();
    const { worktrees, files } = stage;
    await stage.begin().ask(planId);
    const base = await worktrees.base("ROO-PLAN_20260102030405_A1B2C3");
    files.put("a.txt", "made elsewhere");
    const result = await worktrees.base("result");
    files.put("a.txt", "one");
    for (const operation of ["make", "fill"] as const) {
      worktrees.beforeOperation = (now) => {
        if (now === operation) throw new Error("killed");
      };
      await assert.rejects(stage.begin().receive(planId, base, result), /killed/);
      assert.equal(stage.phase(), "asked");
    }
    delete worktrees.beforeOperation;
    const plans = stage.begin();
    await plans.receive(planId, base, result);
    assert.equal(stage.phase(), "ready");
    stage.put("a.txt", "changed since");
    await plans.receive(planId, base, result);
    const landed = await plans.land(planId, { mayWrite: allowed });
    assert.equal(landed.type, "landed");
    assert.equal(files.text("a.txt"), "changed since");
  });
});

/** Makes, works on and lands a plan in a process that is killed at an operation, and then in others. */
async function killedAt(stage: Stage, at: number): Promise<"whole" | "killed"> {
  let left = at;
  const die = () => {
    if (--left === 0) throw new Killed();
    // A process that is dead does nothing any more.
    if (left < 0) throw new Killed();
  };
  stage.files.beforeOperation = die;
  stage.worktrees.beforeOperation = die;
  const work = async () => {
    const plans = stage.begin();
    await plans.recover();
    await plans.ask(planId);
    const store = new PlanWorktreeStore(stage.files, stage.clock, stage.signer);
    if ((await store.read(planId))?.phase === "landed") return;
    if ((await plans.hostOf(planId)) === undefined) throw new Error("no host");
    stage.put("a.txt", "plan's a");
    stage.put("made.txt", "made");
    stage.files.put("c.txt", "mine");
    assert.deepEqual(await plans.update(planId), []);
    assert.equal((await plans.land(planId, { mayWrite: allowed })).type, "landed");
  };
  let result: "whole" | "killed" = "whole";
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
    result = "killed";
  }
  delete stage.files.beforeOperation;
  delete stage.worktrees.beforeOperation;
  if (result === "killed") await work();
  return result;
}

function parts({ files, worktrees, clock }: Stage) {
  return { files, worktrees, clock };
}

class Killed extends Error {}

const bytes = (text: string) => new TextEncoder().encode(text);

async function textIn(host: WorkspaceHost | undefined, path: string): Promise<string | undefined> {
  const bytes = await host?.files.readFile(path);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
