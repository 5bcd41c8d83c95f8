import { UserError } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import { visibleLine } from "../../text/visibleText.js";
import { taskArtifacts } from "./taskArtifacts.js";
import { atATime, taskFolder, tasksFolder } from "./taskStore.js";

/** The most paths that are told of, of those that are looked for, and of tasks whose files they are compared with. */
const most = { told: 10, looked: 60, tasks: 300, near: 2 };

/** The folders besides that of tasks in which results lie. */
const otherFolders = [".rooroo/plans", ".rooroo/brainstorming"];

/** A path below the folders of results, or below that of tasks as people shorten it. Each begins with fixed letters. */
const resultPath =
  /(?:\.rooroo[\\/](?:tasks|plans|brainstorming)|\btasks(?=[\\/]ROO[#%]))[\\/][^\s"'`<>()[\]{}|*?,;:\u3000-\u303F\uFF00-\uFF0F\uFF1A-\uFF1F]{1,400}/g;

/**
 * Returns what a task's expert is told of paths to results of earlier tasks at which there is nothing, with those that are
 * likely meant; `undefined` if there is something at each. A path in the task's own folder may be yet to be written.
 *
 * @param texts what the task says: its goal, its context
 */
export async function missingResults(
  taskId: TaskId,
  texts: readonly string[],
  files: FileSystem,
): Promise<string | undefined> {
  const own = taskFolder(taskId);
  const named = [...new Set(texts.flatMap((text) => pathsIn(text)))]
    .filter((path) => path !== own && !path.startsWith(`${own}/`))
    .slice(0, most.looked);
  try {
    const missing: string[] = [];
    for (const path of named) {
      const isThere = (await files.stat(path)) !== undefined;
      if (!isThere && missing.length < most.told) missing.push(path);
    }
    if (missing.length === 0) return undefined;
    const there = await results(files);
    const lines = missing.map((path) => {
      const near = nearest(path, there).map((one) => visibleLine(one, 300));
      const meant = near.length === 0 ? "" : `; likely meant: ${near.join(" or ")}`;
      return `- ${visibleLine(path, 300)}${meant}`;
    });
    return `There is nothing at these paths, which the task names:\n${lines.join("\n")}\nUse what is likely meant if it fits. If you cannot do the task without one of them and nothing fits, ask.`;
  } catch (error) {
    // What cannot be looked at, the expert finds out itself.
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

/** Returns the paths below the folders of results that a text names, relative to the workspace. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(resultPath)].flatMap(([found]) => {
    const slashed = decoded(found).replaceAll("\\", "/");
    const path = (slashed.startsWith("tasks/") ? `.rooroo/${slashed}` : slashed)
      .replace(/[.!/]{1,8}$/, "")
      .replace(/\/{2,}/g, "/");
    return path.split("/").length < 3 || path.split("/").includes("..") ? [] : [path];
  });
}

/** Returns a path as links write it, with `%23` for `#`, as it is on disk. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the paths of the results that there are. */
async function results(files: FileSystem): Promise<string[]> {
  const tasks = (await files.readDirectory(tasksFolder))
    .flatMap(({ name, kind }) => (kind === "folder" ? [name] : []))
    .sort()
    .slice(-most.tasks);
  const ofTasks = await atATime.map(tasks, async (id) => {
    const context = `${taskFolder(id)}/context.md`;
    const hasContext = (await files.stat(context)) !== undefined;
    return [...(hasContext ? [context] : []), ...(await taskArtifacts(id, files))];
  });
  const others: string[] = [];
  for (const folder of otherFolders) {
    for (const { name, kind } of await files.readDirectory(folder)) {
      if (kind === "file") others.push(`${folder}/${name}`);
    }
  }
  return [...ofTasks.flat(), ...others];
}

/**
 * Returns the paths that are likely meant, the nearest first: those with the most words in common, where a word counts
 * the more the fewer of the paths have it. Only the words that tell one from others count.
 */
function nearest(path: string, there: readonly string[]): string[] {
  const wordsOf = new Map(there.map((one) => [one, wordsIn(one)]));
  const counts = new Map<string, number>();
  for (const words of wordsOf.values()) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const wanted = wordsIn(path);
  const scored = there.map((one) => {
    let score = 0;
    for (const word of wordsOf.get(one) ?? []) {
      if (wanted.has(word)) score += 1 / (counts.get(word) ?? 1);
    }
    return { one, score };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return best
    .filter(({ score }) => score >= 0.75 * (best[0]?.score ?? 0))
    .slice(0, most.near)
    .map(({ one }) => one);
}

/** Words that nearly every path has. */
const common = new Set(["rooroo", "tasks", "plans", "brainstorming", "roo", "task", "sub", "md"]);

function wordsIn(path: string): Set<string> {
  const found = path.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(found.filter((word) => !common.has(word)));
}
