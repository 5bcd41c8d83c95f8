import { DependencyReader } from "../documents/dependencies.js";
import type { JobLog } from "../documents/jobLog.js";
import { type RoadmapItem, type Task, tasksOf } from "../documents/roadmap.js";
import type { TaskState } from "./taskFacts.js";

/**
 * Returns, for each task that waits, the failed tasks and those set aside without which it cannot begin: those that it or
 * its phases name, and those that these wait for. Tasks that wait for no such task are left out.
 */
export function stuckBehind(
  { items, roadmap }: Pick<JobLog, "items" | "roadmap">,
  states: ReadonlyMap<string, TaskState>,
): Map<string, string[]> {
  const isStuck = ({ id }: Task) => ["failed", "setAside"].includes(states.get(id) ?? "");
  if (!tasksOf(roadmap).some(isStuck)) return new Map();
  const reader = new DependencyReader({ items });
  /** The direct dependencies of each task. */
  const before = new Map<Task, Task[]>();
  const walk = (item: RoadmapItem, inherited: readonly Task[]): void => {
    const own = [...inherited, ...tasksOf(reader.of(item).on)];
    if (item.kind === "task") before.set(item, own);
    else for (const child of item.children) walk(child, own);
  };
  for (const item of roadmap) walk(item, []);
  const isOpen = ({ id }: Task) => ["open", "interrupted"].includes(states.get(id) ?? "");
  const found = new Map<string, string[]>();
  for (const task of before.keys()) {
    if (!isOpen(task)) continue;
    const seen = new Set<Task>([task]);
    const toVisit = [...(before.get(task) ?? [])];
    const stuck: string[] = [];
    for (let next = toVisit.pop(); next !== undefined; next = toVisit.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (isStuck(next)) stuck.push(next.id);
      else if (isOpen(next)) toVisit.push(...(before.get(next) ?? []));
    }
    if (stuck.length > 0) found.set(task.id, stuck.sort());
  }
  return found;
}
