import { isKeptByCode } from "../../experts/mode.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { taskFolder } from "./taskStore.js";

/** The most files of one task that are listed, and folders that are looked into. */
const mostFiles = 100;
const mostFolders = 30;

/** Returns the workspace paths of what experts have left in a task's folder, sorted: all but what code keeps there. */
export async function taskArtifacts(taskId: TaskId, files: FileSystem): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [taskFolder(taskId)];
  for (const folder of folders) {
    for (const { name, kind } of await files.readDirectory(folder)) {
      const path = `${folder}/${name}`;
      if (isKeptByCode(path) || isKeptByCode(`${path}/`)) continue;
      if (kind === "file" && found.length < mostFiles) found.push(path);
      if (kind === "folder" && folders.length < mostFolders) folders.push(path);
    }
  }
  return found.sort();
}
