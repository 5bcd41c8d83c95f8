import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { isTaskFolder } from "./taskIds.js";
import { type TaskRecord, type TaskStore, taskFolder } from "./taskStore.js";

/**
 * Returns whether an expert may report and change what another task has left in its folder: a task of the same plan has;
 * and to a task that nobody has asked for here, but that came with the folder's queue, what came with the folder, too.
 */
export async function isPlanMate(
  taskId: TaskId,
  other: TaskId,
  { store, files }: { readonly store: TaskStore; readonly files: FileSystem },
): Promise<boolean> {
  if (other === taskId || !isTaskFolder(other)) return false;
  if ((await files.stat(taskFolder(other)))?.kind !== "folder") return false;
  const [own, its] = await Promise.all([store.readRecord(taskId), store.readRecord(other)]);
  if (own === undefined) return false;
  return its === undefined ? own.request === undefined : isOfOnePlan(own, its);
}

function isOfOnePlan(own: TaskRecord, its: TaskRecord): boolean {
  if (own.planId !== null || its.planId !== null) return own.planId === its.planId;
  return own.parentTaskId !== null && [its.parentTaskId, its.taskId].includes(own.parentTaskId);
}
