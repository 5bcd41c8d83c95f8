import type { LeftBehind } from "../../experts/report.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import { isTaskOfPlan, planIdOf } from "../tasks/taskIds.js";
import { type TaskStore, tasksFolder } from "../tasks/taskStore.js";
import { whileNotRunning } from "../tasks/whileNotRunning.js";
import type { QueueStore } from "./queueStore.js";

/** A task of a plan that has not ended. */
export interface UnfinishedTask {
  readonly taskId: TaskId;
  readonly is: "queued" | "waiting" | "interrupted";
}

interface Parts {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly store: TaskStore;
  readonly queue: Pick<QueueStore, "entries">;
}

/** The tasks of plans, as the queue and their folders have them. A single task is a plan of one. */
export class PlanTasks {
  constructor(private readonly parts: Parts) {}

  /** Returns the plan that a task works for in its folder or worktree; `undefined`: it reviews, or is no plan's task. */
  async planOf(taskId: TaskId): Promise<string | undefined> {
    const { planId = null, review } = (await this.parts.store.readRecord(taskId)) ?? {};
    if (review !== undefined) return undefined;
    const own = planId ?? planIdOf(taskId);
    return planId !== null || isTaskOfPlan(taskId, own) ? own : undefined;
  }

  /** Returns the plan's tasks that have not ended, sorted by id. One that runs counts as interrupted. */
  async unfinished(planId: string): Promise<readonly UnfinishedTask[]> {
    const { store, queue } = this.parts;
    const queued = (await queue.entries())
      .filter((entry) => entry.planId === planId || isTaskOfPlan(entry.taskId, planId))
      .map(({ taskId }) => taskId);
    const found: UnfinishedTask[] = [];
    for (const taskId of new Set([...(await this.ids(planId)), ...queued])) {
      const report = await store.readReport(taskId);
      if (report !== undefined && report.status !== "NeedsClarification") continue;
      const isRemoved = (await store.readRecord(taskId))?.removed === true;
      if (isRemoved && !queued.includes(taskId)) continue;
      const asks =
        report ?? (await store.readQuestion(taskId)) ?? (await store.readApproval(taskId));
      const hasBegun = !queued.includes(taskId) || (await store.hasOwnTranscript(taskId));
      const is = asks !== undefined ? "waiting" : hasBegun ? "interrupted" : "queued";
      found.push({ taskId, is });
    }
    return found.sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
  }

  /** Returns which files of the plan's tasks stayed where the tasks worked, as their reports say, by the tasks' ids. */
  async leftBehind(planId: string): Promise<ReadonlyMap<TaskId, LeftBehind>> {
    const found = new Map<TaskId, LeftBehind>();
    for (const taskId of (await this.ids(planId)).toSorted()) {
      const left = (await this.parts.store.readReport(taskId))?.left;
      if (left !== undefined) found.set(taskId, left);
    }
    return found;
  }

  /** Returns the conversation in which the plan was started, if any. */
  async conversationOf(planId: string): Promise<ConversationId | undefined> {
    for (const taskId of await this.ids(planId)) {
      const found = await this.parts.store.conversationOf(taskId);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns what the plan is for: the goal of the task that made it, or of the one that is all of it. */
  async goalOf(planId: string): Promise<string | undefined> {
    const ids = await this.ids(planId);
    const first = ids.find((id) => planIdOf(id) === planId) ?? ids[0];
    return first === undefined ? undefined : (await this.parts.store.readRecord(first))?.goal;
  }

  /** Does something while none of the plan's tasks runs. Throws a {@link UserError} if one does. */
  async atRest<T>(planId: string, work: () => Promise<T>): Promise<T> {
    return whileNotRunning(await this.ids(planId), this.parts.lock, work);
  }

  private async ids(planId: string): Promise<TaskId[]> {
    const { files, store } = this.parts;
    const found: TaskId[] = [];
    for (const { name, kind } of await files.readDirectory(tasksFolder)) {
      if (kind !== "folder") continue;
      // A task of another plan that cannot be read is not this one's matter.
      const record = isTaskOfPlan(name, planId)
        ? { planId }
        : await store.readRecord(name).catch(() => undefined);
      if (record?.planId === planId) found.push(name);
    }
    return found;
  }
}
