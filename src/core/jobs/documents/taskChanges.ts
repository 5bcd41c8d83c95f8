import { UserError } from "../../errors.js";
import type { JobLog } from "./jobLog.js";
import { readLabelled } from "./labelled.js";
import type { ListItem } from "./outline.js";
import { type Phase, type RoadmapItem, type Task, tasksOf } from "./roadmap.js";
import { isOver, nextStatuses, type TaskStatus, type Version } from "./taskStatus.js";
import type { Change, TextLines } from "../../documents/textLines.js";

/**
 * Returns the changes that give a task another status: its status line and checkbox, its runner line, and the
 * checkboxes of the phases that it completes.
 *
 * @param runner the runner of a task that becomes Locked
 * @throws {UserError} if there is no such task, or if it cannot become that status
 */
export function taskChanges(
  log: JobLog,
  id: string,
  status: TaskStatus,
  runner: string | undefined,
  version: Version,
): Change[] {
  const { lines } = log;
  const task = log.tasks.find((one) => one.id === id);
  if (task === undefined) throw new UserError(`The roadmap has no task ${id}.`);
  if (task.status === undefined || !nextStatuses(task.status, version).includes(status)) {
    const now = task.status ?? task.statusLines[0]?.value ?? "";
    throw new UserError(`Task ${id} is ${now}, and cannot become ${status}.`);
  }
  const changes = box(task, status === "Completed", lines);
  const added: string[] = [];
  const [statusLine] = task.statusLines;
  if (statusLine) changes.push(newValue(statusLine.row, "status", status, lines));
  else added.push(`status: ${status}`);
  const [runnerLine] = task.runnerLines;
  if (runner !== undefined && runnerLine) {
    changes.push(newValue(runnerLine.row, "runner", runner, lines));
  } else if (runner !== undefined) added.push(`runner: ${runner}`);
  if (status === "Pending") {
    // A Pending task has no runner.
    changes.push(...task.runnerLines.map(({ row }) => lines.replace(row, row + 1, [])));
  }
  if (added.length > 0) changes.push(insertedBelow(task, added, lines));
  for (const phase of phasesAround(log.roadmap, id)) {
    const isDone = tasksOf(phase.children).every((one) =>
      isOver(one.id === id ? status : one.status),
    );
    if (isDone) changes.push(...box(phase, true, lines));
  }
  return changes;
}

/** Returns the phases that contain an item, the outermost first. */
export function phasesAround(items: readonly RoadmapItem[], id: string): Phase[] {
  for (const item of items) {
    if (item.kind !== "phase") continue;
    if (item.children.some((child) => child.id === id)) return [item];
    const inner = phasesAround(item.children, id);
    if (inner.length > 0) return [item, ...inner];
  }
  return [];
}

/** Sets an item's checkbox, if it has one in the other state. */
export function box(item: RoadmapItem, isChecked: boolean, lines: TextLines): Change[] {
  if (item.isChecked === undefined || item.isChecked === isChecked) return [];
  const at = item.item.column + 1;
  return [lines.inRow(item.row, at, at + 1, isChecked ? "x" : " ")];
}

/** Returns a row's indentation and its markers of quotes and lists. */
function rowPrefix(row: string): string {
  return /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*/.exec(row)?.[0] ?? "";
}

/** Returns the indentation of lines within an item. */
export function inner(item: ListItem, lines: TextLines): string {
  return lines
    .row(item.row)
    .slice(0, item.column)
    .replace(/[^\s>]/g, " ");
}

function newValue(row: number, name: string, value: string, lines: TextLines): Change {
  const text = lines.row(row);
  const prefix = rowPrefix(text).length;
  const found = readLabelled(text.slice(prefix));
  if (found === undefined) throw new Error(`row ${row} has no label`);
  // Version 1 calls the runner “executor”.
  if (found.name !== name) return lines.inRow(row, prefix, prefix + found.end, `${name}: ${value}`);
  const isEmpty = found.value === "";
  return lines.inRow(
    row,
    prefix + (isEmpty ? found.behind : found.start),
    prefix + found.end,
    isEmpty ? ` ${value}` : value,
  );
}

/** Inserts lines after the task's status line, or as the first lines below the task. */
function insertedBelow(task: Task, added: readonly string[], lines: TextLines): Change {
  const { item, statusLines } = task;
  const statusRow = statusLines[0]?.row;
  const first = item.items[0];
  const like = statusRow ?? first?.row;
  const known = like === undefined ? undefined : rowPrefix(lines.row(like));
  const isUsable = known !== undefined && !/\d/.test(known);
  const prefix = isUsable ? known : `${inner(item, lines)}- `;
  const row = statusRow === undefined ? item.row + Math.max(1, item.lines.length) : statusRow + 1;
  return lines.insert(
    row,
    added.map((line) => prefix + line),
  );
}
