import type { ActivityLog } from "../../activity/activityLog.js";
import type { EventPublisher } from "../../conversation/events/eventPublisher.js";
import type { PlanEdit } from "../../conversation/input/planEdit.js";
import { UserError } from "../../errors.js";
import type { Modes } from "../../experts/modes.js";
import type { TaskId } from "../../ids.js";
import type { Redactor } from "../../text/redactor.js";
import { visibleLine } from "../../text/visibleText.js";
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

/** The most files that a goal names. */
const mostNamed = 20;
