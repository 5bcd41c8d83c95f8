import type { Report } from "../experts/report.js";
import { doNow, nextSteps } from "./nextSteps.js";
import type { Outcome } from "./outcome.js";
import type { Parts } from "./parts.js";
import type { PlanInstaller } from "./planInstaller.js";
import type { QueueRunner } from "./queueRunner.js";
import type { Assignment, TaskRunner } from "./taskRunner.js";

/** What the planner advises instead of a plan. */
export interface Advice {
  readonly expert: string;
  readonly goal: string;
  readonly context: string;
}

/** Phase 3: Runs a task that the user started, and then what its result calls for. */
export class FollowUp {
  constructor(
    private readonly parts: Parts,
    private readonly runner: TaskRunner,
    private readonly drainer: QueueRunner,
    private readonly installer: PlanInstaller,
    /** Carries out an expert's task that the planner advised. */
    private readonly takeAdvice: (advice: Advice, signal: AbortSignal) => Promise<Outcome>,
  ) {}

  async run(task: Assignment, signal: AbortSignal, answer?: string): Promise<Outcome> {
    const outcome = await this.runner.run(task, signal, answer);
    const queue = await this.parts.queue.entries();
    if (queue.some(({ taskId }) => taskId === task.taskId)) {
      const halted = await this.drainer.settle(task.taskId, outcome);
      return halted ?? this.#goOn(signal);
    }
    if (outcome.type === "waiting") return { status: "waiting" };
    if (outcome.type === "interrupted") return { status: "failed" };
    const { report } = outcome;
    if (task.mode.slug === "rooroo-planner") return this.#followPlan(task, report, signal);
    return this.#stand(task, report, queue.length);
  }

  /** Continues with the queue after a queued task was answered or resumed, if entries are left. */
  async #goOn(signal: AbortSignal): Promise<Outcome> {
    const left = (await this.parts.queue.entries()).length;
    return left === 0 ? { status: "done" } : this.drainer.drain({ one: false }, signal);
  }

  /** Follows a planner's report: queues its tasks or takes its advice (R-ROO-10, R-ROO-11, R-ROO-12). */
  async #followPlan(task: Assignment, report: Report, signal: AbortSignal): Promise<Outcome> {
    const { publisher, activity, queue } = this.parts;
    const { taskId } = task;
    if (report.status === "Done") {
      const count = report.queue_tasks_json_lines.length;
      publisher.notice("info", `Adding ${count} planned tasks to queue...`);
      const ids = await this.installer.install(taskId, task.goal, report);
      await activity.record({ type: "PLANNER_SUCCESS", taskId, details: { tasks: ids } });
      publisher.tasksChanged();
      return this.drainer.drain({ one: false }, signal);
    }
    if (report.status !== "Advice") {
      return this.#stand(task, report, (await queue.entries()).length);
    }
    await activity.record({ type: "PLANNER_ADVICE_RECEIVED", taskId });
    const advice = report.advice_details;
    const expert = advice?.suggested_mode ?? "";
    const text = `Planner advises: ${report.message}`;
    if (advice === null || !["rooroo-developer", "rooroo-analyzer"].includes(expert)) {
      const goal = advice?.refined_goal ?? task.goal;
      publisher.notice("info", `${text}\n\nIt names no expert for it. How shall it go on?`, [
        { type: "action", label: "Change It", action: doNow("rooroo-developer", goal) },
        { type: "action", label: "Look Into It", action: doNow("rooroo-analyzer", goal) },
      ]);
      return { status: "waiting" };
    }
    publisher.notice("info", text);
    const context = `Advice of the planner (\`${taskId}\`): ${report.message}`;
    return this.takeAdvice({ expert, goal: advice.refined_goal, context }, signal);
  }

  /** Phase 4: Offers what the user may want next, because nothing follows by itself. */
  async #stand(task: Assignment, report: Report, queued: number): Promise<Outcome> {
    const ended = { taskId: task.taskId, mode: task.mode.slug, goal: task.goal, report };
    const steps = nextSteps(ended, queued);
    if (steps.length > 0) this.parts.publisher.notice("info", "What next?", steps);
    await this.parts.activity.record({ type: "AWAITING_USER_COMMAND", taskId: task.taskId });
    return { status: report.status === "Failed" ? "failed" : "done" };
  }
}
