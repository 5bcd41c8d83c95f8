import assert from "node:assert/strict";
import type { Obstacle } from "../../../../../src/core/jobs/facts/obstacles.js";
import {
  factsOf,
  liveRunner,
  logText,
  morning,
  nightOfWork,
  type WrittenEntry,
} from "../../../../fakes/nightOfWork.js";
import { sample, sampleNames } from "../documents/samples.js";

const done = (id: number) => `- [x] ${id}. Go ${id}\n  - status: Completed`;
const open = (id: number, ...fields: readonly string[]) =>
  [`- [ ] ${id}. Go ${id}`, ...["status: Pending", ...fields].map((one) => `  - ${one}`)].join(
    "\n",
  );
const entry = (id: number, minute: number, usage = "10 min 0 s, 1 request, 100 tokens") => ({
  time: `2026-01-02T0${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}:00.000Z`,
  objective: `Task ${id}. Go ${id}`,
  usage,
});
const asked = (id: string) =>
  `\n---\n### JIXO: CLARIFICATION REQUEST\n**ID**: ${id}\n**To User**: Say.\n\n**Question**:\n- ${id}?\n\n**Response**:\n- <!-- here -->\n---\n`;
const types = (obstacles: readonly Obstacle[]) => obstacles.map(({ type }) => type);

describe("the facts of a job", () => {
  it("say of each task how it stands, who worked on it when, how often, and what that used", () => {
    const { tasks } = nightOfWork().facts;
    assert.deepEqual(
      tasks.map(({ id, state, tries, workedMs }) => [id, state, tries, (workedMs ?? 0) / 60_000]),
      [
        ["1.1", "done", 1, 10],
        ["1.2", "done", 2, 24],
        ["1.3", "done", 1, 65],
        ["2.1", "failed", 1, 6],
        ["2.2", "setAside", 1, 0.5],
        ["2.3", "running", 1, 6],
        ["2.4", "open", 0, 0],
        ["2.5", "done", 1, 8],
        ["2.6", "open", 1, 12],
        ["2.7", "cancelled", 0, 0],
        ["2.8", "done", 1, 0],
      ],
    );
    const [, weather, food, boat, harbour, , sail, , paint, , cat] = tasks;
    assert.deepEqual(
      [weather?.from, weather?.to, weather?.lanes, weather?.tokens, weather?.cost?.toFixed(4)],
      ["2026-01-02T02:02:10.000Z", "2026-01-02T02:26:11.000Z", [2], 430_000, "1.3000"],
    );
    assert.deepEqual(weather?.changes, { files: 3, isExact: true, added: 12, removed: 1 });
    assert.deepEqual(food?.changes, { files: 12, isExact: true, added: 100, removed: 20 });
    assert.deepEqual(boat?.last, {
      result: "Failed",
      reason: null,
      summary: "All boats are rented until May.",
      check: "",
      review: "",
    });
    assert.equal(paint?.last?.reason, "no progress");
    assert.deepEqual([harbour?.waitsFor, sail?.stuckBehind], ["Q-1", ["2.1", "2.2"]]);
    assert.deepEqual(
      [weather.phase, weather.hasSessions, sail?.hasSessions],
      ["1. Prepare", true, false],
    );
    // What the log does not say is left out, and not taken for nothing.
    assert.deepEqual(
      [cat?.workedMs, cat?.tokens, cat?.cost, cat?.changes],
      [null, null, null, null],
    );
    assert.deepEqual(
      [cat?.from, cat?.to],
      ["2026-01-02T06:45:00.000Z", "2026-01-02T06:45:00.000Z"],
    );
  });

  it("sum it up, with what was spent of the budget", () => {
    const { sums } = nightOfWork().facts;
    assert.deepEqual(sums.tasks, {
      total: 10,
      done: 5,
      failed: 1,
      setAside: 1,
      running: 1,
      open: 2,
      cancelled: 1,
    });
    assert.deepEqual([sums.lifecycles, sums.failedLifecycles], [10, 1]);
    assert.deepEqual([sums.requests, sums.tokens, sums.cost], [123, 914_000, 2.74]);
    assert.deepEqual(sums.budget, { cost: 5 });
    assert.deepEqual(
      [sums.from, sums.to],
      ["2026-01-02T02:00:00.000Z", "2026-01-02T07:00:00.000Z"],
    );
    // The twelve files of one lifecycle are not all named: they may be those of others, too.
    assert.deepEqual(sums.changes, { files: 12, isExact: false, added: 152, removed: 24 });
  });

  it("put lifecycles that overlap into lanes of their own, and the next into the first that is free", () => {
    const { lifecycles } = nightOfWork().facts;
    assert.deepEqual(
      lifecycles.map(({ lane }) => lane),
      [1, 1, 2, 1, 2, 2, 2, 2, 1, 1, 1],
    );
    assert.deepEqual(
      lifecycles.map(({ isAtWork }) => isAtWork).lastIndexOf(true),
      lifecycles.length - 1,
    );
    // The second begins within the second to which the first one's length was rounded.
    const entries = [entry(1, 0), { ...entry(2, 0), time: "2026-01-02T00:09:59.400Z" }];
    const { facts } = factsOf(logText([done(1), done(2)], entries));
    assert.deepEqual(
      facts.lifecycles.map(({ lane }) => lane),
      [1, 1],
    );
  });

  it("have what is in the way, the most urgent first", () => {
    assert.deepEqual(nightOfWork().facts.obstacles, [
      {
        type: "question",
        id: "Q-1",
        text: "Which harbour do we leave from?",
        line: 15,
        setAside: ["2.2"],
        behind: ["2.4"],
      },
      {
        type: "failed",
        task: "2.1",
        title: "2.1. Rent a boat",
        why: "All boats are rented until May.",
        tries: 1,
        behind: ["2.4"],
      },
    ]);
    const log = logText(
      [open(1, "waits for: Q-2"), open(2), `- [ ] 3. Go\n  - status: Locked\n  - runner: gone`],
      [{ ...entry(2, 0), result: "Pending", reason: "model failed", summary: "503" }],
      ['spent: "2 requests, 5 tokens"', 'budget: "2 requests"'],
    );
    const { facts } = factsOf(log, { job: `Go.\n${asked("Q-1")}${asked("Q-2")}` });
    assert.deepEqual(types(facts.obstacles), [
      "budget",
      "question",
      "question",
      "model",
      "interrupted",
    ]);
    // The question that a task waits for comes first.
    assert.ok(facts.obstacles[1]?.type === "question" && facts.obstacles[1].id === "Q-2");
    const failed = logText(["- [ ] 1. Go\n  - status: Failed"], []);
    const last = factsOf(failed, { version: 1 }).facts;
    assert.deepEqual(types(last.obstacles), ["stuck", "failed"]);
    const over = factsOf(logText([done(1)], [{ ...entry(1, 0), reason: "model failed" }]));
    assert.deepEqual(over.facts.obstacles, []);
  });

  it("find what a task cannot begin without, through other tasks and its phases", () => {
    const tasks = [
      "- [ ] 1. Go\n  - status: Failed",
      open(2, "after: 1"),
      open(3, "after: 2"),
      "- [ ] 4. Phase (after 3)\n  - [ ] 4.1. Go\n    - status: Pending",
      open(5, "after: 6"),
      open(6, "after: 5"),
      open(7, "after: 8"),
      done(8),
    ];
    const { facts } = factsOf(logText(tasks, []));
    assert.deepEqual(
      facts.tasks.map(({ stuckBehind }) => stuckBehind),
      [[], ["1"], ["1"], ["1"], [], [], [], []],
    );
  });

  it("do not count changes that a person has undone, and do count those made since", () => {
    const changes = "1 file (+4 −0): a.md";
    const entries: WrittenEntry[] = [
      { ...entry(1, 0), changes },
      {
        time: "2026-01-02T00:20:00.000Z",
        role: "Planner",
        objective: "Undo Task 1. Go 1",
        reason: "undone",
      },
    ];
    const before = factsOf(logText([open(1)], entries)).facts;
    assert.deepEqual([before.tasks[0]?.changes, before.sums.changes], [null, null]);
    assert.deepEqual([before.tasks[0]?.tries, before.sums.lifecycles], [1, 1]);
    const again = [...entries, { ...entry(1, 30), changes: "1 file (+9 −0): a.md" }];
    const after = factsOf(logText([done(1)], again)).facts;
    assert.equal(after.tasks[0]?.changes?.added, 9);
  });

  describe("estimate", () => {
    const runner = (id: number, since: string, digit: string) =>
      [
        liveRunner(`${id}. Go ${id}`, since, digit),
        `- [ ] ${id}. Go ${id}\n  - status: Locked\n  - runner: trip-${digit.repeat(32)}`,
      ] as const;
    const entries = [entry(1, 0), entry(2, 10), entry(3, 20, "40 min 0 s, 1 request, 1 token")];
    const [one, first] = runner(4, "2026-01-02T06:56:00.000Z", "b");
    const [two, second] = runner(5, "2026-01-02T05:00:00.000Z", "c");
    const tasks = [done(1), done(2), done(3), first, second, open(6), open(7), open(8)];

    it("when it will be done, by the median of the done tasks, the open ones and the runners", () => {
      const { estimate } = factsOf(logText(tasks, entries), { live: [one, two] }).facts;
      // Five tasks of 10 minutes, of which 4 and, of the one that takes too long, 10 have passed.
      assert.deepEqual(estimate, {
        type: "at",
        at: "2026-01-02T07:18:00.000Z",
        medianMs: 600_000,
        tasks: 5,
        runners: 2,
        without: 0,
      });
    });

    it("without the tasks that cannot go on", () => {
      const more = [...tasks, "- [ ] 9. Go\n  - status: Failed", open(10, "after: 9")];
      const { estimate } = factsOf(logText(more, entries), { live: [one, two] }).facts;
      assert.ok(estimate.type === "at");
      assert.deepEqual([estimate.tasks, estimate.without], [5, 2]);
    });

    it("nothing that would be invented: no runner, too few tasks done, nothing left", () => {
      const why = (roadmap: readonly string[], own: readonly WrittenEntry[], live = [one, two]) => {
        const { estimate } = factsOf(logText(roadmap, own), { live }).facts;
        return estimate.type === "none" ? estimate.why : estimate.type;
      };
      assert.equal(why(tasks, entries, []), "noRunner");
      assert.equal(why(tasks, entries.slice(1)), "tooFewDone");
      // Three are done, and of one of them the log does not say how long it took.
      const old = [...entries.slice(1), { ...entry(1, 0), usage: "cheap" }];
      assert.equal(why(tasks, old), "tooFewDone");
      assert.equal(why([done(1), done(2), done(3)], entries, []), "nothingLeft");
    });
  });

  it("are read of every log, whoever wrote it, without times that the log does not name exactly", () => {
    for (const name of sampleNames(".log.md")) {
      const { facts } = factsOf(sample(name));
      assert.equal(facts.now, morning.toISOString(), name);
      assert.deepEqual(JSON.parse(JSON.stringify(facts)), facts, name);
    }
    const times = [
      "2026-01-02 03:00",
      "yesterday",
      "2026-13-02T03:00:00Z",
      "2026-01-02T03:00:00+01:00",
      "2026-01-02 03:00:00.5Z",
    ];
    const log = logText(
      [done(1)],
      times.map((time) => ({ ...entry(1, 0), time })),
    );
    assert.deepEqual(
      factsOf(log).facts.lifecycles.map(({ from }) => from),
      [null, null, null, "2026-01-02T02:00:00.000Z", "2026-01-02T03:00:00.500Z"],
    );
  });
});
