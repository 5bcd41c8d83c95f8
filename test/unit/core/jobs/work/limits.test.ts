import assert from "node:assert/strict";
import { ModelError } from "../../../../../src/core/errors.js";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { addSpending, noSpending } from "../../../../../src/core/spending/spendTotals.js";
import type { UsageLog } from "../../../../../src/core/spending/usageLog.js";
import { does, JobStage } from "../../../../fakes/jobStage.js";
import type { ModelScript } from "../../../../fakes/scriptedModel.js";

const job = "---\nname: trip\n---\n\nPlan a trip.\n";
const items = ["1", "2", "3"].map((task) => `- [ ] ${task}. Task\n  - status: Pending\n`).join("");
const log = `---\ntitle: Trip\nprogress: "0%"\n---\n\n## Roadmap\n\n${items}\n## Work Log\n`;
const planned = { ".jixo/trip.job.md": job, ".jixo/trip.log.md": log };
const minute = 60_000;
const hour = 60 * minute;

/** What was used, by day. */
class DayUsage implements UsageLog {
  private readonly days = new Map<string, typeof noSpending>();

  record(use: typeof noSpending, at: Date): Promise<void> {
    this.days.set(
      at.toDateString(),
      addSpending(this.days.get(at.toDateString()) ?? noSpending, use),
    );
    return Promise.resolve();
  }

  onDay(at: Date): Promise<typeof noSpending> {
    return Promise.resolve(this.days.get(at.toDateString()) ?? noSpending);
  }
}

/** Lets time pass until the work is done; returns it with how long that took. */
async function timed<T>(work: Promise<T>, stage: JobStage) {
  const began = stage.clock.now().getTime();
  const over = new AbortController();
  const end = (): void => {
    over.abort();
  };
  void work.then(end, end);
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    if (over.signal.aborted) break;
    if (stage.clock.sleeping > 0) stage.clock.advance(10_000);
  }
  return { end: await work, lastedMs: stage.clock.now().getTime() - began };
}

const notices = (stage: JobStage): string[] =>
  stage.events.flatMap((event) => (event.type === "notice" ? [event.text] : []));

const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC\S*`;

describe("a job whose own limit for the day is reached", () => {
  const stageWith = (minutesLeft: number, files = planned, script: ModelScript = () => does()) => {
    const stage = new JobStage(script, files);
    const midnight = new Date(stage.clock.now());
    midnight.setHours(24, 0, 0, 0);
    stage.clock.advance(midnight.getTime() - stage.clock.now().getTime() - minutesLeft * minute);
    stage.spend = { task: {}, day: { requests: 2 } };
    stage.usageLog = new DayUsage();
    return stage;
  };

  it("ends with code 2, and says the limit and when a new day begins", async () => {
    const stage = stageWith(5 * 60);
    const { end } = await timed(stage.run(), stage);
    assert.equal(end.code, 2);
    assert.match(
      end.reason,
      new RegExp(`^The limit for a day is reached: 2 requests .*A new day begins at ${moment}\\.`),
    );
    // One judgement and one task, and one session that may not ask.
    assert.equal(stage.model.requests.length, 1);
    assert.deepEqual(
      readJobLog(stage.log).tasks.map(({ id, status }) => `${id} ${status}`),
      ["1 Completed", "2 Pending", "3 Pending"],
    );
    assert.equal(stage.lifecycles.length, 2);
    assert.match(stage.log, /The limit for a day is reached; work will be resumed/);
    assert.doesNotMatch(stage.job, /CLARIFICATION/);
    assert.doesNotMatch(stage.log, /attempts/);
  });

  it("runs no empty lifecycles where there is no plan yet", async () => {
    const stage = stageWith(5 * 60, { ".jixo/trip.job.md": job } as typeof planned);
    stage.spend = { task: {}, day: { requests: 0 } };
    const { end } = await timed(stage.run(), stage);
    assert.equal(end.code, 2);
    assert.match(end.reason, /^The limit for a day is reached/);
    assert.equal(stage.lifecycles.length, 1);
    assert.equal(stage.model.requests.length, 0);
  });

  for (const [title, minutesLeft, given] of [
    ["if that is near", 30, {}],
    ["if it may run for so long", 5 * 60, { until: 8 * hour }],
    ["if it is to wait", 5 * 60, { waits: true }],
  ] as const) {
    it(`waits for the next day ${title}`, async () => {
      const stage = stageWith(minutesLeft);
      const until =
        "until" in given ? new Date(stage.clock.now().getTime() + given.until) : undefined;
      const waits = "waits" in given;
      const { end, lastedMs } = await timed(stage.run({ until, waits, runners: 2 }), stage);
      assert.equal(end.code, 0, end.reason);
      assert.ok(Math.abs(lastedMs - minutesLeft * minute) <= minute, String(lastedMs));
      const told = notices(stage).filter((text) => text.startsWith("The limit for a day"));
      assert.equal(told.length, 1, told.join("\n"));
      assert.match(told[0] ?? "", new RegExp(`2 requests\\. The job goes on at ${moment}\\.$`));
      assert.ok(!stage.lifecycles.some((one) => one.endsWith("Failed")));
    });
  }
});

describe("a job whose model's server has a limit for the day", () => {
  /** A server that takes no more requests for some hours from the second request on. */
  const limitedFor = (hours: number | undefined): JobStage => {
    let opens = 0;
    const stage: JobStage = new JobStage(() => {
      const now = stage.clock.now().getTime();
      if (stage.model.requests.length === 2) opens = now + (hours ?? 24) * hour;
      if (now >= opens) return does();
      const retryAfterMs = hours === undefined ? undefined : opens - now;
      const more = { retryAfterMs, isForDay: true };
      return { error: new ModelError("rateLimited", "Nothing before noon.", {}, more) };
    }, planned);
    return stage;
  };

  it("ends with code 2 if the reset is far, and names the limit", async () => {
    const stage = limitedFor(5);
    const { end, lastedMs } = await timed(stage.run(), stage);
    assert.deepEqual([end.code, lastedMs], [2, 0]);
    assert.equal(end.reason, "Nothing before noon. Work is left: run the job again then.");
    assert.equal(stage.model.requests.length, 2);
    assert.equal(stage.lifecycles.length, 2);
  });

  it("waits for a reset that is near, or that it is to wait for", async () => {
    for (const [hours, given] of [
      [1, {}],
      [5, { waits: true }],
    ] as const) {
      const stage = limitedFor(hours);
      const { end, lastedMs } = await timed(stage.run(given), stage);
      assert.equal(end.code, 0, end.reason);
      assert.ok(lastedMs >= hours * hour && lastedMs < (hours + 0.1) * hour, String(lastedMs));
      const told = notices(stage).find((text) => text.startsWith("The model does not answer"));
      assert.match(told ?? "", /Nothing before noon\. The job tries again at /);
    }
  });

  it("waits two hours for a reset that nobody names, then ends with code 2", async () => {
    const stage = limitedFor(undefined);
    const { end, lastedMs } = await timed(stage.run(), stage);
    assert.equal(end.code, 2);
    assert.match(end.reason, /^Nothing before noon\./);
    assert.ok(lastedMs > 1.8 * hour && lastedMs <= 2 * hour, String(lastedMs));
  });
});
