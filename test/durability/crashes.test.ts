import assert from "node:assert/strict";
import { CutOffPlan, describeMoment, type Moment } from "./cutOffPlan.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

/** Plans that are cut off at a time. */
const workers = 3;
/** Each failure tells all that was printed; the first ones say enough. */
const failuresShown = 3;

/**
 * Killed while it reads, a process leaves the files as they were after the change before; so the
 * moments after all changes are all there are, but for what runs side by side. With this set, each
 * operation is a moment.
 */
const everyOperation = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;

describe("[R-ROO-32] a plan of five tasks whose process is killed", function () {
  this.timeout(3_600_000);
  useMemoryFolder();

  it("loses no task, runs none to Done twice, and tells what it left, whenever that is", async () => {
    const counts = await CutOffPlan.count();
    const moments: Moment[] = [
      ...upTo(everyOperation ? counts.before : 1).map((at) => ({ when: "before", at }) as const),
      ...upTo(counts.after).map((at) => ({ when: "after", at }) as const),
      ...tornOf(counts.torn).map((at) => ({ when: "torn", at }) as const),
      ...upTo(counts.replies).map((number) => ({ request: number - 1 })),
      ...upTo(counts.replies).map((number) => ({ reply: number - 1 })),
    ];
    const began = performance.now();
    const failures: string[] = [];
    const missed: string[] = [];
    const left = moments.values();
    await Promise.all(
      upTo(workers).map(async () => {
        for (const moment of left) {
          try {
            if (!(await CutOffPlan.run(moment))) missed.push(describeMoment(moment));
          } catch (error) {
            failures.push(error instanceof Error ? error.message : String(error));
          }
        }
      }),
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    say(
      `${moments.length - missed.length} moments (${counts.before} file operations, of which ${counts.after} change something and ${counts.torn} append; ${counts.replies} model calls), ${seconds} s`,
    );
    assert.equal(failures.length, 0, failures.slice(0, failuresShown).join("\n\n"));
    // From run to run the number of operations differs a little, where the system is slow or quick.
    assert.ok(missed.length < moments.length / 20, `too late in the run: ${missed.join(", ")}`);
    assert.ok(moments.length > 300);
  });
});

/** Torn at every byte is what `damage.test.ts` tries; here it is where a process was at work. */
function tornOf(count: number): number[] {
  return upTo(count).filter((at) => everyOperation || at % 3 === 0);
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}
