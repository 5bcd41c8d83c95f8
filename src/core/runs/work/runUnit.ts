import type { RunId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";

/**
 * Returns the id of a run's unit. The same unit always has the same id, so that a resumed run finds its
 * session.
 *
 * @param retries the number of failures after which the user had the run go on: what is tried again is begun anew
 */
export function runUnitId(runId: RunId, unit: string, retries = 0): TaskId {
  const again = retries === 0 ? "" : `-try${retries + 1}`;
  return `ROO#RUN_${runId.replace(/^run-/, "")}_${unit}${again}`;
}

/** Returns whether an id is that of a unit, and not of a run. */
export function isRunUnit(id: string): boolean {
  return id.startsWith("ROO#RUN_");
}

/** Returns the ids of all sessions that a run has had. */
export async function unitsOf(
  runId: RunId,
  files: Pick<FileSystem, "readDirectory">,
): Promise<TaskId[]> {
  const folders = await files.readDirectory(".rooroo/tasks");
  const own = runUnitId(runId, "");
  return folders.map(({ name }) => name).filter((name) => name.startsWith(own));
}
