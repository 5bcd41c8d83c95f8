import type { UserMessage } from "../../agent/inbox.js";
import type { PendingMessage, PendingMessages } from "../../agent/pendingMessages.js";
import { taskIdPattern } from "../../documents/queue.js";
import { UserError } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import { isUnitId } from "./taskIds.js";
import type { TaskStore } from "./taskStore.js";

/**
 * Leaves a message of the user for the expert of a task that has begun or is still to begin, or for an agent of a job
 * or run, whichever process works on it. Returns `ended` if the task has ended, so that nothing would deliver the
 * message. What an agent of a job or run is not told any more, the next one gets.
 *
 * @throws a `UserError` if there is no such task
 */
export async function tellExpert(
  taskId: TaskId,
  message: Pick<UserMessage, "text" | "attached" | "images">,
  parts: {
    readonly store: Pick<TaskStore, "readRecord" | "readReport">;
    readonly experts: { readonly messages: Pick<PendingMessages, "add"> };
  },
): Promise<PendingMessage | "ended"> {
  const { store, experts } = parts;
  const add = () => experts.messages.add(taskId, { ...message, text: message.text.trim() });
  if (isUnitId(taskId)) return add();
  const record = taskIdPattern.test(taskId) ? await store.readRecord(taskId) : undefined;
  if (record === undefined) {
    throw new UserError("taskUnknown", "There is no task {taskId} here.", { taskId });
  }
  const report = await store.readReport(taskId);
  if (report !== undefined && report.status !== "NeedsClarification") return "ended";
  return add();
}
