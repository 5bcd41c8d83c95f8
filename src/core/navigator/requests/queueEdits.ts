import type { ActivityLog } from "../../activity/activityLog.js";
import type { EventPublisher } from "../../conversation/events/eventPublisher.js";
import type { PlanEdit } from "../../conversation/input/planEdit.js";
import { taskIdPattern } from "../../documents/queue.js";
import { UserError } from "../../errors.js";
import type { Modes } from "../../experts/modes.js";
import type { ConversationId, TaskId } from "../../ids.js";
import { joined } from "../../text/joined.js";
import type { Redactor } from "../../text/redactor.js";
import { visibleLine } from "../../text/visibleText.js";
import { words } from "../../text/words.js";
import type { PlanEditor, RemovedTask } from "../queue/planEditor.js";
import type { TaskStore } from "../tasks/taskStore.js";
import { type GivenRequests, isRequestId } from "./givenRequests.js";

/** What {@link QueueEdits} use. */
interface QueueEditPorts {
  readonly store: TaskStore;
  readonly requests: GivenRequests;
  readonly modes: Modes;
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
  readonly redactor: Redactor;
}

/** Edits of the queue and its plans by a person. Each tells whoever shows them that they have changed. */
export class QueueEdits {
  constructor(
    private readonly ports: QueueEditPorts,
    private readonly planEditor: PlanEditor,
    private readonly runner: { isRunning(taskId: TaskId): boolean },
  ) {}

  /**
   * Moves a task within the queue.
   *
   * @param before the id of the task before which it is put; `null`: to the end
   */
  async move(taskId: TaskId, before: string | null): Promise<void> {
    await this.planEditor.moveInQueue(taskId, before);
    this.ports.publisher.tasksChanged();
  }

  /**
   * Changes a plan whose tasks have not all begun. `start` lets it go on when the queue is worked off.
   *
   * @throws UserError as `PlanEditor.edit` does
   */
  async editPlan(planId: string, edit: PlanEdit): Promise<void> {
    const { modes, publisher, redactor } = this.ports;
    await modes.refresh();
    await this.planEditor.edit(planId, redactor.each(edit));
    publisher.tasksChanged();
  }

  /**
   * Adds a task to a plan in a worktree, in whose files are conflict markers, that resolves these.
   *
   * @param paths the files with markers
   * @returns the task's id
   */
  async addConflictTask(planId: string, paths: readonly string[]): Promise<TaskId> {
    const { modes, publisher } = this.ports;
    await modes.refresh();
    const taskId = await this.planEditor.append(planId, {
      mode: "rooroo-developer",
      goal: conflictGoal(paths),
    });
    publisher.tasksChanged();
    return taskId;
  }

  /** Returns the slugs of the experts to which a plan's tasks can be given. */
  async assignable(): Promise<string[]> {
    const { modes } = this.ports;
    await modes.refresh();
    return modes.assignable.map(({ slug }) => slug);
  }

  /**
   * Removes a task from the queue, or a request that was interrupted. Returns what {@link putBack} needs; `undefined` if
   * the task was not there, or it was a request.
   *
   * @throws {UserError} if the task is running
   */
  async remove(taskId: TaskId): Promise<RemovedTask | undefined> {
    if (isRequestId(taskId)) {
      await this.ports.requests.remove(taskId);
      this.ports.publisher.tasksChanged();
      return undefined;
    }
    if (this.runner.isRunning(taskId)) {
      throw new UserError("taskAlreadyRunning", "Task {taskId} is running. Stop it first.", {
        taskId,
      });
    }
    const removed = await this.planEditor.removeFromQueue(taskId);
    const { store } = this.ports;
    if (!(await store.hasOwnTranscript(taskId))) await store.markRemoved(taskId);
    await this.ports.activity.record({
      type: "TASK_ABORTED",
      taskId,
      details: { removedFromQueue: true },
    });
    this.ports.publisher.tasksChanged();
    return removed;
  }

  /**
   * Takes the tasks out of the queue that wait in the plan of a task which is planned anew, and tells of them.
   *
   * @param taskId as a person or a page gives it
   */
  async supersede(taskId: string, conversation: ConversationId | undefined): Promise<void> {
    if (!taskIdPattern.test(taskId)) return;
    const entries = await this.planEditor.supersede(taskId);
    if (entries.length === 0) return;
    const shown = entries.slice(0, mostNamed).map(({ taskId: id, mode, goal }) => {
      return `\n- \`${id}\` (${mode}): ${visibleLine(goal, 200)}`;
    });
    const more = entries.length - shown.length;
    const rest = more > 0 ? ["\n- ", words("… and {more, number} more", { more })] : [];
    const text = words(
      "It is planned anew, so {n, plural, one {# task of the earlier plan was} other {# tasks of the earlier plan were}} taken out of the queue:",
      { n: entries.length },
    );
    this.ports.publisher.in(conversation).notice("info", joined(text, "\n", ...shown, ...rest));
    this.ports.publisher.tasksChanged();
  }

  /** Puts a task that was removed back into the queue. */
  async putBack(removed: RemovedTask): Promise<void> {
    const { store, activity, publisher } = this.ports;
    await store.markPresent(removed.taskId);
    await this.planEditor.putBack(removed);
    await activity.record({
      type: "TASK_QUEUED",
      taskId: removed.taskId,
      details: { putBack: true },
    });
    publisher.tasksChanged();
  }
}

/** Returns what a task is to do about files with conflict markers. */
function conflictGoal(paths: readonly string[]): string {
  const shown = paths.slice(0, mostNamed).map((path) => visibleLine(path, 200));
  const more = paths.length - shown.length;
  const all = `${shown.join(", ")}${more > 0 ? ` and ${more} more files` : ""}`;
  return `Resolve the merge conflicts in ${all}: keep what both sides want, remove the markers, and check that it works. The first part of each conflict is from the user's folder, the second one is this plan's.`;
}

/** The most files that a goal names, and tasks that a notice does. */
const mostNamed = 20;
