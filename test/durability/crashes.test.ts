import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CutOffPlan, describeMoment, type Moment } from "./interruptedPlan.js";
import { Finisher } from "./finisher.js";
import type { KillOrders } from "./killOrders.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

/** Plans that are cut off at a time. */
const workers = 4;
/** Each failure tells all that was printed; the first ones say enough. */
const failuresShown = 3;

/**
 * Killed while it reads, a process leaves the files as they were after the change before; so the
 * moments after all changes are all there are, but for what runs side by side. With this set, each
 * operation is a moment.
 */
const everyOperation = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;

/**
 * What a killed process leaves is what is on disk when all its threads stand still: one process is
 * stopped at every moment, and the plan finished from a copy of each. Of so many moments one is a
 * process that is killed then; where processes cannot be looked at so, or nothing is to be left to
 * this reasoning, every one is.
 */
const killedEvery = everyOperation || process.platform !== "linux" ? 1 : 32;

describe("[R-ROO-32] a plan of five tasks whose process is killed", function () {
  this.timeout(3_600_000);
  useMemoryFolder();

  it("loses no task, runs none to Done twice, and tells what it left, whenever that is", async () => {
    const began = performance.now();
    const copies = await mkdtemp(join(tmpdir(), "copies-"));
    const counts = await CutOffPlan.count(killedEvery === 1 ? undefined : copies);
    const changing: KillOrders[] = [
      ...changesOf(counts.after).map((at) => ({ when: "after", at }) as const),
      ...tornOf(counts.torn).map((at) => ({ when: "torn", at }) as const),
    ];
    const isKilled = (_: unknown, index: number): boolean => index % killedEvery === 0;
    const killed: Moment[] = [
      ...upTo(everyOperation ? counts.before : 1).map((at) => ({ when: "before", at }) as const),
      ...changing.filter(isKilled),
      ...upTo(counts.replies).flatMap(ofCall),
    ];
    const copied = changing.filter((...one) => !isKilled(one[0], one[1]));
    const failures: string[] = [];
    const missed: string[] = [];
    const left = [
      ...killed.map((moment) => async () => {
        if (!(await CutOffPlan.run(moment))) missed.push(describeMoment(moment));
      }),
      ...copied.map((moment) => (finisher: Finisher) => {
        const copy = join(copies, `${moment.when}-${moment.at}`);
        return CutOffPlan.runCopy(moment, copy, finisher);
      }),
    ].values();
    await Promise.all(
      upTo(workers).map(async () => {
        const finisher = new Finisher();
        for (const finish of left) {
          try {
            await finish(finisher);
          } catch (error) {
            failures.push(error instanceof Error ? error.message : String(error));
          }
        }
        await finisher.stop();
      }),
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    say(
      `${killed.length + copied.length - missed.length} moments (${counts.before} file operations, of which ${counts.after} change something and ${counts.torn} append; ${counts.replies} model calls), ${killed.length} of them in processes of their own, ${seconds} s`,
    );
    assert.equal(failures.length, 0, failures.slice(0, failuresShown).join("\n\n"));
    // From run to run the number of operations differs a little, where the system is slow or quick.
    assert.ok(missed.length < killed.length / 10, `too late in the run: ${missed.join(", ")}`);
    assert.ok(killed.length + copied.length > 200);
  });
});

/** Returns the moments of a model call, the first being 1: as its request arrives, and after its reply; usually one of them. */
function ofCall(number: number): Moment[] {
  const all = [{ request: number - 1 }, { reply: number - 1 }];
  return everyOperation ? all : all.filter((_, index) => index === number % 2);
}

/**
 * Returns the changes after which the process is killed: all until the second task has run its command, and every fourth of
 * the tasks after it, which make the same changes as those before.
 */
function changesOf(count: number): number[] {
  return upTo(count).filter((at) => everyOperation || at < count * 0.45 || at % 4 === 0);
}

/**
 * Returns the operations at which a file is torn, where a process was at work; `damage.test.ts` tears at every byte.
 */
function tornOf(count: number): number[] {
  return upTo(count).filter((at) => everyOperation || at % 12 === 0);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
