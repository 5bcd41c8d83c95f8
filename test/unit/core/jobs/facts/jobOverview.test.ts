import assert from "node:assert/strict";
import { readJobs } from "../../../../../src/core/jobs/documents/jobFolder.js";
import { type JobOverview, jobOverview } from "../../../../../src/core/jobs/facts/jobOverview.js";
import type { LiveRunner } from "../../../../../src/core/jobs/work/runnerRecords.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";
import { sample } from "../documents/samples.js";

const holder = { pid: 7, host: "here", label: "rooroo job run", since: "" };
const runner = `trip-${"0".repeat(32)}`;
const live: LiveRunner = {
  runner,
  taskId: "ROO#JOB_1",
  role: "Runner",
  objective: "Task 2. Stay",
  task: "2",
  turn: 3,
  quota: 60,
  since: "2026-01-01T00:00:00.000Z",
  holder,
};
const task = (number: number, status: string, by = "") =>
  `- [${status === "Completed" ? "x" : " "}] ${number}. Go ${number}\n  - status: ${status}\n${by && `  - runner: ${by}\n`}`;
const logOf = (...rows: readonly string[]) =>
  `---\ntitle: Trip\nprogress: 0%\n---\n\n## Roadmap\n\n${rows.join("")}\n## Work Log\n`;

/** Returns the one job that these files are. */
async function seen(
  job: string,
  log: string | undefined,
  runners: readonly LiveRunner[] = [],
  isRun = false,
): Promise<JobOverview> {
  const files = new MemoryFileSystem({
    ".jixo/trip.job.md": job,
    ...(log === undefined ? {} : { ".jixo/trip.log.md": log }),
  });
  const [found] = await readJobs(files);
  assert.ok(found);
  const holders = new Set(runners.map((one) => one.runner));
  return jobOverview(found, { live: runners, holders, isRun, isForeign: false }, new Date(0));
}

describe("the overview of a job", () => {
  it("says of a job whether it runs, waits for a person, is left, done or stuck", async () => {
    const open = sample("open.job.md");
    const states = await Promise.all([
      seen("Go.", undefined),
      seen("Go.", logOf(task(1, "Completed"), task(2, "Pending"))),
      seen("Go.", logOf(task(2, "Locked", runner)), [live]),
      seen("Go.", logOf(task(1, "Pending")), [], true),
      seen(open, logOf(task(1, "Pending"))),
      seen(open, logOf(task(1, "Pending")), [live]),
      seen("Go.", logOf(task(1, "Completed"), task(2, "Cancelled"))),
      seen("Go.", "---\ntitle: [\n---\n- [x] 1. Go\n"),
    ]);
    assert.deepEqual(
      states.map(({ state, progress }) => `${state} ${progress}`),
      [
        "left 0",
        "left 50",
        "running 0",
        "running 0",
        "needsYou 0",
        "running 0",
        "done 100",
        "stuck 100",
      ],
    );
    assert.equal(states[0].logPath, null);
    assert.deepEqual(states[1].tasks, { total: 2, done: 1 });
  });

  it("has no title where the log has only a placeholder for one", async () => {
    const titles = ['"_待定_"', "TBD", "*Untitled*", "Trip"];
    const logs = titles.map((title) => logOf(task(1, "Pending")).replace("Trip", title));
    const views = await Promise.all(logs.map((log) => seen("Go.", log)));
    assert.deepEqual(
      views.map(({ title }) => title),
      [null, null, null, "Trip"],
    );
  });

  it("asks nothing any more when it is done, unless it begins anew", async () => {
    const open = sample("open.job.md");
    const asked = async (job: string, status: string) =>
      (await seen(job, logOf(task(1, status)))).questions.length;
    assert.equal(await asked(open, "Pending"), 1);
    assert.equal(await asked(open, "Completed"), 0);
    assert.equal(await asked(`---\nevery: 12h\n---\n${open}`, "Completed"), 1);
    // An answer is still worked in.
    const answered = open.replace("<!-- ", "By day <!-- ");
    assert.equal(await asked(answered, "Completed"), 1);
  });

  it("has the roadmap with who works on it, and what was left behind", async () => {
    const gone = `trip-${"1".repeat(32)}`;
    const phase = `- [ ] 1. First\n  - [x] 1.1. Look\n  - [ ] 1.2. Find\n`;
    const log = logOf(phase, task(2, "Locked", runner), task(3, "Locked", gone), task(4, "Doing"));
    const { roadmap, runners } = await seen("Go.", log, [live]);
    assert.deepEqual(
      runners.map(({ label, pid, turn }) => [label, pid, turn]),
      [["rooroo job run", 7, 3]],
    );
    const [first, second, third, fourth] = roadmap;
    assert.ok(first?.kind === "phase" && second?.kind === "task");
    assert.deepEqual([first.done, first.total, first.isOver, first.line], [1, 2, false, 8]);
    assert.deepEqual(
      first.children.map(({ title }) => title),
      ["1.1. Look", "1.2. Find"],
    );
    assert.deepEqual([second.runner?.turn, second.isStale], [3, false]);
    assert.ok(third?.kind === "task" && fourth?.kind === "task");
    assert.deepEqual([third.runner, third.isStale], [null, true]);
    assert.deepEqual([fourth.status, fourth.line], [null, 17]);
  });

  it("has the newest entries, and counts the others", async () => {
    const entries = Array.from({ length: 25 }, (_, index) => {
      const words = "s".repeat(3_000);
      return `\n### Log ${25 - index} @trip (t)\n\n- **Role**: Runner\n- **Objective**: Task 1\n- **Result**: Pending\n- **Summary**: ${words}\n`;
    });
    const job = await seen("Go.", `${logOf(task(1, "Pending"))}${entries.join("")}`);
    assert.deepEqual([job.entries.length, job.entryCount], [20, 25]);
    const [newest] = job.entries;
    assert.deepEqual([newest?.number, newest?.result, newest?.line], [25, "Pending", 13]);
    assert.equal(newest?.summary.length, 2_000);
  });

  it("has questions and problems with their lines, of both files", async () => {
    const answered = sample("open.job.md").replace("<!-- ", "By day <!-- ");
    const job = `---\nevery: never\n---\n${answered}`;
    const { questions, problems } = await seen(job, sample("mistakes.log.md"));
    assert.deepEqual(
      questions.map(({ id, answer }) => [id, answer]),
      [["Q-1", "By day"]],
    );
    assert.deepEqual(
      problems.slice(0, 2).map(({ path, line, rule }) => `${path}:${line} ${rule}`),
      [".jixo/trip.job.md:2 R-JIXO-30", ".jixo/trip.log.md:3 R-JIXO-28"],
    );
  });
});
