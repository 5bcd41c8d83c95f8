import assert from "node:assert/strict";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import type { RunOverview, RunPart } from "../../../../src/core/runs/runOverview.js";
import { english } from "../../../../src/core/text/translator.js";
import { runCards } from "../../../../src/vscode/runs/runCards.js";
import { runRows } from "../../../../src/vscode/runs/runRows.js";
import { shorten } from "../../../../src/vscode/text/shorten.js";

const part = (kind: RunPart["kind"], id: string, more: Partial<RunPart> = {}): RunPart => ({
  kind,
  id,
  title: id,
  purpose: "",
  status: "PENDING",
  isCurrent: false,
  output: null,
  leftOut: null,
  sessions: [],
  work: null,
  children: [],
  ...more,
});
const run = (more: Partial<RunOverview> = {}): RunOverview => ({
  runId: "run-1",
  request: "Write a report about bees in towns",
  state: "left",
  isForeign: false,
  status: "PENDING",
  unit: null,
  holder: null,
  place: { phase: "1", stage: "1.1", task: "T1" },
  phases: [],
  problem: null,
  awaitedProposal: null,
  next: "an executor: T1",
  tasks: { total: 4, done: 1 },
  proposal: null,
  changes: [],
  proposalPath: null,
  parts: [],
  outputs: [],
  outputsPath: "outputs/run-1",
  report: null,
  failure: null,
  reason: null,
  leftOut: [],
  canSkip: false,
  retries: 0,
  failurePath: null,
  tablePath: "db/process_runs.md",
  tableLine: 3,
  work: null,
  problems: [],
  ...more,
});
const proposal = (summary: string, number = 1) => ({
  id: `proposal:run-1:${number}`,
  content: {
    runId: "run-1",
    path: "p.md",
    request: "Write",
    summary,
    instructions: [],
    conflicts: [],
    questions: [],
    problem: "",
  },
});
const now = Date.parse("2026-01-02T12:00:00Z");
const here = { now, t: english };
const report = { path: "r.md", text: "All done." };

describe("the rows of the runs", () => {
  const rowsOf = (...runs: readonly RunOverview[]) =>
    runRows({ runs, problems: [] }, new Set(), here);

  it("say what needs you, and lead to it in the conversation", () => {
    const asked = run({ state: "needsYou", proposal: proposal("S") });
    const works = { ...run({ state: "here" }), runId: "run-2" };
    const runs = { runs: [asked, works], problems: [] };
    const { byId } = runRows(runs, new Set(["run-1", "run-2"]), here);
    const waits = [...byId.values()].filter(({ needsYou }) => needsYou !== undefined);
    assert.deepEqual(
      waits.map(({ id, needsYou }) => [id, needsYou?.description, needsYou?.command]),
      [
        ["proposal:run-1", shorten(asked.request, 60), "rooroo.showRun"],
        ["run:run-2", "awaiting approval", "rooroo.showRun"],
      ],
    );
    assert.equal(byId.get("run:run-2")?.description, "1/4 · awaiting approval");
  });

  it("have the proposal first, then problems, report, outputs and phases", () => {
    const problem = { path: "db/x.md", line: 4, rule: "R-MV-13", message: "No such phase." };
    const child = part("task", "T1", { isCurrent: true });
    const outputs = ["outputs/run-1/a.md"];
    const { byId, children } = rowsOf(
      run({
        state: "needsYou",
        proposal: proposal("**Short**"),
        problems: [problem],
        report,
        outputs,
        parts: [part("phase", "1", { title: "ANALYZING", children: [child] })],
      }),
    );
    assert.deepEqual(children.get("run:run-1"), [
      "proposal:run-1",
      "problem:run:run-1:db/x.md:4:No such phase.",
      "report:run-1",
      "outputs:run-1",
      "part:run-1:phase:1/open",
    ]);
    const row = byId.get("run:run-1");
    assert.equal(row?.description, "1/4 · awaiting confirmation");
    assert.equal(row.context, "run needsYou open hasOutputs hasReport");
    assert.match(row.spoken ?? "", /^Run Write a .*, Awaiting Confirmation, 1 of 4 tasks done/);
    assert.equal(byId.get("part:run-1:phase:1/open")?.label, "Analyzing");
    assert.equal(byId.get("part:run-1:task:T1")?.spoken, "Next, Task T1");
    const output = byId.get("output:run-1:outputs/run-1/a.md");
    assert.deepEqual([output?.label, output?.path], ["a.md", outputs[0]]);
  });

  it("say of a part what it is for and which file it writes, and lead to it", () => {
    const output = "outputs/run-1/a.md";
    const parts = [
      part("task", "T1", { purpose: "Look at the bees.", output }),
      part("task", "T2"),
    ];
    const { byId } = rowsOf(run({ parts }));
    const [row, bare] = ["T1", "T2"].map((id) => byId.get(`part:run-1:task:${id}`));
    assert.deepEqual(row?.tooltip, ["T1", "Pending", "Look at the bees.", { code: output }]);
    assert.deepEqual(
      [row.description, row.path, row.context, row.command],
      ["a.md", output, "runtask hasOutput", "rooroo.showRun"],
    );
    assert.deepEqual(bare?.tooltip, ["T2", "Pending"]);
    assert.deepEqual(
      [bare.description, bare.path, bare.context, bare.command],
      [undefined, undefined, "runtask", undefined],
    );
  });

  it("say of a part when it ended, what it cost and how much it changed, and of a run what all cost", () => {
    const effort = {
      from: "2026-01-02T11:40:00Z",
      to: "2026-01-02T11:55:00Z",
      workedMs: 180_000,
      tokens: 900,
      costUsd: 0.31,
    };
    const work = { ...effort, changes: { files: 1, added: 42, removed: 3 } };
    const sessions = ["ROO#RUN_1_T1"];
    const done = { status: "COMPLETED", output: "outputs/run-1/a.md", sessions } as const;
    const undone = { ...effort, isUndone: true } as const;
    const parts = [
      part("task", "T1", { ...done, work }),
      part("task", "T2", { ...done, work: undone }),
      part("task", "T3", { status: "PENDING", sessions, work }),
    ];
    const { byId } = rowsOf(run({ state: "done", parts, work }));
    const [first, second, third] = ["T1", "T2", "T3"].map((id) =>
      byId.get(`part:run-1:task:${id}`),
    );
    assert.equal(first?.description, "5 min ago · $0.31 · +42 −3");
    assert.equal(first.context, "runtask hasOutput hasChanges");
    assert.equal(first.command, "rooroo.showRun");
    assert.match(first.spoken ?? "", /, 5 min ago, 3 min, \$0\.31, \+42 −3$/);
    assert.ok(first.tooltip?.includes("3 min · $0.31 · 1 file · +42 −3"));
    assert.equal(second?.description, "undone · 5 min ago · $0.31");
    assert.equal(second.context, "runtask", "its file is gone");
    assert.equal(third?.description, "$0.31 · +42 −3", "it goes on");
    const row = byId.get("run:run-1");
    assert.equal(row?.description, "3 min · $0.31 · +42 −3");
    assert.match(row.context ?? "", /hasChanges/);
  });

  it("say whether the current task runs, and fold what is over", () => {
    const parts = [part("task", "T1", { isCurrent: true })];
    const spoken = (state: RunOverview["state"]) =>
      rowsOf(run({ state, parts })).byId.get("part:run-1:task:T1")?.spoken;
    assert.deepEqual([spoken("elsewhere"), spoken("left")], ["Running, Task T1", "Next, Task T1"]);
    const done = rowsOf(run({ state: "done", report })).byId.get("run:run-1");
    assert.deepEqual([done?.description, done?.folding], ["done", "folded"]);
  });
});

describe("the row of a run that has failed", () => {
  it("says why, can be tried again or go on, and shows what was left out", () => {
    const helper = part("tool", "T1-POST1", { status: "FAILED", leftOut: "No numbers." });
    const failed = run({
      state: "failed",
      status: "FAILED",
      reason: "task T1: No bees.",
      canSkip: true,
      leftOut: [{ id: "T1-POST1", name: "A chart", reason: "No numbers." }],
      parts: [helper],
    });
    const { byId } = runRows({ runs: [failed], problems: [] }, new Set(), here);
    const row = byId.get("run:run-1");
    assert.equal(row?.context, "run failed over canSkip");
    assert.deepEqual(row.tooltip?.slice(2), ["task T1: No bees.", { code: "run-1" }]);
    assert.match(row.spoken ?? "", /, Failed, 1 of 4 tasks done, 1 left out, task T1: No bees\.$/);
    const left = byId.get("part:run-1:tool:T1-POST1");
    assert.equal(left?.spoken, "Left Out, Helper T1-POST1");
    assert.deepEqual(left.tooltip?.slice(0, 3), ["T1-POST1", "Left Out", "No numbers."]);
  });
});

describe("the cards of the runs", () => {
  /** Returns a conversation, and what a change of the files adds to it. */
  function conversation() {
    const state = newConversation();
    const messages = new Map([["run-1", "Here it is.\n\n# Proposal\n\nLong."]]);
    return (...runs: readonly RunOverview[]) => {
      const events = runCards({ runs, problems: [] }, state, messages, english);
      for (const event of events) {
        applyEvent(state, { at: "2026-01-01T00:00:00.000Z", ...event });
      }
      return events.map((event) => {
        if (event.type === "proposal") return `${event.proposalId} ${event.intro}`.trim();
        if (event.type === "proposalAnswered") return `${event.answer} ${event.words}`.trim();
        return event.type === "notice" ? `${event.level} ${event.text}` : event.type;
      });
    };
  }
  const waiting = (summary: string, number = 1) =>
    run({
      state: "needsYou",
      status: "AWAITING_CONFIRMATION",
      proposal: proposal(summary, number),
    });

  it("show a proposal once, and again when somebody has edited it", () => {
    const files = conversation();
    assert.deepEqual(files(waiting("A")), ["proposal:run-1:1 Here it is."]);
    assert.deepEqual(files(waiting("A")), []);
    assert.deepEqual(files(waiting("B")), ["proposal:run-1:1"]);
  });

  it("are closed as the files say, and end with the report", () => {
    const files = conversation();
    files(waiting("A"));
    const again = { ...waiting("C", 2), changes: ["Three pages"] };
    assert.deepEqual(files(again), ["changed Three pages", "proposal:run-1:2"]);
    assert.deepEqual(files({ ...run({ state: "here" }), changes: ["Three pages"] }), ["confirmed"]);
    const done = run({ state: "done", status: "COMPLETED", report });
    assert.deepEqual(files(done), ["info All done."]);
    assert.deepEqual(files(done), []);
  });

  it("end with a report for each end of a run that goes on after a failure, and offer what it can do", () => {
    const state = newConversation();
    const add = (overview: RunOverview) => {
      const events = runCards({ runs: [overview], problems: [] }, state, new Map(), english);
      for (const event of events) applyEvent(state, { at: "2026-01-01T00:00:00.000Z", ...event });
      return events.flatMap((event) => {
        if (event.type !== "notice") return [];
        const steps = event.steps.map((step) => (step.type === "command" ? step.command : ""));
        return [[event.level, ...steps].join(" ")];
      });
    };
    add(waiting("A"));
    const failed = { status: "FAILED", state: "failed", report } as const;
    assert.deepEqual(add(run({ ...failed, canSkip: true })), ["warning retryRun skipRun"]);
    assert.deepEqual(add(run({ ...failed, canSkip: true })), []);
    assert.deepEqual(add(run({ state: "here", retries: 1 })), []);
    assert.deepEqual(add(run({ ...failed, retries: 1 })), ["warning retryRun"]);
    const outputs = ["outputs/run-1/a.md"];
    const done = run({ state: "done", status: "COMPLETED", report, retries: 2, outputs });
    assert.deepEqual(add(done), ["info openRunOutputs"]);
  });

  it("are cancelled with the run, and when it is gone", () => {
    const cancelled = conversation();
    cancelled(waiting("A"));
    assert.deepEqual(cancelled(run({ state: "cancelled", status: "FAILED" })), ["cancelled"]);
    const gone = conversation();
    gone(waiting("A"));
    assert.deepEqual(gone(), ["cancelled"]);
  });

  it("tell of no run that was not asked about here", () => {
    assert.deepEqual(conversation()(run({ state: "done", status: "COMPLETED", report })), []);
  });
});
