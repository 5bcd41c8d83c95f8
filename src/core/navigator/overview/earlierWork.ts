import { activityLogPath } from "../../activity/activityLogPath.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { goalOf } from "../queue/goalFromContext.js";
import { taskArtifacts } from "../tasks/taskArtifacts.js";
import { type TaskStore, atATime } from "../tasks/taskStore.js";
import type { EarlierTask } from "./overview.js";

/** What came with the folder: its tasks, and workspace paths of what belongs to none of them. */
export interface EarlierWork {
  readonly tasks: readonly EarlierTask[];
  readonly files: readonly string[];
}

/** The most tasks of earlier work that are looked at: the newest by their ids. */
const mostTasks = 500;

const plansFolder = ".rooroo/plans";

/**
 * Reads what other tools have left of their tasks: folders of `.rooroo/tasks` of which nothing is recorded here. They are
 * shown and read; nothing of them is carried out.
 *
 * @param names the names of the folders that are no task's of this installation
 * @param own the ids of the plans of this installation
 * @returns the tasks sorted by id, the last first
 */
export async function readEarlierWork(
  names: readonly string[],
  own: ReadonlySet<string>,
  { store, files }: { readonly store: TaskStore; readonly files: FileSystem },
): Promise<EarlierWork> {
  const looked = names.toSorted((a, b) => (a < b ? 1 : -1)).slice(0, mostTasks);
  const plans = (await files.readDirectory(plansFolder)).map(({ name }) => name);
  const found = await atATime.map(looked, async (taskId) => {
    // One that the user has removed has a record.
    if (await store.hasRecord(taskId)) return undefined;
    const contextPath = store.contextPath(taskId);
    const hasContext = (await files.stat(contextPath))?.kind === "file";
    const artifacts = await taskArtifacts(taskId, files);
    if (!hasContext && artifacts.length === 0) return undefined;
    const goal = hasContext ? await goalOf(contextPath, files) : "";
    const plan = plans.find((name) => taskId.includes(stemOf(name)));
    return {
      taskId,
      goal: typeof goal === "string" ? goal : "",
      files: [...(hasContext ? [contextPath] : []), ...artifacts],
      ...(plan === undefined ? {} : { planPath: `${plansFolder}/${plan}` }),
    };
  });
  const tasks = found.filter((task) => task !== undefined);
  const shown = new Set(tasks.flatMap(({ planPath = "" }) => planPath));
  const others = plans
    .filter((name) => name.endsWith(".md") && !own.has(name.slice(0, -".md".length)))
    .map((name) => `${plansFolder}/${name}`)
    .filter((path) => !shown.has(path));
  const hasLog = tasks.length > 0 && (await files.stat(activityLogPath)) !== undefined;
  return { tasks, files: [...others, ...(hasLog ? [activityLogPath] : [])] };
}

/** Returns the id that a plan's file is named for; tasks of the plan have it in theirs. */
function stemOf(name: string): TaskId {
  return name.replace(/(?:[_-](?:plan|overview)\b.*|[_-]plan_overview)?\.md$/, "");
}
