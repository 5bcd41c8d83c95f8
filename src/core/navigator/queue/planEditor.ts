import type { ActivityLog } from "../../activity/activityLog.js";
import type { PlanEdit } from "../../conversation/input/planEdit.js";
import {
  changeTask,
  formatQueueEntry,
  insertBefore,
  moveTask,
  type QueueEntry,
  removeTask,
  taskLine,
} from "../../documents/queue.js";
import { UserError } from "../../errors.js";
import type { Modes } from "../../experts/modes.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import { workspaceLink } from "../../text/workspaceLink.js";
import {
  isTaskOfPlan,
  planIdOf,
  planPathOf,
  planTaskIds,
  subTaskId,
  taskLock,
} from "../tasks/taskIds.js";
import { type TaskStore, recorded, tasksFolder } from "../tasks/taskStore.js";
import { contextText } from "../tasks/userRequest.js";
import { whileNotRunning } from "../tasks/whileNotRunning.js";
import type { QueueStore } from "./queueStore.js";

/** A task that was removed from the queue, with what puts it back. */
export interface RemovedTask {
  readonly taskId: TaskId;
  /** Its line, as it stood there. */
  readonly line: string;
  readonly planId: string | null;
  /** The task that came after it; `null`: it was the last. */
  readonly before: TaskId | null;
}

type Edit<Type extends PlanEdit["type"]> = Extract<PlanEdit, { type: Type }>;

/** What a {@link PlanEditor} uses. */
interface EditorPorts {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly modes: Modes;
  readonly activity: ActivityLog;
}

/**
 * Changes the tasks of a plan that have not begun. The plan is what the queue says at the moment of the change:
 * each edit is an operation on the queue's file. That the plan waits is a field of its first waiting line
 * (`auto_proceed_plan: false`, R-ROO-31), so that every process that works on the queue stops there.
 */
export class PlanEditor {
  constructor(
    private readonly dependencies: EditorPorts,
    private readonly runner: { isRunning(taskId: TaskId): boolean },
  ) {}

  /**
   * Makes an edit. `start` only lets the plan go on; it does not run it.
   *
   * @throws UserError if the task has begun, is not there any more, or was changed meanwhile
   */
  async edit(planId: string, edit: PlanEdit): Promise<void> {
    switch (edit.type) {
      case "start":
        return this.#hold(planId, false);
      case "pause":
        return this.#hold(planId, true);
      case "discard":
        for (const { taskId } of await this.#waiting(planId)) await this.#remove(planId, taskId);
        return;
      case "move":
        return this.#move(planId, edit);
      case "change":
        return this.#change(planId, edit);
      case "remove":
        return this.#remove(planId, edit.taskId);
      case "add":
        return this.#add(planId, edit);
    }
  }

  /**
   * Moves a task within the queue, of a plan or of none. A plan that waits does so before whichever task is its
   * first then.
   *
   * @param before the id of the task before which it is put; `null`: to the end
   */
  async moveInQueue(taskId: TaskId, before: string | null): Promise<void> {
    const entries = await this.dependencies.queue.entries();
    const planId = entries.find((one) => one.taskId === taskId)?.planId ?? null;
    await this.#changeQueue(planId, (text) => moveTask(text, taskId, before));
  }

  /**
   * Removes a task from the queue; the same is true of its plan as for {@link moveInQueue}. Returns what
   * {@link putBack} needs; `undefined` if the task is not there.
   */
  async removeFromQueue(taskId: TaskId): Promise<RemovedTask | undefined> {
    const entries = await this.dependencies.queue.entries();
    const at = entries.findIndex((one) => one.taskId === taskId);
    const planId = entries[at]?.planId ?? null;
    let line: string | undefined;
    await this.#changeQueue(planId, (text) => {
      line = taskLine(text, taskId);
      return removeTask(text, taskId);
    });
    return line === undefined
      ? undefined
      : { taskId, line, planId, before: entries[at + 1]?.taskId ?? null };
  }

  /**
   * Takes the tasks out of the queue that wait in the plan of a task, or in the one that it has planned, because the user has
   * this planned anew. One that has begun stays. Returns their entries.
   */
  async supersede(taskId: TaskId): Promise<QueueEntry[]> {
    const { queue, store, activity } = this.dependencies;
    const { planId = null, parentTaskId = null } = (await store.readRecord(taskId)) ?? {};
    const plan = planId ?? planIdOf(taskId);
    // Lines of other tools name no plan: those of one parent are one.
    const isOfPlan = (entry: QueueEntry): boolean =>
      entry.planId === plan ||
      (planId === null &&
        entry.planId === null &&
        parentTaskId !== null &&
        entry.parentTaskId === parentTaskId);
    const superseded: QueueEntry[] = [];
    for (const entry of (await queue.entries()).filter(isOfPlan)) {
      const begun = await this.#begun(entry.planId);
      if (entry.taskId === taskId || begun.has(entry.taskId)) continue;
      await this.#changeQueue(entry.planId, (text) => removeTask(text, entry.taskId));
      await store.markRemoved(entry.taskId);
      await activity.record({
        type: "TASK_ABORTED",
        taskId: entry.taskId,
        details: { removedFromQueue: true, plannedAnewFrom: taskId },
      });
      superseded.push(entry);
    }
    return superseded;
  }

  /** Puts a removed task back where it was, or to the end if what came after it is gone. */
  async putBack({ taskId, line, planId, before }: RemovedTask): Promise<void> {
    await this.#changeQueue(planId, (text, waiting = []) => {
      if (taskLine(text, taskId) !== undefined) return text;
      const isThere = before !== null && taskLine(text, before) !== undefined;
      const back = insertBefore(text, line, isThere ? before : null);
      // Whether the plan waits, its other tasks say by now.
      return waiting.length > 0 ? changeTask(back, taskId, { autoProceed: true }) : back;
    });
  }

  /** @param planId the plan of the task that is changed; `null`: it has none */
  async #changeQueue(
    planId: string | null,
    operation: (text: string, waiting?: readonly QueueEntry[]) => string,
  ): Promise<void> {
    const { queue } = this.dependencies;
    if (planId === null) await queue.change(operation);
    else await queue.changePlan(planId, await this.#begun(planId), operation);
  }

  /** Returns the plan's tasks that have not begun, in queue order. */
  async #waiting(planId: string): Promise<QueueEntry[]> {
    const begun = await this.#begun(planId);
    const entries = await this.dependencies.queue.entries();
    return entries.filter((entry) => entry.planId === planId && !begun.has(entry.taskId));
  }

  /** Returns the queued tasks of the plan, or of none, that have begun: they stay as they are. */
  async #begun(planId: string | null): Promise<Set<TaskId>> {
    const { queue, store, lock } = this.dependencies;
    const begun = new Set<TaskId>();
    for (const { taskId, planId: own } of await queue.entries()) {
      if (own !== planId) continue;
      const isBegun =
        this.runner.isRunning(taskId) ||
        (await lock.holder(taskLock(taskId))) !== undefined ||
        (await store.hasOwnTranscript(taskId));
      if (isBegun) begun.add(taskId);
    }
    return begun;
  }

  async #hold(planId: string, held: boolean): Promise<void> {
    const begun = await this.#begun(planId);
    await this.dependencies.queue.changePlan(planId, begun, (text, [first]) =>
      first === undefined ? text : changeTask(text, first.taskId, { autoProceed: !held }),
    );
  }

  async #move(planId: string, { taskId, before }: Edit<"move">): Promise<void> {
    const begun = await this.#begun(planId);
    await this.dependencies.queue.changePlan(planId, begun, (text, waiting, after) => {
      entryOf(waiting, taskId);
      const target = before === null ? after : entryOf(waiting, before).taskId;
      return moveTask(text, taskId, target);
    });
  }

  #change(planId: string, { taskId, was, mode, goal }: Edit<"change">): Promise<void> {
    const { queue, store, lock } = this.dependencies;
    this.#checkExpert(mode);
    return whileNotRunning([taskId], lock, async () => {
      const begun = await this.#begun(planId);
      // The lock that is held here is no sign of work.
      if (!(await store.hasOwnTranscript(taskId))) begun.delete(taskId);
      let contextPath = store.contextPath(taskId);
      await queue.changePlan(planId, begun, (text, waiting) => {
        const entry = entryOf(waiting, taskId);
        if (entry.mode !== was.mode || entry.goal !== was.goal) {
          throw new UserError(
            "planTaskChanged",
            "This task was changed meanwhile, so your change was not made. Look at it again, then edit it.",
          );
        }
        ({ contextPath } = entry);
        return changeTask(text, taskId, { mode, goal });
      });
      // Otherwise the task would count as one that another program brought.
      await store.recordStart(taskId, { mode, goal, contextPath });
    });
  }

  async #remove(planId: string, taskId: TaskId): Promise<void> {
    const { queue, store, activity } = this.dependencies;
    const begun = await this.#begun(planId);
    await queue.changePlan(planId, begun, (text, waiting) => {
      entryOf(waiting, taskId);
      return removeTask(text, taskId);
    });
    await store.markRemoved(taskId);
    await activity.record({ type: "TASK_ABORTED", taskId, details: { removedFromQueue: true } });
  }

  /**
   * Adds a task to a plan that may have ended.
   *
   * @returns the task's id
   * @throws {UserError} if there is no such plan
   */
  async append(planId: string, { mode, goal }: { mode: string; goal: string }): Promise<TaskId> {
    const folders = await this.dependencies.files.readDirectory(tasksFolder);
    const parent = folders.find(
      ({ name, kind }) =>
        kind === "folder" && planIdOf(name) === planId && isTaskOfPlan(name, planId),
    );
    if (parent === undefined) throw gone();
    return this.#addBelow(parent.name, planId, { mode, goal });
  }

  async #add(planId: string, edit: Edit<"add">): Promise<void> {
    const entries = await this.dependencies.queue.entries();
    const first = entries.find((entry) => entry.planId === planId);
    const parentTaskId = first?.parentTaskId ?? undefined;
    if (parentTaskId === undefined) throw gone();
    await this.#addBelow(parentTaskId, planId, edit);
  }

  async #addBelow(
    parentTaskId: TaskId,
    planId: string,
    { mode, goal }: { mode: string; goal: string },
  ): Promise<TaskId> {
    const { queue, store, activity } = this.dependencies;
    this.#checkExpert(mode);
    const taskId = subTaskId(parentTaskId, (await planTaskIds(parentTaskId, store)).length + 1);
    const request = await store.requestOf(parentTaskId);
    const context = `Added by the user to the plan ${workspaceLink(planPathOf(planId))}`;
    await store.create(
      {
        taskId,
        parentTaskId,
        planId,
        mode,
        goal,
        ...recorded(request),
      },
      contextText({ taskId, goal, context, request: request?.text, isPart: true }),
    );
    const contextPath = store.contextPath(taskId);
    const added = { taskId, parentTaskId, mode, contextPath, goal, planId, autoProceed: true };
    const begun = await this.#begun(planId);
    await queue.changePlan(planId, begun, (text, _, after) =>
      insertBefore(text, formatQueueEntry(added), after),
    );
    await activity.record({ type: "TASK_QUEUED", taskId });
    return taskId;
  }

  #checkExpert(slug: string): void {
    const known = this.dependencies.modes.assignable.map((mode) => mode.slug);
    if (known.includes(slug)) return;
    throw new UserError(
      "expertUnknownAmong",
      "There is no expert {expert}. Choose one of: {experts}.",
      { expert: slug, experts: known.join(", ") },
    );
  }
}

function entryOf(waiting: readonly QueueEntry[], taskId: TaskId): QueueEntry {
  const entry = waiting.find((one) => one.taskId === taskId);
  if (entry === undefined) throw gone();
  return entry;
}

function gone(): UserError {
  return new UserError(
    "planTaskGone",
    "This task is not waiting any more: it has begun, or has left the queue.",
  );
}
