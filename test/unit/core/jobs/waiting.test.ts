import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { stopJob } from "../../../../src/core/jobs/jobs.js";
import { adds, does, JobStage, plans } from "../../../fakes/jobStage.js";

const job = "Plan a trip.\n";
const log = (...tasks: readonly string[]) =>
  [
    "---",
    "title: Trip",
    'progress: "0%"',
    "---",
    "",
    "## Roadmap",
    "",
    ...tasks.flatMap((task, index) => {
      const [status = "", runner] = task.split(" ");
      const by = runner === undefined ? [] : [`  - runner: ${runner}`];
      return [`- [ ] ${index + 1}. Task`, `  - status: ${status}`, ...by];
    }),
    "",
  ].join("\n");
const other = "job-0000000000000000000000000000beef";
const otherLock = "job-runner-0000000000000000000000000000beef";

/** Lets what can go on go on, until both the loop and who listens for an order wait for time to pass. */
async function rest(stage: JobStage, sleepers: number): Promise<void> {
  while (stage.clock.sleeping < sleepers) await nextTurn();
}

describe("a job that waits", () => {
  it("[R-JIXO-14] looks again when another runner has let go of its task, and finds the dead one's free", async () => {
    const stage = new JobStage([does()], {
      ".jixo/trip.job.md": job,
      ".jixo/trip.log.md": log(`Locked ${other}`),
    });
    const release = stage.lock.occupy(otherLock);
    const running = stage.run({ waits: true });
    for (let times = 0; times < 3; times++) {
      await rest(stage, 2);
      stage.clock.advance(2_000);
    }
    await rest(stage, 2);
    assert.equal(stage.model.requests.length, 0);
    release();
    stage.clock.advance(2_000);
    assert.deepEqual(await running, { code: 0, reason: "Job completed successfully." });
    assert.deepEqual(stage.lifecycles, ["Task 1. Task: Succeeded"]);
  });

  it("[R-JIXO-30] begins nothing when its time is up, however it waits", async () => {
    const stage = new JobStage([], {
      ".jixo/trip.job.md": job,
      ".jixo/trip.log.md": log(`Locked ${other}`, "Pending"),
    });
    const now = stage.clock.now();
    const reason = "The time is up, and work is left: run the job again.";
    assert.deepEqual(await stage.run({ until: now }), { code: 2, reason });
    stage.lock.occupy(otherLock);
    stage.model = new JobStage([does()], {}).model;
    const until = new Date(now.getTime() + 3_000);
    const running = stage.run({ waits: true, until });
    for (const pause of [2_000, 1_000]) {
      await rest(stage, 2);
      stage.clock.advance(pause);
    }
    assert.deepEqual(await running, { code: 2, reason });
    assert.deepEqual(stage.lifecycles, ["Task 2. Task: Succeeded"]);
  });

  it("[R-JIXO-3] ends its turns on an order from anywhere, hands its task back, and can be run again", async () => {
    let orders: Promise<{ found: number; left: number }> | undefined;
    const stage: JobStage = new JobStage(
      async (_request, signal) => {
        const { files, lock, clock } = stage;
        const parts = { files, lock, clock, ids: { hex: () => "0123456789abcdef" } };
        orders = stopJob({ stem: "trip" }, parts);
        while (!signal.aborted) {
          await rest(stage, 1);
          stage.clock.advance(1_000);
          await nextTurn();
        }
        return does();
      },
      { ".jixo/trip.job.md": job, ".jixo/trip.log.md": log("Pending") },
    );
    const reason = "Stopped. Run the job again to continue.";
    assert.deepEqual(await stage.run(), { code: 1, reason });
    assert.match(stage.log, /status: Pending\n[^]*Stopped by the user; work will be resumed\./);
    stage.clock.advance(1_000);
    assert.deepEqual(await orders, { found: 1, left: 0 });
    // The order was for those who ran then.
    stage.model = new JobStage([does()], {}).model;
    assert.equal((await stage.run()).code, 0);
  });
});

describe("runners of one process that have nothing to do", () => {
  const files = { ".jixo/trip.job.md": job, ".jixo/trip.log.md": log("Pending") };

  it("[R-JIXO-14] stand by, and look again when one of them has ended a task or a while has passed", async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const stage = new JobStage(async () => {
      await released;
      return does();
    }, files);
    let looks = 0;
    const read = stage.files.readFile.bind(stage.files);
    stage.files.readFile = async (path) => {
      if (path.endsWith(".log.md")) {
        // As from a disk: now sooner, now later.
        for (let turns = (++looks * 7) % 5; turns > 0; turns--) await nextTurn();
      }
      return read(path);
    };
    const running = stage.run({ runners: 5 });
    while (stage.model.requests.length === 0) await nextTurn();
    for (let turn = 0; turn < 1_000; turn++) await nextTurn();
    const before = looks;
    for (let turn = 0; turn < 1_000; turn++) await nextTurn();
    assert.equal(looks, before);
    // Somebody has put a task in by hand.
    const grown = stage.log.replace("\n- [ ]", "\n- [ ] 0. Task\n  - status: Pending\n- [ ]");
    await stage.files.replaceFile(".jixo/trip.log.md", grown);
    stage.clock.advance(2_000);
    while (stage.model.requests.length === 1) await nextTurn();
    release();
    assert.equal((await running).code, 0);
  });

  it("[R-JIXO-3] take up nothing that a stop sets free", async () => {
    const stage: JobStage = new JobStage((_request, signal) => {
      stage.stopping.abort(new Error("enough"));
      signal.throwIfAborted();
      return does();
    }, files);
    const pauses = () => stage.log.match(/Result\*\*: Pending/g)?.length ?? 0;
    const list = stage.files.readDirectory.bind(stage.files);
    let begun = 0;
    stage.files.readDirectory = async (path) => {
      // The second has begun before the stop, and comes to look when the first has handed back.
      const isSecond = /^\.rooroo\/jobs\/.*\/changes$/.test(path) && ++begun === 2;
      while (isSecond && pauses() === 0) await nextTurn();
      return list(path);
    };
    assert.equal((await stage.run({ runners: 2 })).code, 1);
    assert.equal(begun, 2);
    assert.equal(pauses(), 1);
  });
});

describe("a periodic job", () => {
  const periodic = "---\nevery: 1h\n---\nWater the plants.\n";

  it("[R-JIXO-30] ends its cycle with 0, and plans the next one when its time has come", async () => {
    const stage = new JobStage(
      [
        plans([adds("1. Water")]),
        does(),
        plans([adds("2. Water again")], { title: undefined }),
        does(),
        plans([], { title: undefined, summary: "It rained." }),
      ],
      { ".jixo/trip.job.md": periodic },
    );
    const began = stage.clock.now().getTime();
    const next = (hours: number) => new Date(began + hours * 3_600_000);
    const ended = (hours: number) => ({
      code: 0,
      reason: `This cycle is complete. The next begins at ${next(hours).toISOString()}.`,
    });
    assert.deepEqual(await stage.run(), ended(1));
    assert.match(stage.log, /progress: "100%"/);
    assert.deepEqual(await stage.run(), ended(1));
    assert.equal(stage.model.requests.length, 2);
    stage.clock.advance(3_600_000);
    assert.deepEqual(await stage.run(), ended(2));
    stage.clock.advance(5 * 3_600_000);
    // Nothing is to be done in this one; the model says so, and code ends the cycle.
    assert.deepEqual(await stage.run(), ended(7));
    assert.deepEqual(stage.lifecycles, [
      "Create the plan: Succeeded",
      "Task 1. Water: Succeeded",
      "Plan the next cycle: Succeeded",
      "Task 2. Water again: Succeeded",
      "Plan the next cycle: Succeeded",
    ]);
  });

  it("[R-JIXO-30] waits for the next cycle where it is to, and has the first begin where nobody noted one", async () => {
    const done = log().replace("## Roadmap\n", "## Roadmap\n\n- [x] 1. Water\n");
    const stage = new JobStage([plans([adds("2. Water again")], { title: undefined }), does()], {
      ".jixo/trip.job.md": periodic,
      ".jixo/trip.log.md": done,
    });
    const running = stage.run({ waits: true, most: 2 });
    for (let waited = 0; waited < 3_600_000; waited += 2_000) {
      await rest(stage, 2);
      assert.equal(stage.model.requests.length, 0);
      stage.clock.advance(2_000);
    }
    assert.equal((await running).code, 2);
    assert.deepEqual(stage.lifecycles, [
      "Plan the next cycle: Succeeded",
      "Task 2. Water again: Succeeded",
    ]);
  });
});
