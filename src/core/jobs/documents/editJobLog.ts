import { UserError } from "../../errors.js";
import { CannotEdit } from "./cannotEdit.js";
import { entryChange, fieldText } from "./entryChange.js";
import { type JobLog, progressOf, readJobLog } from "./jobLog.js";
import { type LogEdit, logNotes } from "./logEdit.js";
import { oneLine, type PlanItem } from "./planItem.js";
import { everyItem, type RoadmapItem, type Task } from "./roadmap.js";
import { addedItems, replacedItem } from "./roadmapChanges.js";
import { taskChanges } from "./taskChanges.js";
import { isOver, type TaskStatus, type Version } from "./taskStatus.js";
import type { Change } from "../../documents/textLines.js";
import type { Entry } from "./workLog.js";

/** Whether two logs have the same work in the same state, however it is written. */
export function saysTheSame(a: JobLog, b: JobLog): boolean {
  return sameWork(factsOf(a), factsOf(b));
}

/**
 * Returns the log after the edits, applied in order. Every byte outside the change is kept. The result is
 * read back, and an edit that would change anything else is rejected.
 *
 * @throws {UserError} for an edit that is not legal
 * @throws {CannotEdit} for an edit that cannot be made in this document
 */
export function editJobLog(log: JobLog, edits: readonly LogEdit[], version: Version): JobLog {
  return inGroups(edits).reduce((before, group) => {
    try {
      return edited(before, group, version);
    } catch (error) {
      if (!(error instanceof UserError) || group.length === 1) throw error;
      // One edit may block another in this document; if not, the error names the edit that cannot be made.
      return group.reduce((one, edit) => edited(one, [edit], version), before);
    }
  }, log);
}

/** Does the same as {@link editJobLog} for edits of different places, and reads the result back only once. */
function edited(before: JobLog, edits: readonly LogEdit[], version: Version): JobLog {
  let [expected, tasks] = [factsOf(before), before.tasks];
  const changes = edits.map((edit) => {
    const made = changesOf(before, edit, tasks, version);
    expected = expectedAfter(before, edit, expected, tasks);
    const of = statusAfter(edit);
    if (of !== undefined) {
      tasks = tasks.map((task) => (task.id === of.task ? { ...task, status: of.status } : task));
    }
    return made;
  });
  if (touch(changes)) throw new CannotEdit();
  const after = readJobLog(before.lines.with(changes.flat()));
  if (!sameWork(factsOf(after), expected)) throw new CannotEdit();
  return after;
}

/** Splits the edits into groups in which no edit changes or reads a place that another one changes. */
function inGroups(edits: readonly LogEdit[]): LogEdit[][] {
  const groups: LogEdit[][] = [];
  for (const edit of edits) {
    const group = groups.at(-1);
    if (group?.every((one) => areApart(one, edit)) === true) group.push(edit);
    else groups.push([edit]);
  }
  return groups;
}

function areApart(one: LogEdit, other: LogEdit): boolean {
  const reorder = ["addItems", "replaceItem"];
  if (reorder.includes(one.type) || reorder.includes(other.type)) return false;
  // Two finished tasks may complete their phase together.
  const [first, second] = [statusAfter(one), statusAfter(other)];
  if (first !== undefined && second !== undefined) {
    return first.task !== second.task && !(isOver(first.status) && isOver(second.status));
  }
  if (one.type !== other.type) return true;
  return one.type === "note" && other.type === "note" && one.key !== other.key;
}

/** Whether changes of different edits overlap, so that one would depend on the other's result. */
function touch(changes: readonly Change[][]): boolean {
  const all = changes.flatMap((made, edit) => made.map(({ start, end }) => ({ start, end, edit })));
  const ordered = all.sort((a, b) => a.start - b.start);
  return ordered.some(({ start, edit }, index) => {
    const before = ordered[index - 1];
    return before !== undefined && before.edit !== edit && start <= before.end;
  });
}

function statusAfter(edit: LogEdit): { task: string; status: TaskStatus } | undefined {
  if (edit.type === "setStatus") return edit;
  return edit.type === "lock" ? { task: edit.task, status: "Locked" } : undefined;
}

/** @param tasks the tasks after the edits before this one */
function changesOf(log: JobLog, edit: LogEdit, tasks: readonly Task[], version: Version): Change[] {
  const { matter } = log;
  switch (edit.type) {
    case "setStatus":
      return taskChanges(log, edit.task, edit.status, undefined, version);
    case "lock":
      return taskChanges(log, edit.task, "Locked", edit.runner, version);
    case "setTitle":
      return [matter.set("title", edit.title)];
    case "note":
      return [matter.set(edit.key, edit.value)];
    case "updateProgress":
      return [matter.set("progress", progressText(log, tasks))];
    case "addEntry":
      return [entryChange(log, edit.entry)];
    case "addItems":
      return edit.items.length === 0 ? [] : addedItems(log, edit.phase, edit.items);
    case "replaceItem":
      return replacedItem(log, edit.item, edit.items);
  }
}

/** Keeps the notation: a number stays a number, a percentage a percentage. */
function progressText(log: JobLog, tasks: readonly Task[]): string | number {
  const percent = progressOf(tasks);
  const isShare = typeof log.matter.get("progress") === "number";
  return isShare ? percent / 100 : `${percent}%`;
}

/** The content of a log, apart from its formatting. */
interface Facts {
  readonly title: string | undefined;
  readonly progress: number | undefined;
  readonly notes: JobLog["notes"];
  /** Text, kind, status and runner of each phase and task. */
  readonly items: readonly string[];
  readonly entries: readonly string[];
}

function factsOf(log: JobLog): Facts {
  return {
    title: log.title,
    progress: log.givenProgress,
    notes: log.notes,
    items: log.items.map((item) => itemFacts(item)),
    entries: log.entries.map((entry) => entryFacts(entry)),
  };
}

function sameWork(a: Facts, b: Facts): boolean {
  const same = (one: readonly string[], other: readonly string[]) =>
    one.length === other.length && one.every((text, index) => text === other[index]);
  return (
    a.title === b.title &&
    a.progress === b.progress &&
    logNotes.every((key) => a.notes[key] === b.notes[key]) &&
    same(a.items, b.items) &&
    same(a.entries, b.entries)
  );
}

/** @param tasks the tasks after the edits before this one */
function expectedAfter(log: JobLog, edit: LogEdit, facts: Facts, tasks: readonly Task[]): Facts {
  switch (edit.type) {
    case "setStatus":
    case "lock": {
      const at = log.items.findIndex((item) => item.kind === "task" && item.id === edit.task);
      const item = log.items[at];
      if (item?.kind !== "task") return facts;
      const isFreed = edit.type === "setStatus" && edit.status === "Pending";
      const runner = edit.type === "lock" ? edit.runner : isFreed ? undefined : item.runner;
      const status = edit.type === "lock" ? "Locked" : edit.status;
      return { ...facts, items: facts.items.with(at, itemFacts({ ...item, status, runner })) };
    }
    case "setTitle":
      return { ...facts, title: edit.title };
    case "note":
      return { ...facts, notes: { ...facts.notes, [edit.key]: edit.value } };
    case "updateProgress":
      return { ...facts, progress: progressOf(tasks) };
    case "addEntry": {
      const { entry } = edit;
      const added = [entry.role, entry.result, oneLine(entry.jobName), oneLine(entry.time)];
      const texts = [entry.role, entry.objective, entry.result, entry.summary].map(fieldText);
      return { ...facts, entries: [JSON.stringify([...added, ...texts]), ...facts.entries] };
    }
    case "addItems": {
      const phase = log.items.find(({ id }) => id === edit.phase);
      const at = phase === undefined ? log.items.length : endOf(phase, log);
      return { ...facts, items: facts.items.toSpliced(at, 0, ...plannedFacts(edit.items)) };
    }
    case "replaceItem": {
      const at = log.items.findIndex(({ id }) => id === edit.item);
      const item = log.items[at];
      const length = item === undefined ? 0 : endOf(item, log) - at;
      return { ...facts, items: facts.items.toSpliced(at, length, ...plannedFacts(edit.items)) };
    }
  }
}

/** Returns the index in {@link JobLog.items} after an item and all that it contains. */
function endOf(item: RoadmapItem, log: JobLog): number {
  return log.items.indexOf(item) + everyItem([item]).length;
}

function itemFacts(
  item: Pick<RoadmapItem, "kind" | "text"> & { status?: unknown; runner?: unknown },
): string {
  const { kind, text, status, runner } = item;
  return JSON.stringify([kind, text, status, runner]);
}

function plannedFacts(items: readonly PlanItem[]): string[] {
  return items.flatMap(({ text, children = [] }) => {
    const own = oneLine(text);
    if (children.length === 0) return [itemFacts({ kind: "task", text: own, status: "Pending" })];
    return [itemFacts({ kind: "phase", text: own }), ...plannedFacts(children)];
  });
}

function entryFacts({ role, result, heading, fields }: Entry): string {
  const texts = (["role", "objective", "result", "summary"] as const).map(
    (name) => fields.get(name)?.value ?? "",
  );
  return JSON.stringify([role, result, heading?.name, heading?.time, ...texts]);
}
