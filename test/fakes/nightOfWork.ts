import { jobOf } from "../../src/core/jobs/documents/jobFolder.js";
import { type JobFacts, jobFacts } from "../../src/core/jobs/facts/jobFacts.js";
import { type JobOverview, jobOverview } from "../../src/core/jobs/facts/jobOverview.js";
import type { LiveRunner } from "../../src/core/jobs/work/runnerRecords.js";

/** The time at which the night is looked at. */
export const morning = new Date("2026-01-02T07:00:00.000Z");

/** Returns a runner at work, of a name that has a lock. */
export function liveRunner(task: string, since: string, digit = "a"): LiveRunner {
  return {
    runner: `trip-${digit.repeat(32)}`,
    taskId: "ROO#JOB_9",
    role: "Runner",
    objective: `Task ${task}`,
    task: task.split(".")[0] ?? null,
    turn: 3,
    quota: 60,
    since,
    holder: { pid: 7, host: "here", label: "rooroo job run", since: "" },
  };
}

/** An entry of a log, as code writes it. */
export interface WrittenEntry {
  readonly time: string;
  readonly objective: string;
  readonly role?: string;
  readonly result?: string;
  readonly reason?: string;
  readonly changes?: string;
  readonly usage?: string;
  readonly session?: string;
  readonly summary?: string;
  readonly check?: string;
  readonly review?: string;
}

/** @param tasks lines of the roadmap; @param entries the oldest first */
export function logText(
  tasks: readonly string[],
  entries: readonly WrittenEntry[],
  notes: readonly string[] = [],
  title = "A trip",
): string {
  const written = entries.map((entry, at) => {
    const { time, role = "Runner", result = "Succeeded", summary = "Done.", ...more } = entry;
    const { objective, reason, changes, check, review, usage, session } = more;
    const fields = { Role: role, Objective: objective, Result: result, Reason: reason };
    const code = { Changes: changes, Check: check, Review: review, Usage: usage, Session: session };
    const lines = Object.entries({ ...fields, ...code, Summary: summary }).flatMap(
      ([name, value]) => (value === undefined ? [] : [`- **${name}**: ${value}\n`]),
    );
    return `### Log ${at + 1} @trip (${time})\n\n${lines.join("")}\n`;
  });
  const front = ["---", `title: ${JSON.stringify(title)}`, 'progress: "0%"', ...notes, "---"];
  return `${front.join("\n")}\n\n## Roadmap\n\n${tasks.join("\n")}\n\n## Work Log\n\n${written.toReversed().join("")}`;
}

/** Returns the facts of the job `trip` whose files these are. */
export function factsOf(
  log: string,
  {
    job = "---\nname: trip\n---\n\nPlan a trip.\n",
    live = [],
    now = morning,
    version = 2,
  }: {
    readonly job?: string;
    readonly live?: readonly LiveRunner[];
    readonly now?: Date;
    readonly version?: 1 | 2;
  } = {},
): { readonly facts: JobFacts; readonly overview: JobOverview } {
  const place = { stem: "trip", version, jobPath: ".jixo/trip.job.md" } as const;
  const read = jobOf(place, { file: job, log });
  const holders = new Set(live.map(({ runner }) => runner));
  const overview = jobOverview(read, { live, holders, isRun: false, isForeign: false }, now);
  return { facts: jobFacts(read, overview, now), overview };
}

const question = `
---
### JIXO: CLARIFICATION REQUEST
**ID**: Q-1
**To User**: The task is set aside until you answer. All other tasks go on.

**Question**:
- Which harbour do we leave from?

**Response**:
- <!-- Write your answer here. -->
---
`;

/** Returns a night of two runners: five tasks are done, one failed, one waits for an answer, one is at work, two are open. */
export function nightOfWork(): { readonly facts: JobFacts; readonly overview: JobOverview } {
  const task = (id: string, title: string, status: string, ...fields: readonly string[]) =>
    [
      `  - [${status === "Completed" ? "x" : " "}] ${id}. ${title}`,
      ...[`status: ${status}`, ...fields].map((field) => `    - ${field}`),
    ].join("\n");
  const at = liveRunner("2.3. Pack the boat", "2026-01-02T06:54:00.000Z");
  const tasks = [
    "- [x] 1. Prepare",
    task("1.1", "Look at the map", "Completed"),
    task("1.2", "Ask for the weather", "Completed"),
    task("1.3", "Buy food", "Completed"),
    "- [ ] 2. Go",
    task("2.1", "Rent a boat", "Failed", "attempts: 1"),
    task("2.2", "Choose a harbour", "Pending", "waits for: Q-1"),
    task("2.3", "Pack the boat", "Locked", `runner: ${at.runner}`),
    task("2.4", "Sail (after 2.1, 2.2)", "Pending"),
    task("2.5", "Write home", "Completed"),
    task("2.6", "Paint the boat", "Pending", "attempts: 1"),
    task("2.7", "Sell the car", "Cancelled"),
    task("2.8", "Feed the cat", "Completed"),
  ];
  const session = (id: string) => `ROO#JOB_${id}`;
  const entries: WrittenEntry[] = [
    {
      time: "2026-01-02T02:00:00.000Z",
      role: "Planner",
      objective: "Create the plan",
      usage: "2 min 10 s, 1 request, 9,000 tokens, $0.0300",
      session: session("p1"),
      summary: "Two phases.",
    },
    {
      time: "2026-01-02T02:02:10.000Z",
      objective: "Task 1.1. Look at the map",
      usage: "10 min 0 s, 8 requests, 80,000 tokens, $0.2500",
      changes: "2 files (+40 −3): map.md, notes.md",
      check: "passed: npm test",
      review: "accepted: The map has all roads.",
      session: session("a"),
    },
    {
      time: "2026-01-02T02:02:10.000Z",
      objective: "Task 1.2. Ask for the weather",
      result: "Pending",
      reason: "out of turns",
      usage: "20 min 0 s, 60 requests, 400,000 tokens, $1.2000",
      changes: "1 file (+5 −0): sky.md",
      session: session("b"),
      summary: "Half of the forecasts are read.",
    },
    {
      time: "2026-01-02T02:12:11.000Z",
      objective: "Task 1.3. Buy food",
      usage: "1 h 5 min, 20 requests, 200,000 tokens, $0.6000",
      changes: "12 files (+100 −20): a, b, c, d, e, f, g, h, i, j and 2 more",
      session: session("c"),
    },
    {
      time: "2026-01-02T02:22:11.000Z",
      objective: "Task 1.2. Ask for the weather",
      usage: "4 min 0 s, 5 requests, 30,000 tokens, $0.1000",
      changes: "2 files (+7 −1): weather.md, notes.md",
      session: session("d"),
    },
    {
      time: "2026-01-02T02:26:20.000Z",
      objective: "Task 2.1. Rent a boat",
      result: "Failed",
      usage: "6 min 0 s, 9 requests, 70,000 tokens, $0.2000",
      session: session("e"),
      summary: "All boats are rented until May.",
    },
    {
      time: "2026-01-02T02:33:00.000Z",
      objective: "Task 2.2. Choose a harbour",
      result: "Pending",
      reason: "blocked",
      usage: "30 s, 1 request, 5,000 tokens, $0.0100",
      session: session("f"),
      summary: "Set aside until Q-1 is answered. Blocked by: nobody said from where.",
    },
    {
      time: "2026-01-02T02:40:00.000Z",
      objective: "Task 2.5. Write home",
      usage: "8 min 0 s, 4 requests, 20,000 tokens, $0.0500",
      session: session("g"),
    },
    {
      time: "2026-01-02T06:30:00.000Z",
      objective: "Task 2.6. Paint the boat",
      result: "Pending",
      reason: "no progress",
      usage: "12 min 0 s, 15 requests, 100,000 tokens, $0.3000",
      session: session("h"),
      summary: "The paint does not dry.",
    },
    // As an earlier version wrote it: no usage, no session.
    { time: "2026-01-02T06:45:00.000Z", objective: "Task 2.8. Feed the cat" },
  ];
  const notes = ['spent: "123 requests, 914,000 tokens, $2.7400"', 'budget: "$5"'];
  return factsOf(logText(tasks, entries, notes), {
    job: `---\nname: trip\n---\n\nPlan a trip.\n${question}`,
    live: [at],
  });
}
