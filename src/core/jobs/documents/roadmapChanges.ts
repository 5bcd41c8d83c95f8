import { UserError } from "../../errors.js";
import type { JobLog } from "./jobLog.js";
import { type PlanItem, planLines } from "./planItem.js";
import { type Phase, type RoadmapItem, tasksOf } from "./roadmap.js";
import { box, inner, phasesAround } from "./taskChanges.js";
import { isOver } from "./taskStatus.js";
import type { Change } from "../../documents/textLines.js";

/**
 * Adds items to the end of a phase.
 *
 * @param phaseId the id of the phase; `undefined`: the end of the roadmap
 * @throws {UserError} if there is no such phase
 */
export function addedItems(
  log: JobLog,
  phaseId: string | undefined,
  items: readonly PlanItem[],
): Change[] {
  const { lines, sections } = log;
  if (phaseId !== undefined) {
    const phase = log.items.find(({ id }) => id === phaseId);
    if (phase?.kind !== "phase") throw new UserError(`The roadmap has no phase ${phaseId}.`);
    const last = phase.children.at(-1);
    const indent = last === undefined ? inner(phase.item, lines) : indentOf(last, log);
    const around = [...phasesAround(log.roadmap, phaseId), phase];
    return [
      lines.insert(phase.end, planLines(items, indent, markerOf(last, log))),
      ...around.flatMap((one) => box(one, false, lines)),
    ];
  }
  const last = log.roadmap.at(-1);
  if (last !== undefined) {
    return [lines.insert(last.end, planLines(items, indentOf(last, log), markerOf(last, log)))];
  }
  const added = planLines(items, "", "-");
  const { roadmapHeading, workLogHeading, workLog } = sections;
  if (roadmapHeading !== undefined) {
    const row = roadmapHeading.row + 1;
    const isEnd = row >= lines.count || lines.isBlank(row);
    return [lines.insert(row, ["", ...added, ...(isEnd ? [] : [""])])];
  }
  const row = workLogHeading?.row ?? workLog[0]?.row ?? lines.count;
  const gap = row > 0 && !lines.isBlank(row - 1) ? [""] : [];
  const name = workLogHeading?.isChinese === true ? "工作计划" : "Roadmap";
  const behind = row < lines.count ? [""] : [];
  return [lines.insert(row, [...gap, `## ${name}`, "", ...added, ...behind])];
}

/**
 * Replaces an item that contains no Locked and no Completed task.
 *
 * @throws {UserError} if it contains one, if there is no such item, or if its phase would be left empty
 */
export function replacedItem(log: JobLog, id: string, items: readonly PlanItem[]): Change[] {
  const { lines } = log;
  const item = log.items.find((one) => one.id === id);
  if (item === undefined) throw new UserError(`The roadmap has no item ${id}.`);
  const kept = tasksOf([item]).find(({ status }) => status === "Locked" || status === "Completed");
  if (kept !== undefined) {
    throw new UserError(`Task ${kept.id} is ${kept.status ?? ""}, and stays in the roadmap.`);
  }
  const added = planLines(items, indentOf(item, log), markerOf(item, log));
  const around = phasesAround(log.roadmap, id);
  if (items.length === 0 && around.at(-1)?.children.length === 1) {
    throw new UserError(`${id} is the last of its phase. Take the phase out instead.`);
  }
  return [
    lines.replace(item.row, item.end, added),
    ...around.flatMap((phase) =>
      box(phase, isDoneWithout(item, phase) && items.length === 0, lines),
    ),
  ];
}

function isDoneWithout(item: RoadmapItem, phase: Phase): boolean {
  const gone = new Set(tasksOf([item]));
  return tasksOf(phase.children).every((task) => gone.has(task) || isOver(task.status));
}

function indentOf(item: RoadmapItem, log: JobLog): string {
  return /^[\s>]*/.exec(log.lines.row(item.row))?.[0] ?? "";
}

function markerOf(item: RoadmapItem | undefined, log: JobLog): string {
  const row = item === undefined ? "" : log.lines.row(item.row);
  return /^[\s>]*([-*+])/.exec(row)?.[1] ?? "-";
}
