import assert from "node:assert/strict";
import { workOff } from "../../../src/cli/team/workOff.js";
import { UserError } from "../../../src/core/errors.js";
import type { TeamClaim, TeamWorker } from "../../../src/core/ports/teamQueue.js";
import { ManualClock } from "../../fakes/manualClock.js";
import { MemoryTeamQueue } from "../../fakes/memoryTeamQueue.js";

const commit = "1".repeat(40);
const worker: TeamWorker = { machine: "one", repositories: ["shop"], labels: [] };

/** Lets everything run that waits for nothing. */
const settle = () => new Promise(setImmediate);

/** A worker whose tasks end when the test says so. */
function working(slots: number, { isDeaf = false } = {}) {
  const queue = new MemoryTeamQueue();
  const clock = new ManualClock();
  const stopping = new AbortController();
  const wanted: number[] = [];
  const troubles: (string | undefined)[] = [];
  const begun = new Map<string, () => void>();
  let failure: Error | undefined;
  const ended = workOff(
    worker,
    {
      slots,
      queue: {
        onReady: (by, heard) => (isDeaf ? () => undefined : queue.onReady(by, heard)),
        claim: (by, most) => {
          wanted.push(most);
          return failure === undefined ? queue.claim(by, most) : Promise.reject(failure);
        },
      },
      signal: stopping.signal,
      clock,
      random: () => 1,
      trouble: (error) => troubles.push(error?.message),
    },
    (claim: TeamClaim) =>
      new Promise((resolve) => {
        begun.set(claim.plan.id, () => {
          void queue.settle(claim, "done", commit).then(() => {
            resolve();
          });
        });
      }),
  );
  return {
    queue,
    clock,
    wanted,
    troubles,
    begun,
    ended,
    stop: () => {
      stopping.abort();
    },
    fail: (error: Error | undefined) => {
      failure = error;
    },
    send: async (id: string, tasks = 1) => {
      const named = Array.from({ length: tasks }, (_, place) => {
        return { id: `ROO#SUB_${id}_S00${place + 1}`, labels: [] };
      });
      const plan = { id, repository: "shop", base: commit, tasks: named, signature: "s" };
      await queue.send(plan);
      await settle();
    },
    /** The milliseconds that pass before the worker looks again, in steps of ten. */
    untilLook: async () => {
      const before = wanted.length;
      for (let ms = 0; ; ms += 10) {
        if (wanted.length > before) return ms;
        clock.advance(10);
        await settle();
      }
    },
  };
}

describe("a worker that works off a queue", () => {
  it("fills its slots at once, and looks again only when one of them is free", async () => {
    const one = working(2);
    await settle();
    for (const id of ["A", "B", "C"]) await one.send(id, 2);
    await one.untilLook();
    assert.deepEqual([...one.begun.keys()], ["A", "B"]);
    const looks = one.wanted.length;
    one.clock.advance(60_000);
    await settle();
    assert.equal(one.wanted.length, looks);
    one.begun.get("A")?.();
    await settle();
    assert.deepEqual([one.wanted.at(-1), one.wanted.length], [1, looks + 1]);
    one.stop();
    for (const end of one.begun.values()) end();
    await one.ended;
  });

  it("looks at once when a task has ended, for the next one", async () => {
    const one = working(3);
    await settle();
    await one.send("A", 2);
    await one.untilLook();
    const looks = one.wanted.length;
    one.begun.get("A")?.();
    await settle();
    assert.deepEqual([one.wanted.length, one.wanted.at(-1)], [looks + 1, 3]);
    assert.equal((await one.queue.plans(["A"])).plans[0]?.progress[1]?.state, "running");
    one.stop();
    one.begun.get("A")?.();
    await one.ended;
  });

  it("looks sooner after each task of which it heard in time, and later if others were faster", async () => {
    const one = working(9);
    await settle();
    // It has looked at its start, and once more because it has begun to listen.
    await one.untilLook();
    const times: number[] = [];
    for (const id of ["A", "B", "C", "D", "E", "F"]) {
      await one.send(id);
      times.push(await one.untilLook());
    }
    assert.deepEqual(times, [2_000, 1_000, 500, 250, 130, 70]);
    for (const id of ["G", "H"]) {
      await one.send(id);
      await one.queue.claim({ ...worker, machine: "two" }, 5);
      times.push(await one.untilLook());
    }
    await one.send("I");
    times.push(await one.untilLook());
    assert.deepEqual(times.slice(6), [40, 70, 130]);
    one.stop();
    for (const end of one.begun.values()) end();
    await one.ended;
  });

  it("finds a task of which it did not hear within ten seconds", async () => {
    const one = working(1, { isDeaf: true });
    await settle();
    await one.send("A");
    assert.equal(await one.untilLook(), 10_000);
    assert.deepEqual([...one.begun.keys()], ["A"]);
    one.stop();
    one.begun.get("A")?.();
    await one.ended;
  });

  it("tells of a queue that cannot be asked, and asks again", async () => {
    const one = working(1);
    await settle();
    await one.untilLook();
    one.fail(new UserError("databaseUnreachable", "The database is away."));
    await one.untilLook();
    assert.equal(one.troubles.at(-1), "The database is away.");
    one.fail(undefined);
    await one.untilLook();
    assert.equal(one.troubles.at(-1), undefined);
    one.fail(new Error("a defect"));
    one.clock.advance(10_000);
    await assert.rejects(one.ended, /a defect/);
  });

  it("takes nothing more once it is stopped, and waits for what it works on", async () => {
    const one = working(2);
    await settle();
    await one.send("A");
    await one.untilLook();
    one.stop();
    let hasEnded = false;
    void one.ended.then(() => {
      hasEnded = true;
    });
    await one.send("B");
    one.clock.advance(60_000);
    await settle();
    assert.deepEqual([[...one.begun.keys()], hasEnded], [["A"], false]);
    one.begun.get("A")?.();
    await one.ended;
  });
});
