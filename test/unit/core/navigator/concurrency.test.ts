import assert from "node:assert/strict";
import type { QueueEntry } from "../../../../src/core/documents/queue.js";
import { nextEntries } from "../../../../src/core/navigator/running/queueRunner.js";
import type { Outcome } from "../../../../src/core/navigator/tasks/outcome.js";
import type { ModelRequest } from "../../../../src/core/ports/model.js";
import { spoken } from "../../../../src/core/text/words.js";
import { calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import type { ScriptedResponse } from "../../../fakes/scriptedModel.js";

function line(id: string, plan?: string): string {
  return `${JSON.stringify({
    taskId: `ROO#TASK_${id}`,
    suggested_mode: "rooroo-developer",
    goal_for_expert: id,
    ...(plan === undefined ? {} : { plan_id: plan }),
  })}\n`;
}

function goalOf(request: ModelRequest): string {
  return /--goal "(\w+)"/.exec(request.messages[1]!.content)![1]!;
}

/** A model whose replies the test lets go, one by one. */
class Gate {
  readonly waiting = new Map<string, () => void>();
  #told: (() => void) | undefined;

  wait(goal: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.set(goal, resolve);
      this.#told?.();
    });
  }

  /** Resolves when these, and no others, wait. */
  async holds(...goals: string[]): Promise<void> {
    while (goals.some((goal) => !this.waiting.has(goal))) {
      await new Promise<void>((resolve) => (this.#told = resolve));
    }
    assert.deepEqual([...this.waiting.keys()].sort(), goals.sort());
  }

  open(goal: string): void {
    const resolve = this.waiting.get(goal)!;
    this.waiting.delete(goal);
    resolve();
  }
}

describe("side by side", () => {
  it("chooses the foremost task of each plan that has none running", () => {
    const entry = (taskId: string, planId: string | null) => ({ taskId, planId }) as QueueEntry;
    const queue = [entry("a1", "a"), entry("a2", "a"), entry("x", null), entry("b1", "b")];
    const ids = (...running: string[]) =>
      nextEntries(queue, new Set(running)).map(({ taskId }) => taskId);
    assert.deepEqual(ids(), ["a1", "x", "b1"]);
    assert.deepEqual(ids("a1"), ["x", "b1"]);
    assert.deepEqual(ids("a1", "x", "b1"), []);
  });

  it("runs tasks of different plans at a time, and one plan's in order", async () => {
    const gate = new Gate();
    const stage = new NavigatorStage(
      async (request): Promise<ScriptedResponse> => {
        await gate.wait(goalOf(request));
        return completes();
      },
      {
        files: { ".rooroo/queue.jsonl": line("a1", "a") + line("a2", "a") + line("b1", "b") },
        concurrency: 3,
      },
    );
    const drained = stage.navigator.proceed();
    await gate.holds("a1", "b1");
    gate.open("b1");
    gate.open("a1");
    await gate.holds("a2");
    gate.open("a2");
    assert.equal((await drained).status, "done");
    assert.equal(stage.queueText, "");
  });

  it("starts nothing new after a failure, and lets what runs end", async () => {
    const gate = new Gate();
    const stage = new NavigatorStage(
      async (request): Promise<ScriptedResponse> => {
        const goal = goalOf(request);
        await gate.wait(goal);
        return completes(goal === "a1" ? { status: "Failed" } : {});
      },
      {
        files: { ".rooroo/queue.jsonl": line("a1", "a") + line("b1", "b") + line("c1", "c") },
        concurrency: 2,
      },
    );
    const drained = stage.navigator.proceed();
    await gate.holds("a1", "b1");
    gate.open("a1");
    await Promise.resolve();
    gate.open("b1");
    assert.equal((await drained).status, "failed");
    assert.equal(stage.queueText, line("c1", "c"));
  });

  it("runs one at a time by default", async () => {
    let running = 0;
    const stage = new NavigatorStage(
      async (): Promise<ScriptedResponse> => {
        assert.equal(++running, 1);
        for (let tick = 0; tick < 20; tick++) await Promise.resolve();
        running--;
        return completes();
      },
      { files: { ".rooroo/queue.jsonl": line("a", "a") + line("b", "b") } },
    );
    assert.equal((await stage.navigator.proceed()).status, "done");
  });

  it("[R-ROO-13] gives a request for now the next place, before the rest of a chain", async () => {
    const gate = new Gate();
    const direct = triages({ route: "direct", expert: "rooroo-analyzer", goal: "now" });
    const stage = new NavigatorStage(
      async (request): Promise<ScriptedResponse> => {
        if (request.forcedTool) return direct;
        await gate.wait(goalOf(request));
        return completes();
      },
      { files: { ".rooroo/queue.jsonl": line("a") + line("b") } },
    );
    const drained = stage.navigator.proceed();
    await gate.holds("a");
    let asked: Promise<Outcome> | undefined;
    await new Promise<void>((resolve) => {
      stage.emitTo = ({ type }) => {
        if (type === "notice") resolve();
      };
      asked = stage.navigator.say("look at it now");
    });
    assert.equal(stage.announced.at(-1)?.code, "direct_task_begins");
    gate.open("a");
    await gate.holds("now");
    gate.open("now");
    assert.equal((await asked)?.status, "done");
    await gate.holds("b");
    gate.open("b");
    assert.equal((await drained).status, "done");
  });

  it("never loses an edit when tasks change one file", async () => {
    const names = ["one", "two", "three", "four"];
    const stage = new NavigatorStage(
      (request): ScriptedResponse => {
        const goal = goalOf(request);
        const last = request.messages.at(-1)!;
        if (last.role === "tool" && last.content.startsWith("Inserted")) return completes();
        return calls("insert_content", { path: "list.txt", line: 0, content: `${goal}\n` });
      },
      {
        files: {
          ".rooroo/queue.jsonl": names.map((name) => line(name, name)).join(""),
          "list.txt": "end\n",
        },
        concurrency: 4,
      },
    );
    assert.equal((await stage.navigator.proceed()).status, "done");
    const lines = stage.files.text("list.txt")!.trim().split("\n");
    assert.deepEqual(lines.sort(), [...names, "end"].sort());
  });
});

describe("a task that waits for an approval", () => {
  const command = (goal: string) => calls("execute_command", { command: goal });

  /** Tasks run a command named like their goal; `a1` is asked about until it is let go. */
  function stageOf(concurrency: number) {
    const gate = new Gate();
    const stage = new NavigatorStage(
      async (request): Promise<ScriptedResponse> => {
        const goal = goalOf(request);
        if (request.messages.at(-1)!.role === "tool") return completes();
        if (goal !== "a1") await gate.wait(goal);
        return command(goal);
      },
      {
        files: {
          ".rooroo/queue.jsonl": line("a1", "a") + line("b1", "b") + line("c1", "c"),
        },
        concurrency,
      },
    );
    stage.preset = "safe";
    const asked = new Gate();
    stage.approve = async ({ action }) => {
      if (spoken(action.title) === "Run a1") await asked.wait("a1");
      return { type: "allowed", scope: "once" };
    };
    return { gate, stage, asked };
  }

  it("gives its place to another plan's, and takes one again when it is answered", async () => {
    const { gate, stage, asked } = stageOf(2);
    const drained = stage.navigator.proceed();
    await asked.holds("a1");
    await gate.holds("b1", "c1");
    asked.open("a1");
    gate.open("b1");
    gate.open("c1");
    assert.equal((await drained).status, "done");
    assert.deepEqual(stage.shell.requests.map((one) => one.command).sort(), ["a1", "b1", "c1"]);
    assert.equal(stage.queueText, "");
  });

  it("holds the queue where tasks run one at a time, but no other request", async () => {
    const { gate, stage, asked } = stageOf(1);
    const drained = stage.navigator.proceed();
    await asked.holds("a1");
    const other = stage.navigator.say("/do d1");
    await gate.holds("d1");
    gate.open("d1");
    assert.equal((await other).status, "done");
    asked.open("a1");
    await gate.holds("b1");
    gate.open("b1");
    await gate.holds("c1");
    gate.open("c1");
    assert.equal((await drained).status, "done");
  });

  it("ends at once when it is stopped", async () => {
    const { gate, stage } = stageOf(2);
    const waiting = new Promise<void>((resolve) => {
      stage.approve = (_request, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reject(new Error("Stopped."));
          });
          resolve();
        });
    });
    const drained = stage.navigator.proceed();
    await waiting;
    await gate.holds("b1", "c1");
    const stopped = stage.navigator.stop();
    gate.open("b1");
    gate.open("c1");
    await stopped;
    assert.equal((await drained).status, "failed");
    assert.deepEqual(stage.shell.requests, []);
  });
});
