import type { Change, TextLines } from "../../documents/textLines.js";
import { UserError } from "../../errors.js";
import type { ListItem } from "./block.js";
import type { ItemContent, JobLog } from "./jobLog.js";
import { oneLine, readLabelled } from "./outline.js";
import {
  everyItem,
  type ItemField,
  itemFields,
  type Phase,
  type RoadmapItem,
  type Task,
  tasksOf,
} from "./roadmap.js";
import { isOver, nextStatuses, type TaskStatus, type Version } from "./taskStatus.js";

/** An item that a planner adds to the roadmap: a task, or a phase with tasks. Tasks begin as Pending. */
export interface PlanItem {
  /** The item's text on one line, with a number if the item is to have one, as in `1.2. Move the parser`. */
  readonly text: string;
  /** The fields on lines below the item; each text becomes one line. */
  readonly fields?: ItemFields;
  readonly children?: readonly PlanItem[];
}

/** Texts by field. `undefined`: the item has no such line, or loses it. */
export type ItemFields = Readonly<Partial<Record<ItemField, string | undefined>>>;

/** An edit of a roadmap: spans of the text to replace, and the items that must be read then. */
interface RoadmapEdit {
  readonly changes: readonly Change[];
  readonly items: readonly ItemContent[];
}

/**
 * Gives a task another status: its status line and checkbox, its runner line, its fields, and the checkboxes of
 * the phases that it completes.
 *
 * @param items the items as earlier edits leave them
 * @param runner the runner of a task that becomes Locked
 * @param isForced whether the task may become that status from any other: a person may set a task back
 * @throws {UserError} if there is no such task, or if it cannot become that status
 */
export function setStatus(
  log: JobLog,
  items: readonly ItemContent[],
  {
    id,
    status,
    runner,
    fields = {},
    isForced = false,
  }: {
    id: string;
    status: TaskStatus;
    runner?: string;
    fields?: ItemFields;
    isForced?: boolean;
  },
  version: Version,
): RoadmapEdit {
  const { lines } = log;
  const task = log.tasks.find((one) => one.id === id);
  if (task === undefined)
    throw new UserError("roadmapTaskUnknown", "The roadmap has no task {id}.", { id });
  const isLegal = task.status && (isForced || nextStatuses(task.status, version).includes(status));
  if (!isLegal) {
    const now = task.status ?? task.statusLines[0]?.value ?? "";
    throw new UserError("taskStatusRefused", "Task {id} is {now}, so it cannot become {status}.", {
      id,
      now,
      status,
    });
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
  const texts = fieldTexts(fields);
  for (const [name, { row }] of task.fields) {
    const field = texts.find((one) => one.name === name);
    if (field !== undefined) changes.push(newValue(row, name, oneLine(fields[name] ?? ""), lines));
    else if (name in fields) changes.push(lines.replace(row, row + 1, []));
  }
  added.push(...texts.filter(({ name }) => !task.fields.has(name)).map(({ line }) => line));
  if (added.length > 0) changes.push(insertedBelow(task, added, lines));
  for (const phase of phasesAround(log.roadmap, id)) {
    const isDone = tasksOf(phase.children).every((one) =>
      isOver(one.id === id ? status : one.status),
    );
    if (isDone) changes.push(...box(phase, true, lines));
    else if (isForced) changes.push(...box(phase, false, lines));
  }
  const ofTask = runner ?? (status === "Pending" ? undefined : task.runner);
  const kept = new Map<ItemField, { readonly value: string }>(task.fields);
  for (const name of itemFields) if (name in fields) kept.delete(name);
  for (const { name, value } of texts) kept.set(name, { value });
  const after = { ...task, status, runner: ofTask, fields: kept };
  return { changes, items: items.with(log.items.indexOf(task), after) };
}

/**
 * Adds items to the end of a phase.
 *
 * @param phaseId the id of the phase; `undefined`: the end of the roadmap
 * @throws {UserError} if there is no such phase, or if an item has no text
 */
export function addItems(
  log: JobLog,
  phaseId: string | undefined,
  added: readonly PlanItem[],
): RoadmapEdit {
  if (added.length === 0) return { changes: [], items: log.items };
  const { lines } = log;
  const items: readonly ItemContent[] = log.items;
  if (phaseId === undefined) {
    return { changes: [insertedAtEnd(log, added)], items: [...items, ...contentOf(added)] };
  }
  const phase = log.items.find(({ id }) => id === phaseId);
  if (phase?.kind !== "phase")
    throw new UserError("phaseUnknown", "The roadmap has no phase {id}.", { id: phaseId });
  const last = phase.children.at(-1);
  const indent = last === undefined ? indentWithin(phase.item, lines) : indentOf(last, log);
  const around = [...phasesAround(log.roadmap, phaseId), phase];
  return {
    changes: [
      lines.insert(phase.end, planLines(added, indent, markerOf(last, log))),
      ...around.flatMap((one) => box(one, false, lines)),
    ],
    items: items.toSpliced(endOf(phase, log), 0, ...contentOf(added)),
  };
}

/** Inserts items behind the roadmap's last, or where the roadmap belongs if it has none. */
function insertedAtEnd(log: JobLog, items: readonly PlanItem[]): Change {
  const { lines, sections } = log;
  const last = log.roadmap.at(-1);
  if (last !== undefined) {
    return lines.insert(last.end, planLines(items, indentOf(last, log), markerOf(last, log)));
  }
  const added = planLines(items, "", "-");
  const { roadmapHeading, workLogHeading, workLog } = sections;
  if (roadmapHeading !== undefined) {
    const row = roadmapHeading.row + 1;
    const isEnd = row >= lines.count || lines.isBlank(row);
    return lines.insert(row, ["", ...added, ...(isEnd ? [] : [""])]);
  }
  const row = workLogHeading?.row ?? workLog[0]?.row ?? lines.count;
  const gap = row > 0 && !lines.isBlank(row - 1) ? [""] : [];
  const name = workLogHeading?.isChinese === true ? "工作计划" : "Roadmap";
  const behind = row < lines.count ? [""] : [];
  return lines.insert(row, [...gap, `## ${name}`, "", ...added, ...behind]);
}

/**
 * Replaces an item that contains no Locked and no Completed task by others, or by none.
 *
 * @throws {UserError} if it contains one, if there is no such item, or if its phase would be left empty
 */
export function replaceItem(log: JobLog, id: string, others: readonly PlanItem[]): RoadmapEdit {
  const { lines } = log;
  const item = log.items.find((one) => one.id === id);
  if (item === undefined)
    throw new UserError("roadmapItemUnknown", "The roadmap has no item {id}.", { id });
  const kept = tasksOf([item]).find(({ status }) => status === "Locked" || status === "Completed");
  if (kept !== undefined) {
    throw new UserError("taskKept", "Task {id} is {status}, so it stays in the roadmap.", {
      id: kept.id,
      status: kept.status ?? "",
    });
  }
  const added = planLines(others, indentOf(item, log), markerOf(item, log));
  const around = phasesAround(log.roadmap, id);
  if (others.length === 0 && around.at(-1)?.children.length === 1) {
    throw new UserError(
      "lastOfPhase",
      "{id} is the last item of its phase. Remove the phase instead.",
      { id },
    );
  }
  const items: readonly ItemContent[] = log.items;
  const at = items.indexOf(item);
  return {
    changes: [
      lines.replace(item.row, item.end, added),
      ...around.flatMap((phase) =>
        box(phase, isDoneWithout(item, phase) && others.length === 0, lines),
      ),
    ],
    items: items.toSpliced(at, endOf(item, log) - at, ...contentOf(others)),
  };
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

/** Returns a planned item and its children as they are to be read. */
function contentOf(items: readonly PlanItem[]): ItemContent[] {
  return items.flatMap(({ text, fields = {}, children = [] }): ItemContent[] => {
    const texts = new Map(fieldTexts(fields).map(({ name, value }) => [name, { value }]));
    const own = { text: oneLine(text), fields: texts };
    return children.length === 0
      ? [{ kind: "task", ...own, status: "Pending" }]
      : [{ kind: "phase", ...own }, ...contentOf(children)];
  });
}

/** Returns the fields that say something: each as a line, and the value that will be read from it. */
function fieldTexts(fields: ItemFields): { name: ItemField; line: string; value: string }[] {
  return itemFields.flatMap((name) => {
    const line = `${name}: ${oneLine(fields[name] ?? "")}`;
    const value = readLabelled(line)?.value ?? "";
    return value === "" ? [] : [{ name, line, value }];
  });
}

/** Returns the index in {@link JobLog.items} after an item and all that it contains. */
function endOf(item: RoadmapItem, log: JobLog): number {
  return log.items.indexOf(item) + everyItem([item]).length;
}

function isDoneWithout(item: RoadmapItem, phase: Phase): boolean {
  const gone = new Set(tasksOf([item]));
  return tasksOf(phase.children).every((task) => gone.has(task) || isOver(task.status));
}

/**
 * Returns the roadmap's lines for the items.
 *
 * @param indent the text before the items' markers
 * @param marker `-`, `*` or `+`
 * @throws {UserError} if an item has no text
 */
function planLines(items: readonly PlanItem[], indent: string, marker: string): string[] {
  return items.flatMap(({ text, fields = {}, children = [] }) => {
    const line = oneLine(text);
    if (line === "")
      throw new UserError("itemTextEmpty", "An item of the roadmap has no text. Give it one.");
    const below = `${indent}  `;
    const status = children.length === 0 ? ["status: Pending"] : [];
    const texts = fieldTexts(fields).map((field) => field.line);
    const own = [...status, ...texts].map((one) => `${below}${marker} ${one}`);
    return [`${indent}${marker} [ ] ${line}`, ...own, ...planLines(children, below, marker)];
  });
}

function indentOf(item: RoadmapItem, log: JobLog): string {
  return /^[\s>]*/.exec(log.lines.row(item.row))?.[0] ?? "";
}

/** Returns the indentation of lines within an item. */
function indentWithin(item: ListItem, lines: TextLines): string {
  return lines
    .row(item.row)
    .slice(0, item.column)
    .replace(/[^\s>]/g, " ");
}

function markerOf(item: RoadmapItem | undefined, log: JobLog): string {
  const row = item === undefined ? "" : log.lines.row(item.row);
  return /^[\s>]*([-*+])/.exec(row)?.[1] ?? "-";
}

/** Returns a row's indentation and its markers of quotes and lists. */
function rowPrefix(row: string): string {
  return /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*/.exec(row)?.[0] ?? "";
}

/** Replaces the value of a labelled line, and the label where it has another name. */
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
  const prefix = isUsable ? known : `${indentWithin(item, lines)}- `;
  const row = statusRow === undefined ? item.row + Math.max(1, item.lines.length) : statusRow + 1;
  return lines.insert(
    row,
    added.map((line) => prefix + line),
  );
}
