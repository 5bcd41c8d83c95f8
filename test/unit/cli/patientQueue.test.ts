import assert from "node:assert/strict";
import { patientQueue } from "../../../src/cli/team/patientQueue.js";
import { UserError } from "../../../src/core/errors.js";
import type { TeamClaim, TeamQueue } from "../../../src/core/ports/teamQueue.js";
import { MemoryTeamQueue } from "../../fakes/memoryTeamQueue.js";

const commit = "1".repeat(40);
const task = "ROO#SUB_A_S001";
const plan = {
  id: "ROO#PLAN_A",
  repository: "shop",
  base: commit,
  tasks: [{ id: task, labels: [] }],
  signature: "signed",
};
const worker = { machine: "one", repositories: ["shop"], labels: [] };
const ask = { id: "ask", kind: "question", subject: "s" } as const;
const unreachable = new UserError("databaseUnreachable", "The database is away.");

/** A queue whose every call fails until the database is back. */
function awayQueue(inner: TeamQueue, error: Error): { queue: TeamQueue; back(): void } {
  let isAway = true;
  const queue = new Proxy(inner, {
    get: (target, name: keyof TeamQueue) => {
      if (isAway) return () => Promise.reject(error);
      const call = target[name] as (...given: unknown[]) => unknown;
      return (...given: unknown[]) => call.apply(target, given);
    },
  });
  return {
    queue,
    back: () => {
      isAway = false;
    },
  };
}

describe("a patient queue", () => {
  let inner: MemoryTeamQueue;
  let claim: TeamClaim;
  beforeEach(async () => {
    inner = new MemoryTeamQueue();
    await inner.send(plan);
    const [given] = await inner.claim(worker, 1);
    assert.ok(given);
    claim = given;
  });

  const ends: Record<string, (queue: TeamQueue) => Promise<boolean>> = {
    saved: (queue) => queue.saved(claim, commit),
    ask: (queue) => queue.ask(claim, ask, commit),
    settle: (queue) => queue.settle(claim, "done", commit),
    release: (queue) => queue.release(claim, { stopped: false }),
  };
  for (const [name, end] of Object.entries(ends)) {
    it(`waits with ${name} until the database is back, and asks it then`, async () => {
      const away = awayQueue(inner, unreachable);
      let rests = 0;
      const queue = patientQueue(away.queue, () => {
        if (++rests === 3) away.back();
        return Promise.resolve();
      });
      assert.equal(await end(queue), true);
      assert.equal(rests, 3);
    });
  }

  it("waits with useAnswer, too", async () => {
    await inner.ask(claim, ask, commit);
    await inner.answer("ask", { kind: "question", commit, signature: "s" });
    const [next] = await inner.claim(worker, 1);
    assert.ok(next);
    const away = awayQueue(inner, unreachable);
    const queue = patientQueue(away.queue, () => {
      away.back();
      return Promise.resolve();
    });
    assert.equal(await queue.useAnswer(next, "ask"), true);
    assert.equal(await queue.useAnswer(next, "ask"), false);
  });

  it("learns only then that the claim was given to another", async () => {
    const away = awayQueue(inner, unreachable);
    const queue = patientQueue(away.queue, async () => {
      inner.silence(claim);
      await inner.takeOver();
      assert.equal((await inner.claim({ ...worker, machine: "two" }, 1)).length, 1);
      away.back();
    });
    assert.equal(await queue.settle(claim, "done", commit), false);
  });

  it("ends when it is enough, and does not wait for another error", async () => {
    const never = () => Promise.reject(new Error("enough"));
    const away = patientQueue(awayQueue(inner, unreachable).queue, never);
    await assert.rejects(away.settle(claim, "done", commit), /enough/);
    const wrong = patientQueue(awayQueue(inner, new Error("a defect")).queue, never);
    await assert.rejects(wrong.settle(claim, "done", commit), /a defect/);
  });

  it("does not wait with what can be asked again later", async () => {
    const never = () => Promise.reject(new Error("waited"));
    const queue = patientQueue(awayQueue(inner, unreachable).queue, never);
    const asked = [
      queue.claim(worker, 1),
      queue.beat([claim]),
      queue.send(plan),
      queue.answer("ask", { kind: "question", commit, signature: "s" }),
      queue.cancel(plan.id),
      queue.plans([plan.id]),
      queue.takeOver(),
    ];
    for (const one of asked) await assert.rejects(one, unreachable);
  });
});
