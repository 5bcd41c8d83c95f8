import type { JobLog } from "../documents/jobLog.js";
import { type RoadmapItem, type Task, tasksOf } from "../documents/roadmap.js";
import { isOver } from "../documents/taskStatus.js";

/**
 * Returns the first Pending task that can be done now. An item whose text ends with `(after 1.2, 3)` waits
 * for these tasks and phases, and so does all that it contains; other items wait for nothing. Returns
 * `undefined` if every Pending task waits for a task that is Locked, or if none is Pending.
 */
export function readyTask({ roadmap, items, tasks }: JobLog): Task | undefined {
  const byId = new Map(items.map((item) => [item.id, item]));
  const isDone = (id: string): boolean => {
    const item = byId.get(id);
    return item === undefined || tasksOf([item]).every(({ status }) => isOver(status));
  };
  const first = (among: readonly RoadmapItem[]): Task | undefined => {
    for (const item of among) {
      const isNext = item.kind === "phase" || item.status === "Pending";
      if (!isNext || !waitsFor(item).every(isDone)) continue;
      const found = item.kind === "phase" ? first(item.children) : item;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const isHeld = tasks.some(({ status }) => status === "Locked");
  // Tasks in a dependency cycle would wait forever, so the first Pending task is run.
  const stuck = isHeld ? undefined : tasks.find(({ status }) => status === "Pending");
  return first(roadmap) ?? stuck;
}

/** Returns the ids of the items that must be over before the item can begin. */
function waitsFor({ text }: RoadmapItem): string[] {
  const [, named] = /\(after ([^()]+)\)[\s.*_]*$/i.exec(text) ?? [];
  const ids = named?.split(/\s*(?:[,;&]|\band\b)\s*/) ?? [];
  return ids.map((id) => id.trim().replace(/\.$/, "")).filter((id) => id !== "");
}
