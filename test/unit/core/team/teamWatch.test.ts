import assert from "node:assert/strict";
import type { TeamPlanStatus } from "../../../../src/core/ports/teamQueue.js";
import type { SentPlan } from "../../../../src/core/team/sentPlans.js";
import { TeamWatch } from "../../../../src/core/team/teamWatch.js";
import { ManualClock } from "../../../fakes/manualClock.js";

const plan: SentPlan = {
  planId: "P",
  repository: "shop",
  remote: "origin",
  tasks: [{ id: "T", labels: [] }],
  base: "a".repeat(40),
  begin: "b".repeat(40),
  phase: "sent",
};
const ask = { id: "T-1", kind: "question", subject: "Q" } as const;

/** A team of one plan, and a watch that follows it. */
function watched() {
  const clock = new ManualClock();
  let state: TeamPlanStatus["state"] = "open";
  let asks: readonly (typeof ask)[] = [];
  let failure: Error | undefined;
  const counts = { looks: 0, read: 0, changes: 0 };
  const heard = new Set<(planId?: string) => void>();
  const link = {
    onChanged: (hear: (planId?: string) => void) => {
      heard.add(hear);
      return () => heard.delete(hear);
    },
    open: () => {
      counts.looks++;
      if (failure) return Promise.reject(failure);
      const { planId: id, repository, begin, tasks } = plan;
      const task = {
        id: "T",
        state: "asking",
        attempt: 1,
        machine: "north",
        commit: begin,
      } as const;
      const progress = [{ ...task, asks }];
      const status = { id, repository, base: begin, tasks, signature: "s", state, progress };
      return Promise.resolve([{ plan, status }]);
    },
    asked: () => {
      counts.read++;
      return Promise.resolve({ ...ask, title: "Which?" });
    },
  };
  const watch = new TeamWatch({
    sent: () => Promise.resolve([plan]),
    link: () => Promise.resolve(link),
    clock,
    isLookedAt: () => true,
    onChange: () => counts.changes++,
  });
  return {
    watch,
    clock,
    counts,
    become: (next: { state?: TeamPlanStatus["state"]; asks?: (typeof ask)[]; failure?: Error }) => {
      state = next.state ?? state;
      asks = next.asks ?? asks;
      failure = next.failure;
    },
    /** Lets the next look be made. */
    heard,
    next: async (ms = 5_000) => {
      await clock.untilSleeping();
      clock.advance(ms);
      await clock.untilSleeping();
    },
  };
}

describe("the watch over plans that are away", () => {
  it("reads what is asked once, and tells only of what has changed", async () => {
    const { watch, counts, become, next } = watched();
    await watch.plans();
    await next();
    assert.equal(counts.changes, 1);
    become({ asks: [ask] });
    await next();
    await next();
    assert.deepEqual(
      watch.asks.map(({ taskId, asked }) => [taskId, asked.title]),
      [["T", "Which?"]],
    );
    assert.deepEqual([counts.read, counts.changes], [1, 2]);
    become({ asks: [] });
    await next();
    assert.deepEqual(watch.asks, []);
    watch.stop();
  });

  it("shows of each task what that task asks, also where the database gives several the same id", async () => {
    const { tasks, begin } = plan;
    const plans = ["P", "Q"].map((planId) => ({ ...plan, planId }));
    const task = { id: "T", state: "asking", attempt: 1, machine: "north", commit: begin } as const;
    const open = plans.map((one) => ({
      plan: one,
      status: {
        id: one.planId,
        repository: "shop",
        base: begin,
        tasks,
        signature: "s",
        state: "open" as const,
        progress: [{ ...task, asks: [ask] }],
      },
    }));
    const watch = new TeamWatch({
      sent: () => Promise.resolve(plans),
      link: () =>
        Promise.resolve({
          onChanged: () => () => undefined,
          open: () => Promise.resolve(open),
          asked: ({ planId }: SentPlan) => Promise.resolve({ ...ask, title: `Of ${planId}?` }),
        }),
      clock: new ManualClock(),
      isLookedAt: () => true,
      onChange: () => undefined,
    });
    await watch.look();
    assert.deepEqual(
      watch.asks.map(({ planId, asked }) => [planId, asked.title]),
      [
        ["P", "Of P?"],
        ["Q", "Of Q?"],
      ],
    );
    watch.stop();
  });

  it("waits longer from one failure to the next, and tells of one that lasts once", async () => {
    const { watch, counts, become, clock } = watched();
    become({ failure: new Error("unreachable") });
    await watch.plans();
    await clock.untilSleeping();
    assert.equal(counts.looks, 1);
    clock.advance(5_000);
    assert.equal(clock.sleeping, 1, "it waits for twice as long");
    clock.advance(5_000);
    await clock.untilSleeping();
    assert.deepEqual([counts.looks, counts.changes], [2, 1]);
    assert.match(String(watch.problem), /unreachable/);
    watch.stop();
  });

  it("goes on by itself when the team can be reached again, and tells that once", async () => {
    const { watch, counts, become, next } = watched();
    await watch.plans();
    await next();
    become({ failure: new Error("unreachable") });
    await next();
    await next(10_000);
    assert.deepEqual([counts.changes, watch.problem === undefined], [2, false]);
    become({ asks: [ask] });
    await next(20_000);
    assert.deepEqual([counts.changes, watch.problem], [3, undefined]);
    assert.equal(watch.asks.length, 1);
    // From then on it looks as often as before.
    const { looks } = counts;
    await next(5_000);
    assert.equal(counts.looks, looks + 1);
    watch.stop();
  });

  it("looks at once when it hears of its plan, and not of others, and hears nothing once it has ended", async () => {
    const { watch, counts, clock, heard, become } = watched();
    await watch.plans();
    await clock.untilSleeping();
    const [hear] = heard;
    hear?.("another plan");
    await new Promise(setImmediate);
    assert.equal(counts.looks, 1);
    hear?.("P");
    await new Promise(setImmediate);
    assert.deepEqual([counts.looks, clock.sleeping], [2, 1]);
    hear?.();
    await new Promise(setImmediate);
    assert.equal(counts.looks, 3);
    become({ state: "done" });
    hear?.("P");
    await new Promise(setImmediate);
    assert.deepEqual([clock.sleeping, heard.size], [0, 0]);
  });

  it("tells nothing any more once it is stopped", async () => {
    const { watch, counts, clock, become } = watched();
    await watch.plans();
    await clock.untilSleeping();
    become({ asks: [ask] });
    const looking = watch.look();
    watch.stop();
    await looking;
    await watch.plans();
    await new Promise(setImmediate);
    assert.deepEqual([counts.looks, counts.changes, clock.sleeping], [2, 1, 0]);
  });

  it("ends with the work", async () => {
    const { watch, counts, become, clock } = watched();
    become({ state: "done" });
    await watch.plans();
    await watch.look();
    await new Promise(setImmediate);
    assert.equal(clock.sleeping, 0);
    await watch.plans();
    await new Promise(setImmediate);
    assert.equal(counts.looks, 1);
  });
});
