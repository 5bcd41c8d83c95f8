import { join } from "node:path";
import { env } from "node:process";
import { noDocuments } from "../core/changes/noDocuments.js";
import { TaskChanges } from "../core/changes/taskChanges.js";
import { tasksFolder } from "../core/navigator/tasks/taskStore.js";
import type { EditorDocuments } from "../core/ports/editor.js";
import type { Snapshots } from "../core/ports/snapshots.js";
import { DiskSnapshots } from "../node/files/snapshots/diskSnapshots.js";
import { createSearch } from "../node/search/createSearch.js";
import { userFolder } from "../node/user/userFolder.js";
import type { LocalServices } from "./localServices.js";

/**
 * Returns the changes of tasks in a workspace, as its files have them at this moment.
 *
 * @param root the workspace folder's absolute path
 */
export function localChanges(
  root: string,
  {
    documents = noDocuments,
    ...local
  }: Pick<LocalServices, "files" | "signer" | "clock"> & { readonly documents?: EditorDocuments },
): TaskChanges {
  const services = {
    ...local,
    documents,
    snapshots: localSnapshots(root),
    search: createSearch(root),
  };
  return new TaskChanges(services, tasksFolder);
}

/**
 * Returns the snapshots of a workspace. They are the same for editor and command line, because a task that one of
 * them began can be undone in the other.
 *
 * @param root the workspace folder's absolute path
 */
export function localSnapshots(root: string): Snapshots {
  return new DiskSnapshots(root, join(userFolder(env), "snapshots"));
}
