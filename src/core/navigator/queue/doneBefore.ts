import type { QueueEntry } from "../../documents/queue.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { taskArtifacts } from "../tasks/taskArtifacts.js";
import { taskFolder, type TaskStore } from "../tasks/taskStore.js";

/**
 * Returns whether a queued task seems to be done already, by whoever brought it: its line says so, or its results are
 * in its folder. Of one that has files of state, these say how far it is.
 */
export async function seemsDone(
  { taskId, ended, contextPath }: QueueEntry,
  { store, files }: { readonly store: TaskStore; readonly files: FileSystem },
): Promise<boolean> {
  if ((await files.stat(taskFolder(taskId))) === undefined) return ended === true;
  if (await hasState(taskId, { store, files })) return false;
  if (ended === true) return true;
  // What the task is to do may lie in its folder under any name.
  return (await taskArtifacts(taskId, files)).some((path) => path !== contextPath);
}

/** Returns whether an installation of Rooroo Navigator, this one or another, has kept how far the task is. */
async function hasState(
  taskId: TaskId,
  { store, files }: { readonly store: TaskStore; readonly files: FileSystem },
): Promise<boolean> {
  const kept = [store.reportPath(taskId), store.transcriptPath(taskId)];
  if (await store.hasRecord(taskId)) return true;
  return (await Promise.all(kept.map((path) => files.stat(path)))).some(Boolean);
}
