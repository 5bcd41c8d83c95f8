import assert from "node:assert/strict";
import type { TaskView } from "../../../../src/core/navigator/overview/overview.js";
import { english } from "../../../../src/core/text/translator.js";
import type { PanelStatus, WorkAtWork } from "../../../../src/protocol/messages.js";
import { barText, barTooltip } from "../../../../src/vscode/status/barText.js";
import { calmStatus } from "../../../fakes/calmStatus.js";

const quiet = { ...calmStatus, model: { ...calmStatus.model, name: "m" } };
const task = (taskId: string, state: TaskView["state"], more: Partial<TaskView> = {}): TaskView => {
  const mode = "rooroo-analyzer";
  return { taskId, mode, goal: `Do ${taskId}`, state, planId: null, changedAt: 0, ...more };
};
const job: WorkAtWork = {
  ref: { kind: "job", name: "docs" },
  title: "docs $(x)",
  progress: { total: 10, done: 4, percent: 40 },
  questions: ["Q-1", "Q-2"],
};
const run: WorkAtWork = {
  ref: { kind: "run", name: "run-1" },
  title: "Bees",
  progress: { total: 4, done: 1, percent: null },
  questions: [],
};
const working = [task("A", "running"), task("B", "queued")];

describe("the words in the status bar", () => {
  const words = (status: Partial<PanelStatus>, tasks: readonly TaskView[] = []) => {
    const { icon, words: said, isUrgent } = barText({ ...quiet, ...status }, tasks, english);
    return `${icon}: ${said}${isUrgent ? "!" : ""}`;
  };

  it("say what needs the user before what runs, and what runs before what waits", () => {
    const queued = 2;
    assert.equal(words({}), "compass: Rooroo");
    assert.equal(words({ queued }), "compass: Rooroo: 2 queued");
    assert.equal(words({ queued: 100_000 }), "compass: Rooroo: 100,000 queued");
    assert.equal(words({ queued, works: [run] }), "loading~spin: run 1/4");
    assert.equal(words({ works: [job, run] }), "loading~spin: job docs (x) 40%");
    const busy = { queued, works: [job], busy: true };
    assert.equal(words(busy, working), "loading~spin: Analyzer is working (+2)");
    const held = { ...busy, heldBy: "VS Code (process 7)" };
    assert.equal(words(held), "vm-running: Running in another window");
    const needed = { ...held, needsYou: 3 };
    assert.equal(words(needed), "bell-dot: Rooroo needs you (3)!");
    assert.equal(words({ ...needed, workspace: "untrusted" }), "shield: Rooroo");
  });

  it("say how many there are of what runs", () => {
    assert.equal(words({ busy: true }), "loading~spin: Rooroo is working");
    const two = [task("A", "running"), task("B", "running"), task("C", "done")];
    assert.equal(words({ busy: true }, two), "loading~spin: 2 experts are working");
    assert.equal(words({ works: [job, job, run] }), "loading~spin: job docs (x) 40% (+1)");
    assert.equal(words({ works: [run, run] }), "loading~spin: run 1/4 (+1)");
    const planning = { ...run, progress: { total: 0, done: 0, percent: null } };
    assert.equal(words({ works: [planning] }), "loading~spin: run");
  });
});

describe("the tooltip in the status bar", () => {
  const lines = (status: Partial<PanelStatus>, tasks: readonly TaskView[] = []) =>
    barTooltip({ ...quiet, ...status }, tasks, english).map(
      ({ icon, words }) => `${icon}: ${words}`,
    );

  it("names what needs the user, what runs, what waits, and the model", () => {
    const question = { questionId: "q", text: "Which?", suggestions: [] };
    const tasks = [
      ...working,
      task("C", "needsYou", { question }),
      task("D", "needsYou"),
      task("E", "done"),
    ];
    const status = { works: [job, run], queued: 1, heldBy: "rooroo proceed (process 7)" };
    assert.deepEqual(lines(status, tasks), [
      "bell-dot: Which?",
      "bell-dot: Do D",
      "loading~spin: Do A",
      "loading~spin: Job docs $(x): 40%, 2 questions",
      "loading~spin: Run Bees: 1 of 4 tasks done",
      "vm-running: The queue is being run by rooroo proceed (process 7).",
      "list-ordered: 1 queued",
      "server: m",
    ]);
  });

  it("names five of a kind at most, and says where nothing runs or no model is selected", () => {
    const many = Array.from({ length: 7 }, (_, index) => task(`T${index}`, "running"));
    assert.equal(lines({}, many).length, 5 + 1);
    const model = { ...quiet.model, name: "" };
    assert.deepEqual(lines({ workspace: "untrusted", model }), [
      "shield: Nothing runs in Restricted Mode.",
      "server: No model selected.",
    ]);
  });
});
