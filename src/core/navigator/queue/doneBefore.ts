import type { QueueEntry } from "../../documents/queue.js";
import type { FileSystem } from "../../ports/files.js";
import { taskArtifacts } from "../tasks/taskArtifacts.js";
import type { TaskStore } from "../tasks/taskStore.js";

/**
 * Returns whether a queued task seems to be done already, by whoever brought it: its line says so, or its results are
 * in its folder. Of one that was made or started here, its own files say how far it is.
 *
 * @param names the names of the tasks' folders
 */
export async function seemsDone(
  { taskId, ended }: QueueEntry,
  names: ReadonlySet<string>,
  { store, files }: { readonly store: TaskStore; readonly files: FileSystem },
): Promise<boolean> {
  const hasFolder = names.has(taskId);
  if (hasFolder && (await store.findRecord(taskId).catch(() => undefined))?.own === true)
    return false;
  return ended === true || (hasFolder && (await taskArtifacts(taskId, files)).length > 0);
}
