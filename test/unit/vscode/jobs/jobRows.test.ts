import assert from "node:assert/strict";
import { readJobs } from "../../../../src/core/jobs/documents/jobFolder.js";
import { type JobOverview, jobOverview } from "../../../../src/core/jobs/facts/jobOverview.js";
import type { LiveRunner } from "../../../../src/core/jobs/work/runnerRecords.js";
import { english } from "../../../../src/core/text/translator.js";
import { jobRows } from "../../../../src/vscode/jobs/jobRows.js";
import type { Rows } from "../../../../src/vscode/work/row.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

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
  holder: { pid: 7, host: "here", label: "rooroo job run", since: "" },
};
const question = `
---
### JIXO: CLARIFICATION REQUEST
**ID**: Q-1
**To User**: x

**Question**:
- By day or by night?

**Response**:
---
`;
const entry = (number: number) =>
  `\n### Log ${number} @trip (t)\n\n- **Role**: Runner\n- **Objective**: Task ${number}\n- **Result**: Pending\n- **Summary**: s\n`;
const logOf = (roadmap: string, ...entries: readonly string[]) =>
  `---\ntitle: Trip\nprogress: 0%\n---\n\n## Roadmap\n\n${roadmap}\n## Work Log\n${entries.join("")}`;
const locked = `- [ ] 2. Go\n  - status: Locked\n  - runner: ${runner}\n`;

/** Returns the one job that these files are. */
async function seen(
  job: string,
  log: string,
  runners: readonly LiveRunner[],
): Promise<JobOverview> {
  const files = new MemoryFileSystem({ ".jixo/trip.job.md": job, ".jixo/trip.log.md": log });
  const [found] = await readJobs(files);
  assert.ok(found);
  const holders = new Set(runners.map((one) => one.runner));
  return jobOverview(
    found,
    { live: runners, holders, isRun: false, isForeign: false },
    new Date(0),
  );
}

/** Returns the rows in a window whose process has this id. */
function rowsIn(pid: number, job: JobOverview, ...waiting: readonly string[]): Rows {
  return jobRows([job], {
    pid,
    waiting: new Set(waiting),
    now: Date.parse("2026-01-01T02:00:00Z"),
    t: english,
  });
}

describe("the rows of the jobs", () => {
  it("have what waits first, then who plans, the roadmap, the log and problems", async () => {
    const planner: LiveRunner = { ...live, role: "Planner", runner: "p", task: null };
    const roadmap =
      "- [ ] 1. First\n  - [ ] 1.1. Look\n    - status: Pending\n    - status: Failed\n";
    const job = await seen(`Go.\n${question}`, logOf(roadmap, entry(1)), [planner]);
    const { byId, children } = rowsIn(1, job);
    assert.deepEqual(children.get(""), ["job:trip"]);
    assert.deepEqual(children.get("job:trip"), [
      "question:trip:Q-1",
      "planner:trip:p",
      "roadmap:trip",
      "log:trip",
      "problems:trip",
    ]);
    assert.deepEqual(children.get("roadmap:trip"), ["phase:trip:1"]);
    assert.deepEqual(children.get("phase:trip:1"), ["task:trip:1.1"]);
    assert.deepEqual(children.get("log:trip"), ["entry:trip:1"]);
    assert.equal(children.get("problems:trip")?.length, 1);
    const row = byId.get("job:trip");
    assert.equal(row?.description, "0% · 1 runner");
    assert.match(row.spoken ?? "", /^Job trip, Running, .*1 runner, 0%, 1 question$/);
    assert.equal(row.context, "job running answerable hasLog");
    assert.equal(byId.get("roadmap:trip")?.spoken, "Roadmap, 0 of 1 task done");
    assert.equal(byId.get("log:trip")?.spoken, "Work Log, 1 entry");
  });

  it("keep their ids when entries come before them, and say whose window a runner is in", async () => {
    const before = rowsIn(7, await seen("Go.", logOf(locked, entry(1)), [live]));
    const job = await seen("Go.", logOf(locked, entry(2), entry(1)), [live]);
    const after = rowsIn(8, job);
    assert.equal(before.byId.get("entry:trip:1")?.label, "Task 1");
    assert.equal(after.byId.get("entry:trip:1")?.label, "Task 1");
    assert.deepEqual(after.children.get("log:trip"), ["entry:trip:2", "entry:trip:1"]);
    const task = ({ byId }: Rows) => byId.get("task:trip:2")?.description;
    assert.deepEqual([task(before), task(after)], ["turn 3/60", "turn 3/60 · rooroo job run"]);
    const waiting = rowsIn(7, job, live.taskId);
    assert.equal(task(waiting), "awaiting approval");
    assert.equal(waiting.byId.get("job:trip")?.description, "0% · awaiting approval");
    assert.equal(waiting.byId.get("task:trip:2")?.command, "rooroo.showJob");
  });

  it("say of a task when it ended, what it took and what it changed", async () => {
    const done = "- [x] 2. Go\n  - status: Completed\n";
    const worked = `
### Log 1 @trip (2026-01-01T01:00:00.000Z)

- **Role**: Runner
- **Objective**: Task 2. Go
- **Result**: Succeeded
- **Summary**: s
- **Changes**: 2 files (+42 −3): a.js, b.js
- **Usage**: 3 requests, 1,200 tokens, $0.31, 4 min 0 s
`;
    const { byId } = rowsIn(1, await seen("Go.", logOf(done, worked), []));
    const row = byId.get("task:trip:2");
    assert.equal(row?.description, "56 min ago · $0.31 · +42 −3");
    assert.equal(row.spoken, "Completed, 2. Go, 56 min ago, 4 min, $0.31, +42 −3");
    assert.equal(row.tooltip?.[3], "4 min · $0.31 · 2 files · +42 −3");
  });

  it("name what needs you with its job, and lead to it in the conversation", async () => {
    const job = await seen(`Go.\n${question}`, logOf(locked, entry(1)), [live]);
    const rows = rowsIn(7, job, live.taskId);
    const waits = [...rows.byId.values()].filter(({ needsYou }) => needsYou !== undefined);
    assert.deepEqual(
      waits.map(({ id, needsYou, command }) => [id, needsYou?.description, command]),
      [
        ["question:trip:Q-1", "trip", "rooroo.showJob"],
        ["task:trip:2", "trip · awaiting approval", "rooroo.showJob"],
      ],
    );
  });

  it("name the place in a file that they stand for", async () => {
    const job = await seen(`Go.\n${question}`, logOf(locked, entry(1)), []);
    const { byId } = rowsIn(1, job);
    const places = ["task:trip:2", "entry:trip:1", "question:trip:Q-1"].map((id) => {
      const { path, line, questionId } = byId.get(id) ?? {};
      return `${path}:${line} ${questionId ?? ""}`.trim();
    });
    assert.deepEqual(places, [
      ".jixo/trip.log.md:8",
      ".jixo/trip.log.md:14",
      ".jixo/trip.job.md:11 Q-1",
    ]);
    assert.equal(byId.get("task:trip:2")?.description, "interrupted");
  });
});
