import type { Task } from "./roadmap.js";
import type { Entry } from "./workLog.js";

/** Finds the task that an entry's objective names, as in `Task 1.2. Move the parser`. */
class NamedTasks {
  private readonly byNumber = new Map<string, Task>();
  private readonly byTitle = new Map<string, Task>();

  constructor(tasks: readonly Task[]) {
    for (const task of tasks.toReversed()) {
      if (task.number !== undefined) this.byNumber.set(task.number, task);
      this.byTitle.set(plain(task.title), task);
    }
  }

  of(entry: Entry): Task | undefined {
    const objective = entry.fields.get("objective")?.value ?? "";
    const words = objective.replace(/^[\s*_`]*(?:task\b|任务)?[\s:：#*_`]*/i, "");
    const number = /^\d+(?:\.\d+)*/.exec(words)?.[0];
    const numbered = number === undefined ? undefined : this.byNumber.get(number);
    return numbered ?? this.byTitle.get(plain(words.replace(/^[\d.]+[)、:：]?\s*/, "")));
  }
}

/** Returns the newest runner's entry for each task, in one pass. `isReplanned`: a plan was made after it. */
export function newestEntries(
  tasks: readonly Task[],
  entries: readonly Entry[],
): Map<Task, { readonly entry: Entry; readonly isReplanned: boolean }> {
  const named = new NamedTasks(tasks);
  const newest = new Map<Task, { entry: Entry; isReplanned: boolean }>();
  let isReplanned = false;
  for (const entry of entries) {
    if (entry.role === "Planner") {
      // A later plan supersedes an older entry, since entries never change.
      if (entry.result === "Succeeded") isReplanned = true;
      continue;
    }
    const task = named.of(entry);
    if (task !== undefined && !newest.has(task)) newest.set(task, { entry, isReplanned });
  }
  return newest;
}

function plain(text: string): string {
  return text.replace(/[*_`]/g, "").trim().toLowerCase();
}
