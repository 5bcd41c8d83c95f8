import type { QueueEntry } from "../documents/queue.js";
import type { LockHolder } from "../ports.js";
import type { Outcome } from "./outcome.js";
import type { Parts } from "./parts.js";
import { queuePath } from "./queueStore.js";
import type { Assignment, TaskOutcome, TaskRunner } from "./taskRunner.js";

export const drainLock = "drain";
/** The queue's name among what is being worked on. */
export const queueWork = "queue";

/** Phases 2 and 3 of the protocol: works through the queue, one drainer a workspace. */
export class QueueRunner {
  #draining = false;

  constructor(
    private readonly parts: Parts,
    private readonly runner: TaskRunner,
  ) {}

  /**
   * Runs queued tasks until none is left, one halts the chain (R-ROO-31), or the one that was asked
   * for has ended.
   */
  async drain(options: { one: boolean }, signal: AbortSignal): Promise<Outcome> {
    if (this.#draining) {
      this.parts.narrator.notice("info", "The queue is being worked on already.");
      return { status: "done" };
    }
    this.#draining = true;
    try {
      const lock = await this.parts.lock.tryHold(drainLock);
      if ("holder" in lock) return this.#heldElsewhere(lock.holder);
      try {
        return await this.parts.active.during(queueWork, () => this.#drain(options.one, signal));
      } finally {
        await lock.held.release();
      }
    } finally {
      this.#draining = false;
    }
  }

  async #drain(one: boolean, signal: AbortSignal): Promise<Outcome> {
    await this.#tellProblems();
    for (let done = 0; ; done++) {
      const [entry] = await this.parts.queue.entries();
      if (entry === undefined) {
        this.parts.narrator.notice(
          "info",
          done === 0 ? "Task queue is empty." : "The queue is done.",
        );
        return { status: "done" };
      }
      if (done > 0 && one) return { status: "done" };
      if (done > 0 && !entry.autoProceed) {
        this.parts.narrator.notice("info", `\`${entry.taskId}\` starts only when you say so.`, [
          proceed,
        ]);
        return { status: "done" };
      }
      this.parts.narrator.notice(
        "info",
        done > 0
          ? `Continuing with next task: \`${entry.taskId}\`. Delegating to ${entry.mode}...`
          : `Processing queued task: \`${entry.taskId}\`. Delegating to ${entry.mode}...`,
      );
      const assignment = await this.#assignment(entry);
      await this.parts.activity.record({
        type: "TASK_DELEGATED",
        taskId: entry.taskId,
        details: { expert: entry.mode, source: "queued" },
      });
      const outcome = await this.runner.run(assignment, signal);
      const halted = await this.settle(entry.taskId, outcome);
      if (halted !== undefined) return halted;
    }
  }

  /** Phase 3 for a queued task. Answers with the outcome of the chain if it halts here. */
  async settle(taskId: string, outcome: TaskOutcome): Promise<Outcome | undefined> {
    switch (outcome.type) {
      case "waiting":
        return { status: "waiting" };
      case "interrupted":
        return { status: "failed" };
      case "reported":
        await this.parts.queue.remove(taskId);
        await this.parts.activity.record({ type: "TASK_DEQUEUED", taskId });
        this.parts.narrator.tasksChanged();
        if (outcome.report.status === "Done") return undefined;
        await this.#tellHalt(outcome.report.status);
        return { status: "failed" };
    }
  }

  async #tellHalt(status: string): Promise<void> {
    const left = (await this.parts.queue.entries()).length;
    if (left === 0) return;
    const tasks = left === 1 ? "1 task is" : `${left} tasks are`;
    this.parts.narrator.notice(
      "warning",
      `The chain halts at \`${status}\`. ${tasks} still queued.`,
      [proceed, { type: "command", label: "Open Queue", command: "openQueue" }],
    );
  }

  #heldElsewhere(holder: LockHolder): Outcome {
    this.parts.narrator.notice(
      "warning",
      `The queue is being worked on by ${describeHolder(holder)}.`,
    );
    return { status: "waiting" };
  }

  /** A line that another tool wrote may come without files; the expert gets them all the same. */
  async #assignment(entry: QueueEntry): Promise<Assignment> {
    const mode = this.parts.modes.all.get(entry.mode);
    if (mode === undefined) throw new Error(`the queue offered the unknown mode ${entry.mode}`);
    await this.parts.store.create(
      {
        taskId: entry.taskId,
        parentTaskId: entry.parentTaskId,
        planId: entry.planId,
        mode: entry.mode,
        goal: entry.goal,
      },
      `# ${entry.taskId}\n\n## Goal\n\n${entry.goal}\n`,
    );
    return { taskId: entry.taskId, mode, goal: entry.goal, contextPath: entry.contextPath };
  }

  async #tellProblems(): Promise<void> {
    for (const line of await this.parts.queue.lines()) {
      if (line.kind !== "problem") continue;
      const { reason } = line;
      this.parts.narrator.notice(
        "warning",
        `${queuePath}, line ${line.line}, is passed over. ${reason} Correct the line or delete it.`,
        [{ type: "command", label: "Open Queue", command: "openQueue" }],
      );
      await this.parts.activity.record({
        type: "INVALID_TASK_IN_QUEUE",
        severity: "WARN",
        details: { line: line.line, reason },
      });
    }
  }
}

function describeHolder(holder: LockHolder): string {
  return `${holder.label} (process ${holder.pid} on ${holder.host}, since ${holder.since})`;
}

const proceed = { type: "say", label: "Proceed", text: "proceed" } as const;
