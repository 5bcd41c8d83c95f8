import type { UndoneFile } from "../../changes/taskChanges.js";
import type { ConversationEvent } from "../../conversation/events/events.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Clock, Signer } from "../../ports/system.js";
import { TaskStore } from "../tasks/taskStore.js";

/** What became of a task's changes of one file when they were undone. */
export type UndoneOfTask = UndoneFile & { readonly taskId: TaskId };

/** An event, and the conversation to which it belongs; absent: it is not known. */
export interface UndoneEvent {
  readonly event: ConversationEvent;
  readonly conversation: ConversationId | undefined;
}

/**
 * Records that changes of tasks were undone, so that lists and reviews say so. Returns the events that tell the
 * conversation, one for each task.
 */
export async function recordUndone(
  undone: readonly UndoneOfTask[],
  services: { files: FileSystem; clock: Clock; signer: Signer },
): Promise<UndoneEvent[]> {
  const store = new TaskStore(services.files, services.clock, services.signer);
  const at = services.clock.now().toISOString();
  const events: UndoneEvent[] = [];
  for (const taskId of new Set(undone.map((one) => one.taskId))) {
    const own = undone.filter((one) => one.taskId === taskId);
    const left = own.flatMap(({ path, type }) => (type === "left" ? [path] : []));
    if (left.length === own.length) continue;
    await store.writeUndone(taskId, { at, left });
    const files = own.length - left.length;
    const conversation = await store.conversationOf(taskId);
    events.push({ event: { type: "changesUndone", at, taskId, files, left }, conversation });
  }
  return events;
}
