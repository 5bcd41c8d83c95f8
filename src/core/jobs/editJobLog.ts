import { UserError } from "../errors.js";
import { entryChange, fieldText } from "./entryChange.js";
import { type JobLog, progressOf, readJobLog } from "./jobLog.js";
import type { LogEdit } from "./logEdit.js";
import { oneLine, type PlanItem } from "./planItem.js";
import { everyItem, type RoadmapItem } from "./roadmap.js";
import { addedItems, replacedItem } from "./roadmapChanges.js";
import { taskChanges } from "./taskChanges.js";
import type { Version } from "./taskStatus.js";
import type { Change } from "./textLines.js";
import type { Entry } from "./workLog.js";

/**
 * The log after the edits, one upon the other. Every byte that is not the change is kept, and what was
 * made is read back: an edit that would change anything else is refused.
 *
 * Throws a {@link UserError} for one that is not legal, or that this document cannot take.
 */
export function editJobLog(log: JobLog, edits: readonly LogEdit[], version: Version): JobLog {
  return edits.reduce((before, edit) => {
    const after = readJobLog(before.lines.with(changesOf(before, edit, version)));
    const expected = expectedAfter(before, edit);
    if (!sameWork(factsOf(after), expected)) {
      const message = "The log cannot be edited in this place as it is. Mend it by hand:";
      throw new UserError(`${message} rooroo validate job-log says where.`);
    }
    return after;
  }, log);
}

function changesOf(log: JobLog, edit: LogEdit, version: Version): Change[] {
  const { matter } = log;
  switch (edit.type) {
    case "setStatus":
      return taskChanges(log, edit.task, edit.status, undefined, version);
    case "lock":
      return taskChanges(log, edit.task, "Locked", edit.runner, version);
    case "setTitle":
      return [matter.set("title", JSON.stringify(edit.title))];
    case "updateProgress":
      return [matter.set("progress", progressText(log))];
    case "addEntry":
      return [entryChange(log, edit.entry)];
    case "addItems":
      return edit.items.length === 0 ? [] : addedItems(log, edit.phase, edit.items);
    case "replaceItem":
      return replacedItem(log, edit.item, edit.items);
  }
}

/** A number stays a number. */
function progressText(log: JobLog): string {
  const percent = progressOf(log.tasks);
  const isShare = typeof log.matter.get("progress") === "number";
  return isShare ? String(percent / 100) : `"${percent}%"`;
}

/** What a log says, apart from how. */
interface Facts {
  readonly title: string | undefined;
  readonly progress: number | undefined;
  /** Of phases and tasks: text, kind, status and runner. */
  readonly items: readonly string[];
  readonly entries: readonly string[];
}

function factsOf(log: JobLog): Facts {
  return {
    ...{ title: log.title, progress: log.givenProgress },
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
    same(a.items, b.items) &&
    same(a.entries, b.entries)
  );
}

function expectedAfter(log: JobLog, edit: LogEdit): Facts {
  const facts = factsOf(log);
  switch (edit.type) {
    case "setStatus":
    case "lock": {
      const items = log.items.map((item, index) => {
        if (item.kind !== "task" || item.id !== edit.task) return facts.items[index] ?? "";
        const isFreed = edit.type === "setStatus" && edit.status === "Pending";
        const runner = edit.type === "lock" ? edit.runner : isFreed ? undefined : item.runner;
        const status = edit.type === "lock" ? "Locked" : edit.status;
        return itemFacts({ ...item, status, runner });
      });
      return { ...facts, items };
    }
    case "setTitle":
      return { ...facts, title: edit.title };
    case "updateProgress":
      return { ...facts, progress: progressOf(log.tasks) };
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

/** Behind the last of what an item holds, in {@link JobLog.items}. */
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
