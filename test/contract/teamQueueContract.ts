import assert from "node:assert/strict";
import {
  mostDeaths,
  type TeamClaim,
  type TeamPlan,
  type TeamQueue,
  type TeamWorker,
} from "../../src/core/ports/teamQueue.js";

/** A queue for one test. */
export interface TeamQueueStage {
  readonly queue: TeamQueue;
  /** Makes a claim look as if its worker had not beaten for long. */
  silence(claim: TeamClaim): Promise<void>;
  /** Lets days pass for plans that were forgotten. */
  age(days: number): Promise<void>;
  /** Returns the names of all texts that are stored. */
  stored?(): Promise<string>;
  close(): Promise<void>;
}

export const commitOf = (number: number): string => String(number).padStart(40, "0");

export function planOf(name: string, tasks: number, labels: readonly string[] = []): TeamPlan {
  return {
    id: `ROO#PLAN_${name}`,
    repository: "shop",
    base: commitOf(1),
    tasks: Array.from({ length: tasks }, (_, index) => ({
      id: `ROO#SUB_${name}_S00${index + 1}`,
      labels,
    })),
    signature: "signed",
  };
}

const worker: TeamWorker = { machine: "one", repositories: ["shop"], labels: [] };
const other = { ...worker, machine: "two" };

/** What is heard from a queue. */
function listening(listen: (heard: (about?: string) => void) => () => void) {
  const heard: (string | undefined)[] = [];
  let wake: () => void = () => undefined;
  const stop = listen((about) => {
    heard.push(about);
    wake();
  });
  /** Waits for so many calls in all; there must not be more. */
  const until = async (count: number) => {
    while (heard.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    assert.equal(heard.length, count);
  };
  return { heard, stop, until };
}

/** The tests that each team's queue passes. */
export function teamQueueContract(open: () => Promise<TeamQueueStage>): void {
  let stage: TeamQueueStage;
  let queue: TeamQueue;
  beforeEach(async () => {
    stage = await open();
    ({ queue } = stage);
  });
  afterEach(() => stage.close());

  async function claimed(by = worker): Promise<TeamClaim> {
    const [claim] = await queue.claim(by, 1);
    assert.ok(claim, "there is a task");
    return claim;
  }

  const beats = async (claim: TeamClaim) => (await queue.beat([claim])).has(claim);

  /** Returns what the queue knows of the plans that these tests send. */
  async function plansOf(...names: string[]) {
    return (await queue.plans(names.map((name) => planOf(name, 1).id))).plans;
  }

  async function progress(): Promise<string[]> {
    const plans = await plansOf("A");
    return plans.flatMap(({ state, progress: tasks }) => [
      state,
      ...tasks.map((task) => `${task.state} ${task.attempt} ${task.machine ?? "-"}`),
    ]);
  }

  it("hands out the tasks of a plan in order, each from the result of the one before", async () => {
    assert.equal(await queue.send(planOf("A", 2)), true);
    const first = await claimed();
    assert.deepEqual(
      [first.taskId, first.attempt, first.from, first.answers],
      ["ROO#SUB_A_S001", 1, commitOf(1), []],
    );
    assert.deepEqual(first.plan, planOf("A", 2));
    assert.deepEqual(await queue.claim(other, 5), []);
    assert.equal(await queue.settle(first, "done", commitOf(2)), true);
    assert.deepEqual(await progress(), ["open", "done 1 one", "queued 0 -"]);
    const second = await claimed(other);
    assert.deepEqual([second.taskId, second.from], ["ROO#SUB_A_S002", commitOf(2)]);
    assert.equal(await queue.settle(second, "done", commitOf(3)), true);
    assert.deepEqual(await progress(), ["done", "done 1 one", "done 1 two"]);
    assert.deepEqual(await queue.claim(worker, 5), []);
  });

  it("takes a plan once, however often it is sent", async () => {
    assert.equal(await queue.send(planOf("A", 1)), true);
    assert.equal(await queue.send(planOf("A", 1)), false);
    await queue.settle(await claimed(), "done", commitOf(2));
    assert.equal(await queue.send(planOf("A", 1)), false);
    assert.deepEqual(await queue.claim(worker, 5), []);
    assert.equal((await plansOf("A")).length, 1);
  });

  it("takes a plan once that is sent by several at once", async () => {
    const sent = await Promise.all([1, 2, 3].map(() => queue.send(planOf("A", 30))));
    assert.deepEqual(sent.filter(Boolean), [true]);
    const claim = await claimed();
    assert.deepEqual(claim.plan, planOf("A", 30));
    assert.deepEqual(await queue.claim(other, 5), []);
  });

  it("gives different plans to different workers at once, and none twice", async () => {
    for (const name of ["A", "B", "C"]) await queue.send(planOf(name, 1));
    const all = await Promise.all([worker, other, worker, other].map((one) => queue.claim(one, 1)));
    const ids = all.flatMap((claims) => claims.map(({ plan }) => plan.id));
    assert.deepEqual(ids.sort(), ["ROO#PLAN_A", "ROO#PLAN_B", "ROO#PLAN_C"]);
  });

  it("gives no task of a repository or label that the worker does not name", async () => {
    await queue.send(planOf("A", 1, ["gpu", "linux"]));
    assert.deepEqual(await queue.claim(worker, 5), []);
    assert.deepEqual(await queue.claim({ ...worker, labels: ["gpu"] }, 5), []);
    const able = { ...worker, labels: ["linux", "small", "gpu"] };
    assert.deepEqual(await queue.claim({ ...able, repositories: ["garage"] }, 5), []);
    const claim = await claimed(able);
    assert.deepEqual(claim.plan, planOf("A", 1, ["gpu", "linux"]));
  });

  it("gives the task of a silent worker to another, from its last commit, and refuses the silent one", async () => {
    await queue.send(planOf("A", 2));
    const zombie = await claimed();
    assert.equal(await beats(zombie), true);
    assert.equal(await queue.saved(zombie, commitOf(7)), true);
    await queue.takeOver();
    assert.deepEqual(await queue.claim(other, 5), []);
    await stage.silence(zombie);
    await queue.takeOver();
    assert.equal(await beats(zombie), false);
    assert.equal(await queue.settle(zombie, "done", commitOf(8)), false);
    const next = await claimed(other);
    assert.deepEqual([next.taskId, next.attempt, next.from], ["ROO#SUB_A_S001", 2, commitOf(7)]);
    assert.equal(await beats(zombie), false);
    assert.equal(await queue.saved(zombie, commitOf(9)), false);
    assert.equal(await queue.settle(zombie, "done", commitOf(8)), false);
    assert.equal(await queue.settle(zombie, "failed", commitOf(8)), false);
    assert.equal(await queue.release(zombie, { stopped: true }), false);
    const ask = { id: "ask-z", kind: "question", subject: "s" } as const;
    assert.equal(await queue.ask(zombie, ask, commitOf(8)), false);
    assert.equal(await beats(next), true);
    assert.equal(await queue.settle(next, "done", commitOf(10)), true);
    assert.deepEqual(await progress(), ["open", "done 2 two", "queued 0 -"]);
    assert.equal((await plansOf("A"))[0]?.progress[0]?.commit, commitOf(10));
  });

  it("hears of all claims of a process at once, and says which of them still count", async () => {
    for (const plan of ["A", "B", "C"]) await queue.send(planOf(plan, 1));
    const claims = [await claimed(), await claimed(), await claimed()];
    const [first, second, third] = claims as [TeamClaim, TeamClaim, TeamClaim];
    await stage.silence(first);
    await stage.silence(second);
    assert.deepEqual(await queue.beat([second]), new Set([second]));
    await queue.takeOver();
    assert.deepEqual(await queue.beat(claims), new Set([second, third]));
    assert.deepEqual(await queue.beat([]), new Set());
  });

  it("gives as many tasks at once as there are, and no more than are wanted", async () => {
    for (const plan of ["A", "B", "C", "D", "E"]) await queue.send(planOf(plan, 1));
    const first = await queue.claim(worker, 3);
    const rest = await queue.claim(worker, 20);
    assert.deepEqual([first.length, rest.length], [3, 2]);
    const plans = [...first, ...rest].map(({ plan }) => plan.id);
    assert.equal(new Set(plans).size, 5);
    assert.deepEqual(await queue.beat([...first, ...rest]), new Set([...first, ...rest]));
  });

  it("tells workers of what they may take, unless who settles may take it", async () => {
    const ear = listening((heard) => queue.onReady(worker, heard));
    await ear.until(1);
    await queue.send(planOf("G", 1, ["gpu"]));
    await queue.send(planOf("A", 2));
    await ear.until(2);
    await queue.settle(await claimed(), "done", commitOf(2));
    const second = await claimed();
    await queue.release(second, { stopped: true });
    await ear.until(3);
    const third = await claimed();
    await queue.ask(third, { id: "ask", kind: "question", subject: "s" }, commitOf(3));
    const answer = { kind: "question", commit: commitOf(4), signature: "s" } as const;
    await queue.answer("ask", answer);
    await ear.until(4);
    await stage.silence(await claimed());
    await queue.takeOver();
    await ear.until(5);
    ear.stop();
  });

  it("tells other workers of a next task that who settles may not take", async () => {
    const plan = planOf("A", 2);
    const [first, second] = plan.tasks as [TeamPlan["tasks"][0], TeamPlan["tasks"][0]];
    await queue.send({ ...plan, tasks: [{ ...first, labels: ["gpu"] }, second] });
    const ear = listening((heard) => queue.onReady(worker, heard));
    await ear.until(1);
    const claim = await claimed({ ...other, labels: ["gpu"] });
    await queue.settle(claim, "done", commitOf(2));
    await ear.until(2);
    ear.stop();
  });

  it("tells which plan waits for a person, is answered or has ended", async () => {
    const ear = listening((heard) => queue.onChanged(heard));
    await ear.until(1);
    await queue.send(planOf("A", 2));
    await queue.send(planOf("B", 1));
    const both = await queue.claim(worker, 2);
    const a = both.find(({ plan }) => plan.id === "ROO#PLAN_A");
    const b = both.find(({ plan }) => plan.id === "ROO#PLAN_B");
    assert.ok(a && b);
    await queue.settle(a, "done", commitOf(2));
    await queue.ask(b, { id: "ask", kind: "question", subject: "s" }, commitOf(3));
    await ear.until(2);
    await queue.answer("ask", { kind: "question", commit: commitOf(4), signature: "s" });
    await ear.until(3);
    for (const one of await queue.claim(worker, 2)) await queue.settle(one, "done", commitOf(5));
    await ear.until(5);
    await queue.send(planOf("C", 1));
    await queue.cancel("ROO#PLAN_C");
    await ear.until(6);
    const [start, ...told] = ear.heard;
    assert.equal(start, undefined);
    assert.deepEqual(
      told.map((plan) => plan?.slice(-1)),
      ["B", "B", ...told.slice(2, 4).map((plan) => plan?.slice(-1)), "C"],
    );
    assert.deepEqual(told.slice(2, 4).sort(), ["ROO#PLAN_A", "ROO#PLAN_B"]);
    ear.stop();
  });

  it("refuses each second settle, and starts one successor", async () => {
    await queue.send(planOf("A", 3));
    const first = await claimed();
    const ends = await Promise.all(
      [1, 2, 3, 4].map((number) => queue.settle(first, "done", commitOf(number))),
    );
    assert.deepEqual(ends.filter(Boolean).length, 1);
    assert.deepEqual(await progress(), ["open", "done 1 one", "queued 0 -", "waiting 0 -"]);
    await claimed();
    assert.deepEqual(await queue.claim(worker, 5), []);
  });

  it("ends a plan with its failed task", async () => {
    await queue.send(planOf("A", 2));
    assert.equal(await queue.settle(await claimed(), "failed", commitOf(2)), true);
    assert.deepEqual(await progress(), ["failed", "failed 1 one", "waiting 0 -"]);
    assert.deepEqual(await queue.claim(worker, 5), []);
  });

  it("asks, frees the worker, and goes on with the first answer", async () => {
    await queue.send(planOf("A", 1));
    const claim = await claimed();
    const ask = { id: "ask-1", kind: "question", subject: "what" } as const;
    assert.equal(await queue.ask(claim, ask, commitOf(5)), true);
    assert.deepEqual(await queue.claim(other, 5), []);
    assert.equal(await queue.settle(claim, "done", commitOf(6)), false);
    assert.deepEqual((await plansOf("A"))[0]?.progress[0]?.asks, [ask]);
    assert.equal(
      await queue.answer("ask-1", { kind: "approval", choice: "allow", signature: "x" }),
      false,
    );
    const said = { kind: "question", commit: commitOf(50), signature: "first" } as const;
    const both = await Promise.all([
      queue.answer("ask-1", said),
      queue.answer("ask-1", { ...said, signature: "first" }),
    ]);
    assert.deepEqual(both.sort(), [false, true]);
    assert.equal(await queue.answer("ask-2", said), false);
    const next = await claimed(other);
    assert.deepEqual(
      [next.attempt, next.from, next.answers],
      [2, commitOf(5), [{ ...ask, answer: said }]],
    );
    assert.deepEqual((await plansOf("A"))[0]?.progress[0]?.asks, []);
    assert.deepEqual(await queue.claim(worker, 5), []);
  });

  it("uses an approval once", async () => {
    await queue.send(planOf("A", 1));
    const claim = await claimed();
    const ask = { id: "ask-1", kind: "approval", subject: "what" } as const;
    assert.equal(await queue.ask(claim, ask, commitOf(5)), true);
    assert.equal(await queue.useAnswer(claim, "ask-1"), false);
    const said = { choice: "deny", commit: commitOf(6) } as const;
    const answer = { kind: "approval", ...said, signature: "s" } as const;
    assert.equal(await queue.answer("ask-1", answer), true);
    const next = await claimed();
    assert.deepEqual(next.answers, [{ ...ask, answer }]);
    assert.equal(await queue.useAnswer(next, "ask-2"), false);
    assert.equal(await queue.useAnswer(claim, "ask-1"), false);
    assert.equal(await queue.useAnswer(next, "ask-1"), true);
    assert.equal(await queue.useAnswer(next, "ask-1"), false);
    await stage.silence(next);
    await queue.takeOver();
    assert.deepEqual((await claimed(other)).answers, []);
  });

  it("lets a released task rest", async () => {
    await queue.send(planOf("A", 1));
    const claim = await claimed();
    assert.equal(await queue.release(claim, { stopped: true }), true);
    const second = await claimed(other);
    assert.deepEqual([second.plan.id, second.attempt], ["ROO#PLAN_A", 2]);
    assert.equal(await queue.release(second, { stopped: false }), true);
    assert.equal(await queue.settle(claim, "done", commitOf(2)), false);
    assert.deepEqual(await queue.claim(worker, 5), []);
    assert.equal((await plansOf("A"))[0]?.state, "open");
  });

  /** Has the worker of a claim die at a call of the model, and claims the task again. */
  const dies = async (claim: TeamClaim, ...calls: readonly number[]): Promise<TeamClaim> => {
    for (const call of calls) assert.equal(await queue.asksModel(claim, call), true);
    await stage.silence(claim);
    await queue.takeOver();
    return claimed();
  };

  it("counts attempts that die at the same call, gives none up, and begins anew when a person was asked", async () => {
    await queue.send(planOf("A", 1));
    let claim = await claimed();
    assert.equal(claim.deaths, 0);
    for (let death = 1; death <= mostDeaths + 1; death++) {
      claim = await dies(claim, 1, 2);
      assert.deepEqual([claim.deaths, claim.attempt], [death, death + 1]);
    }
    assert.equal((await plansOf("A"))[0]?.state, "open");
    const ask = { id: "ask-1", kind: "approval", subject: "again" } as const;
    assert.equal(await queue.asksModel(claim, 2), true);
    assert.equal(await queue.ask(claim, ask, commitOf(5)), true);
    assert.equal(
      await queue.answer("ask-1", { kind: "approval", choice: "allow", signature: "s" }),
      true,
    );
    const anew = await claimed();
    assert.equal(anew.deaths, 0);
    assert.equal((await dies(anew, 2)).deaths, 1);
  });

  it("counts attempts that die at different calls apart, and those that come to no call not at all", async () => {
    await queue.send(planOf("A", 1));
    let claim = await claimed();
    for (let call = 1; call <= mostDeaths + 1; call++) {
      claim = await dies(claim, call);
      claim = await dies(claim);
      assert.equal(claim.deaths, 1);
    }
    assert.equal((await dies(claim, 3)).deaths, 2);
  });

  it("counts no attempt that was stopped, and records no call for one that was given away", async () => {
    await queue.send(planOf("A", 1));
    const first = await claimed();
    assert.equal(await queue.asksModel(first, 1), true);
    assert.equal(await queue.release(first, { stopped: true }), true);
    const second = await claimed();
    assert.equal(second.deaths, 0);
    const third = await dies(second);
    assert.equal(await queue.asksModel(second, 1), false);
    assert.equal((await dies(third)).deaths, 0);
  });

  it("removes plans that their senders have forgotten, after a time, and no others", async () => {
    for (const name of ["A", "B", "C", "D"]) await queue.send(planOf(name, 1));
    const claims = await queue.claim(worker, 3);
    const [a, b, c] = [...claims].sort((x, y) => (x.plan.id < y.plan.id ? -1 : 1));
    assert.ok(a && b && c);
    const ask = { id: "ask-1", kind: "question", subject: "s" } as const;
    await queue.ask(a, ask, commitOf(2));
    await queue.answer("ask-1", { kind: "question", commit: commitOf(3), signature: "s" });
    const [again] = await queue.claim({ ...worker, machine: "two" }, 1);
    const answered = again?.plan.id === a.plan.id ? again : (await queue.claim(worker, 1))[0];
    assert.ok(answered);
    await queue.settle(answered, "done", commitOf(4));
    await queue.settle(b, "failed", commitOf(4));
    // C is worked on, D waits; A has ended and is forgotten, B has ended only.
    for (const name of ["A", "C", "D"]) await queue.forget(`ROO#PLAN_${name}`);
    const left = async () =>
      (await plansOf("A", "B", "C", "D")).map(({ id }) => id.slice(-1)).sort();
    await queue.clean(30);
    assert.deepEqual(await left(), ["A", "B", "C", "D"]);
    await stage.age(31);
    await queue.clean(60);
    assert.deepEqual(await left(), ["A", "B", "C", "D"]);
    await queue.clean(30);
    assert.deepEqual(await left(), ["B", "C", "D"]);
    await queue.cancel("ROO#PLAN_D");
    await queue.forget("ROO#PLAN_D");
    await stage.age(31);
    await queue.clean(30);
    assert.deepEqual(await left(), ["B", "C"]);
    assert.deepEqual(await queue.claim(worker, 5), []);
    assert.equal(await queue.settle(c, "done", commitOf(5)), true);
  });

  it("works no more on a plan that was cancelled", async () => {
    await queue.send(planOf("A", 2));
    const claim = await claimed();
    assert.equal(await queue.cancel("ROO#PLAN_A"), true);
    assert.equal(await queue.cancel("ROO#PLAN_A"), false);
    assert.equal(await beats(claim), false);
    assert.equal(await queue.settle(claim, "done", commitOf(2)), false);
    assert.deepEqual(await queue.claim(other, 5), []);
    assert.equal((await plansOf("A"))[0]?.state, "cancelled");
  });

  it("knows an open plan however many newer ones there are, and tells of several in the order that is asked", async () => {
    await queue.send(planOf("OLD", 1));
    const claim = await claimed();
    await queue.saved(claim, commitOf(7));
    const newer = Array.from({ length: 201 }, (_, number) => `N${number}`);
    for (const name of newer) await queue.send(planOf(name, 1));
    const [old] = await plansOf("OLD");
    assert.deepEqual(
      [old?.state, old?.progress],
      [
        "open",
        [
          {
            id: "ROO#SUB_OLD_S001",
            state: "running",
            attempt: 1,
            machine: "one",
            commit: commitOf(7),
            asks: [],
          },
        ],
      ],
    );
    const asked = ["N7", "NONE", "OLD", ...newer.slice(8)];
    const ids = (await plansOf(...asked)).map(({ id }) => id);
    const known = asked.filter((name) => name !== "NONE");
    assert.deepEqual(
      ids,
      known.map((name) => `ROO#PLAN_${name}`),
    );
    assert.deepEqual(await plansOf(), []);
  });
}
