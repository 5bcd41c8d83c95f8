import { CannotEdit, editDocument } from "../../documents/editDocument.js";
import type { Change } from "../../documents/textLines.js";
import { UserError } from "../../errors.js";
import type { JobName, TaskId } from "../../ids.js";
import {
  type JobLog,
  type LogContent,
  type LogNote,
  progressOf,
  readJobLog,
  saysTheSame,
} from "./jobLog.js";
import { oneLine } from "./outline.js";
import {
  addItems,
  type ItemFields,
  type PlanItem,
  replaceItem,
  setStatus,
} from "./roadmapEdits.js";
import { isOver, type TaskStatus, type Version } from "./taskStatus.js";
import {
  type EntryContent,
  fieldLines,
  fieldNames,
  fieldText,
  type Reason,
  type Result,
  type Role,
} from "./workLog.js";

/** A lifecycle's record. */
export interface NewEntry {
  readonly jobName: JobName;
  /** The lifecycle's start, as the entry has it. */
  readonly time: string;
  readonly role: Role;
  /** A runner's objective names its task: `Task 1.2. Move the parser`. */
  readonly objective: string;
  readonly result: Result;
  readonly reason?: Reason | undefined;
  /** The files that it changed, for people. */
  readonly changes?: string | undefined;
  /** What the user said to the runner while it worked. */
  readonly said?: string | undefined;
  /** The outcomes of the job's check and of the task's review, in words for people. */
  readonly check?: string | undefined;
  readonly review?: string | undefined;
  /** The usage, in words for people. */
  readonly usage?: string | undefined;
  readonly session?: TaskId | undefined;
  /** May have several lines. */
  readonly summary: string;
}

/** An edit of a log. Tasks and phases are named by their ids. */
export type LogEdit =
  | {
      readonly type: "setStatus";
      readonly task: string;
      readonly status: Exclude<TaskStatus, "Locked">;
      readonly fields?: ItemFields;
    }
  | {
      readonly type: "lock";
      readonly task: string;
      readonly runner: string;
      readonly fields?: ItemFields;
    }
  /** Lets a task wait for the answer to a question: it is not tried before, and its attempts count anew then. */
  | { readonly type: "park"; readonly task: string; readonly question: string }
  /** Sets a task back whose changes a person has undone. */
  | { readonly type: "reopen"; readonly task: string }
  | { readonly type: "setTitle"; readonly title: string }
  /** Sets a note that code keeps in the front matter. */
  | { readonly type: "note"; readonly key: LogNote; readonly value: string }
  /** Sets the progress to what the tasks say: only code counts it. */
  | { readonly type: "updateProgress" }
  | { readonly type: "addEntry"; readonly entry: NewEntry }
  /** Adds items to the end of a phase, or of the roadmap. */
  | { readonly type: "addItems"; readonly phase?: string; readonly items: readonly PlanItem[] }
  /** Takes an item out of the plan, and puts others, or none, in its place. */
  | { readonly type: "replaceItem"; readonly item: string; readonly items: readonly PlanItem[] };

/** The outcome of planning an edit: the spans of the log's text to replace, and the content that must be read then. */
interface PlannedEdit {
  readonly changes: readonly Change[];
  readonly content: LogContent;
}

/**
 * Returns the log after the edits, applied in order; see {@link editDocument}.
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

/**
 * Returns the log with changes made in its text.
 *
 * @param content what the log must say then
 * @throws {CannotEdit} if it would say anything else
 */
export function changedLog(log: JobLog, changes: readonly Change[], content: LogContent): JobLog {
  return editDocument(log.lines.text, changes, {
    read: readJobLog,
    isExpected: (after) => saysTheSame(after, content),
    refusal,
  });
}

function refusal(): CannotEdit {
  return new CannotEdit(
    "logUneditable",
    "The log cannot be edited in this place as it is. Fix it by hand: rooroo validate job-log says where.",
  );
}

/** Does the same as {@link editJobLog} for edits of different places, and reads the result back only once. */
function edited(before: JobLog, edits: readonly LogEdit[], version: Version): JobLog {
  let content: LogContent = before;
  const changes = edits.map((edit) => {
    const planned = plan(before, edit, content, version);
    content = planned.content;
    return planned.changes;
  });
  if (touch(changes)) throw refusal();
  return changedLog(before, changes.flat(), content);
}

/**
 * Plans one edit.
 *
 * @param content what the log says after the edits before this one
 * @throws {UserError} if the edit is not legal
 */
function plan(log: JobLog, edit: LogEdit, content: LogContent, version: Version): PlannedEdit {
  const { matter } = log;
  switch (edit.type) {
    case "setStatus":
    case "lock": {
      const { fields = {} } = edit;
      const to =
        edit.type === "lock"
          ? { id: edit.task, status: "Locked" as const, runner: edit.runner, fields }
          : { id: edit.task, status: edit.status, fields };
      const { changes, items } = setStatus(log, content.items, to, version);
      return { changes, content: { ...content, items } };
    }
    case "park": {
      const fields = { "waits for": edit.question, attempts: undefined };
      const isPending = log.tasks.find(({ id }) => id === edit.task)?.status === "Pending";
      const to = { id: edit.task, status: "Pending", fields, isForced: isPending } as const;
      const { changes, items } = setStatus(log, content.items, to, version);
      return { changes, content: { ...content, items } };
    }
    case "reopen": {
      const fields = { attempts: undefined, "waits for": undefined };
      const to = { id: edit.task, status: "Pending", fields, isForced: true } as const;
      const { changes, items } = setStatus(log, content.items, to, version);
      return { changes, content: { ...content, items } };
    }
    case "addItems": {
      const { changes, items } = addItems(log, edit.phase, edit.items);
      return { changes, content: { ...content, items } };
    }
    case "replaceItem": {
      const { changes, items } = replaceItem(log, edit.item, edit.items);
      return { changes, content: { ...content, items } };
    }
    case "setTitle": {
      const { title } = edit;
      return { changes: [matter.set("title", title)], content: { ...content, title } };
    }
    case "note": {
      const { key, value } = edit;
      const notes = { ...content.notes, [key]: value };
      return { changes: [matter.set(key, value)], content: { ...content, notes } };
    }
    case "updateProgress": {
      const percent = progressOf(content.items);
      // The notation stays: a number remains a share, a percentage a percentage.
      const isShare = typeof matter.get("progress") === "number";
      const change = matter.set("progress", isShare ? percent / 100 : `${percent}%`);
      return { changes: [change], content: { ...content, givenProgress: percent } };
    }
    case "addEntry": {
      const entry = contentOf(edit.entry);
      const entries = [entry, ...content.entries];
      return { changes: [addEntry(log, entry)], content: { ...content, entries } };
    }
  }
}

/** Returns an entry as it is to be read. */
function contentOf(entry: NewEntry): EntryContent {
  const { role, result } = entry;
  const heading = { name: oneLine(entry.jobName), time: oneLine(entry.time) };
  const fields = new Map(
    fieldNames.flatMap((name) => {
      const value = fieldText(entry[name] ?? "");
      const isNeeded = ["role", "objective", "result", "summary"].includes(name);
      return value !== "" || isNeeded ? [[name, { value }] as const] : [];
    }),
  );
  return { role, result, heading, fields };
}

/** Inserts an entry before all others, and begins the section where there is none. */
function addEntry(log: JobLog, { heading: title, fields }: EntryContent): Change {
  const { lines, sections, entries } = log;
  const { workLogHeading: heading, workLog, roadmapHeading } = sections;
  const level = workLog.find((block) => block.kind === "heading")?.level;
  const marks = "#".repeat(Math.min(6, level ?? (heading?.level ?? 2) + 1));
  const numbers = entries.map((one) => one.heading?.number ?? 0);
  const number = numbers.reduce((most, one) => Math.max(most, one), entries.length) + 1;
  const own = [
    `${marks} Log ${number} @${title?.name ?? ""} (${title?.time ?? ""})`,
    "",
    ...fieldLines(fields),
  ];
  const section = roadmapHeading?.isChinese === true ? "## 工作日志" : "## Work Log";
  const first = workLog[0];
  if (first !== undefined) {
    const begin = heading === undefined && first.kind !== "heading" ? [section, ""] : [];
    return lines.insert(first.row, [...begin, ...own, ""]);
  }
  if (heading !== undefined) {
    const row = heading.row + 1;
    const isEnd = row >= lines.count || lines.isBlank(row);
    return lines.insert(row, ["", ...own, ...(isEnd ? [] : [""])]);
  }
  const gap = lines.count > 0 && !lines.isBlank(lines.count - 1) ? [""] : [];
  return lines.insert(lines.count, [...gap, section, "", ...own]);
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

function statusAfter(edit: LogEdit): { task: string; status: TaskStatus } | undefined {
  if (edit.type === "setStatus") return edit;
  if (edit.type === "park" || edit.type === "reopen") return { task: edit.task, status: "Pending" };
  return edit.type === "lock" ? { task: edit.task, status: "Locked" } : undefined;
}

/** Returns whether changes of different edits overlap, so that one would depend on the other's result. */
function touch(changes: readonly (readonly Change[])[]): boolean {
  const all = changes.flatMap((made, edit) => made.map(({ start, end }) => ({ start, end, edit })));
  const ordered = all.sort((a, b) => a.start - b.start);
  return ordered.some(({ start, edit }, index) => {
    const before = ordered[index - 1];
    return before !== undefined && before.edit !== edit && start <= before.end;
  });
}
