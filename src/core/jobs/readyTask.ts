import type { JobLog } from "./jobLog.js";
import { type RoadmapItem, type Task, tasksOf } from "./roadmap.js";
import { isOver } from "./taskStatus.js";

/**
 * The first Pending task that can be done now. An item whose text ends with `(after 1.2, 3)` waits for
 * these tasks and phases, as does all that it holds; what names none waits for nothing. `undefined`
 * where all that are Pending wait for tasks that somebody works on.
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
  // Tasks that wait for one another wait for nobody: the first of them goes on.
  const stuck = isHeld ? undefined : tasks.find(({ status }) => status === "Pending");
  return first(roadmap) ?? stuck;
}

/** Ids of what has to be over before it can begin. */
function waitsFor({ text }: RoadmapItem): string[] {
  const [, named] = /\(after ([^()]+)\)[\s.*_]*$/i.exec(text) ?? [];
  const ids = named?.split(/\s*(?:[,;&]|\band\b)\s*/) ?? [];
  return ids.map((id) => id.trim().replace(/\.$/, "")).filter((id) => id !== "");
}
