import assert from "node:assert/strict";
import { Finisher } from "./finisher.js";
import { CutOffPlan, describeMoment, type Moment } from "./interruptedPlan.js";
import { type KillCounts, type KillOrders, killOrders, onceOfEachKind } from "./killOrders.js";
import { wantedKills } from "./kills.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

/** Plans that are cut off at a time. */
const workers = 4;
/** Each failure tells all that was printed; the first ones say enough. */
const failuresShown = 3;

/**
 * With this set, each operation is a moment. Else each kind of change is, in memory each change has been
 * (`unit/core/navigator/recovery.test.ts`): killed while it reads, a process leaves the files as they were after the change
 * before.
 */
const everyOperation = wantedKills === Infinity;

describe("[R-ROO-32] a plan of five tasks whose process is killed", function () {
  this.timeout(3_600_000);
  useMemoryFolder();

  it("loses no task, runs none to Done twice, and tells what it left, whenever that is", async () => {
    const began = performance.now();
    const counts = await CutOffPlan.count();
    const moments: Moment[] = [
      ...(everyOperation ? operationsOf(counts) : kindsOf(counts)),
      ...upTo(counts.replies).flatMap(ofCall),
    ];
    const failures: string[] = [];
    const missed: string[] = [];
    const left = moments.values();
    await Promise.all(
      upTo(workers).map(async () => {
        const finisher = everyOperation ? undefined : new Finisher();
        for (const moment of left) {
          try {
            if (!(await CutOffPlan.run(moment, finisher))) missed.push(describeMoment(moment));
          } catch (error) {
            failures.push(error instanceof Error ? error.message : String(error));
          }
        }
        await finisher?.stop();
      }),
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    say(
      `${moments.length - missed.length} moments (${counts.before} file operations, of which ${counts.after} change something, in ${Object.keys(counts.kinds.after).length} ways, and ${counts.torn} append; ${counts.replies} model calls), ${seconds} s`,
    );
    assert.equal(failures.length, 0, failures.slice(0, failuresShown).join("\n\n"));
    // From run to run the number of operations differs a little, where the system is slow or quick.
    assert.ok(missed.length < moments.length / 10, `too late in the run: ${missed.join(", ")}`);
    assert.ok(moments.length > 50, String(moments.length));
  });
});

/** Returns the moments before each operation, after each that changes something, and in the middle of each that appends. */
function operationsOf(counts: KillCounts): KillOrders[] {
  return (["before", "after", "torn"] as const).flatMap((when) =>
    upTo(counts[when]).map((at) => ({ when, at })),
  );
}

/**
 * Returns a moment of each kind of change, and one before there is anything. What is torn is the end of a file, which
 * `damage.test.ts` cuts off at every byte.
 */
function kindsOf(counts: KillCounts): KillOrders[] {
  const torn = onceOfEachKind("torn", counts).filter(
    ({ kind }, index, all) => all.findIndex((other) => other.kind === kind) === index,
  );
  return [{ when: "before", at: 1 }, ...killOrders(counts, (all) => [...all, ...torn])];
}

/** Returns the moments of a model call, the first being 1: as its request arrives, and after its reply; usually one of some. */
function ofCall(number: number): Moment[] {
  const all = [{ request: number - 1 }, { reply: number - 1 }];
  return everyOperation ? all : all.filter((_, index) => number % 4 === 2 * index);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
