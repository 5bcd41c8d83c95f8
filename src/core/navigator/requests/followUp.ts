import type { ActivityLog } from "../../activity/activityLog.js";
import type { EventPublisher, DraftedStep } from "../../conversation/events/eventPublisher.js";
import type { UserAction } from "../../conversation/input/userAction.js";
import type { QueueEntry } from "../../documents/queue.js";
import type { Report } from "../../experts/report.js";
import type { ConversationId, TaskId } from "../../ids.js";
import { type Said, words } from "../../text/words.js";
import type { PlanInstaller } from "../queue/planInstaller.js";
import type { QueueStore } from "../queue/queueStore.js";
import type { Drain, QueueRunner } from "../running/queueRunner.js";
import type { Answer, Assignment, TaskOutcome } from "../running/taskRunner.js";
import { announceEnd } from "../tasks/announcements.js";
import { afterFailure, proceed } from "../tasks/nextSteps.js";
import type { Outcome } from "../tasks/outcome.js";
import type { TaskStore } from "../tasks/taskStore.js";
import type { UserRequest } from "../tasks/userRequest.js";
import type { BegunRequest } from "./givenRequests.js";
import type { RequestDecision } from "./triage.js";

/** The next work of the Navigator for a request; a request is a chain of these, which ends in an outcome. */
export type Work =
  /** Creates, queues or offers what was decided. */
  | {
      readonly type: "decision";
      readonly decision: RequestDecision;
      /** The user's request. Absent: it is not known any more. */
      readonly request?: UserRequest | undefined;
      readonly conversation: ConversationId | undefined;
      /** Whether the work is done in a worktree. Absent: the settings say. */
      readonly isolated?: boolean | undefined;
      /** The request as it was written down. Absent: it has come to something by then. */
      readonly begun?: BegunRequest | undefined;
    }
  /** Runs a task that the user started; `answer` is the user's answer to its question. */
  | { readonly type: "task"; readonly task: Assignment; readonly answer?: Answer | undefined }
  /** Does what the user's words have chosen, without showing it as said. */
  | {
      readonly type: "action";
      readonly action: UserAction;
      readonly conversation: ConversationId | undefined;
      readonly begun: BegunRequest | undefined;
    }
  /** Works through the queue. */
  | ({ readonly type: "queue" } & Drain)
  | { readonly type: "end"; readonly outcome: Outcome };

/** Returns the end of the chain with this outcome. */
export function ends(status: Outcome["status"]): Work {
  return { type: "end", outcome: { status } };
}

/** What a {@link FollowUp} uses. */
interface FollowUpPorts {
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
}

/** Phase 3: Decides what follows from a task that the user started. */
export class FollowUp {
  constructor(
    private readonly dependencies: FollowUpPorts,
    private readonly queueRunner: QueueRunner,
    private readonly installer: PlanInstaller,
  ) {}

  /** @param signal ends the user's hooks, if the task ends a plan */
  async after(task: Assignment, outcome: TaskOutcome, signal: AbortSignal): Promise<Work> {
    const queue = await this.dependencies.queue.entries();
    if (queue.some(({ taskId }) => taskId === task.taskId)) {
      const { taskId, mode, goal } = task;
      const settled = { taskId, mode: mode.slug, goal };
      const halted = await this.queueRunner.settle(settled, outcome, signal);
      if (halted !== undefined) return { type: "end", outcome: halted };
      // A queued task was answered or resumed: the entries after it follow, unless it was to run alone.
      const left = (await this.dependencies.queue.entries()).length;
      if (left === 0) return ends("done");
      const isSingle = (await this.dependencies.store.readRecord(taskId))?.single === true;
      if (!isSingle || outcome.type !== "reported") return this.#continues(task);
      return this.#stand(task, outcome.report, left);
    }
    if (outcome.type === "waiting") return ends("waiting");
    if (outcome.type === "interrupted") return ends("failed");
    const { report } = outcome;
    const named = { taskId: task.taskId, expert: task.mode.slug };
    await announceEnd(named, report, this.dependencies);
    if (task.mode.slug === "rooroo-planner") return this.#afterPlan(task, report);
    if (report.status === "Done" && (await this.#isAwaited(task.taskId, queue)))
      return this.#continues(task);
    return this.#stand(task, report, queue.length);
  }

  /** Returns the work on the tasks that follow one which is done. */
  #continues({ conversation }: Assignment): Work {
    return { type: "queue", one: false, isContinued: true, begins: "continue", conversation };
  }

  /** Returns whether tasks of its plan wait for a task that had failed, and left the queue with that. */
  async #isAwaited(taskId: TaskId, queue: readonly QueueEntry[]): Promise<boolean> {
    const { planId = null, single } = (await this.dependencies.store.readRecord(taskId)) ?? {};
    return planId !== null && single !== true && queue.some((entry) => entry.planId === planId);
  }

  /** Follows a planner's report: queues its tasks or takes its advice (R-ROO-10, R-ROO-11, R-ROO-12). */
  async #afterPlan(task: Assignment, report: Report): Promise<Work> {
    const { taskId, goal } = task;
    if (report.status === "Done") {
      await this.installer.add(taskId, goal, report);
      return { type: "queue", one: false, isContinued: true, conversation: task.conversation };
    }
    const queued = (await this.dependencies.queue.entries()).length;
    if (report.status !== "Advice") return this.#stand(task, report, queued);
    const advised = await this.installer.tellAdvice(taskId, goal, report);
    if (advised === undefined) return ends("waiting");
    const { suggested_mode: expert, goal_for_expert: refined, context } = advised;
    const asked = await this.dependencies.store.requestOf(taskId);
    // If the queue has entries, the task is part of a larger flow and goes to the head of the queue.
    const route = queued > 0 ? "queue" : "direct";
    return {
      type: "decision",
      decision: { route, expert, goal: refined, context: context ?? "", reason: "advised" },
      request: asked && { words: goal, attached: [], ...asked },
      conversation: (await this.dependencies.store.conversationOf(taskId)) ?? task.conversation,
    };
  }

  /** Phase 4: Offers what the user may want next, because nothing follows by itself. */
  async #stand(task: Assignment, report: Report, queued: number): Promise<Work> {
    const steps = nextSteps(task, report, queued);
    const publisher = this.dependencies.publisher.about(task.taskId);
    if (steps.length > 0) publisher.notice("info", words("What next?"), steps);
    await this.dependencies.activity.record({ type: "AWAITING_USER_COMMAND", taskId: task.taskId });
    return ends(report.status === "Failed" ? "failed" : "done");
  }
}

/** Returns the steps to offer when a task that was not queued has ended (phase 4, R-ROO-22). */
function nextSteps(
  { taskId, mode, goal }: Assignment,
  report: Report,
  queued: number,
): DraftedStep[] {
  const steps = report.status === "Failed" ? afterFailure(taskId, mode.slug, goal) : [];
  const summary = report.output_artifact_paths.find((path) =>
    path.startsWith(".rooroo/brainstorming/"),
  );
  if (mode.slug === "rooroo-idea-sparker" && summary !== undefined) {
    const carryOut = `Carry out what ${summary} came to.`;
    steps.push(step(words("Send to Planner"), { action: "plan", goal: carryOut, from: taskId }));
  }
  if (queued > 0) steps.push(proceed);
  return steps;
}

/** Returns a button that has the Navigator carry out an action. */
function step(label: Said, action: UserAction): DraftedStep {
  return { type: "action", label, action };
}
