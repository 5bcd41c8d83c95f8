import type { TextLines } from "../../documents/textLines.js";
import type { TaskId } from "../../ids.js";
import type { ListItem } from "./block.js";
import { readLabelled } from "./outline.js";
import type { Task } from "./roadmap.js";

export const results = ["Succeeded", "Failed", "Pending", "Cancelled"] as const;
export type Result = (typeof results)[number];

export const roles = ["Planner", "Runner"] as const;
export type Role = (typeof roles)[number];

export interface EntryHeading {
  readonly number: number | undefined;
  /** The job's name, in the form of heading that has one. */
  readonly name: string | undefined;
  readonly time: string;
  /** The runner, in the form of heading that has one. */
  readonly runner: string | undefined;
}

/**
 * The fields of an entry: the protocol's four, and those that code adds (the reason why work is Pending, what the
 * user said to the runner, the changed files, the outcomes of check and review, the usage, and the session, whose folder is `.rooroo/tasks/SESSION`).
 */
export const fieldNames = [
  "role",
  "objective",
  "result",
  "reason",
  "said",
  "changes",
  "check",
  "review",
  "usage",
  "session",
  "summary",
] as const;
export type FieldName = (typeof fieldNames)[number];

/** The reasons for which a lifecycle ends without having done its work, in the words of the log. */
const reasons = [
  /** Something stands in the way, as the runner says. */
  "blocked",
  /** The runner stopped before the end, and nothing stands in the way. */
  "unfinished",
  /** A question was asked, and work goes on by a default plan. */
  "asked",
  "out of turns",
  /** Too many calls or replies in a row came to nothing. */
  "no progress",
  /** The submissions were rejected until the turns were used up. */
  "refused",
  "stopped",
  "model failed",
  /** Nobody was there to approve what the work needs. */
  "needs approval",
  /** The task was taken from the runner, or changed by hand. */
  "taken over",
  /** The submission did not fit the log any more. */
  "outdated",
  /** A person has undone the task's changes. */
  "undone",
] as const;
export type Reason = (typeof reasons)[number];

/** The content of an entry, apart from its formatting. Fields with unknown values are `undefined`. */
export interface EntryContent {
  readonly role: Role | undefined;
  readonly result: Result | undefined;
  /** `undefined` if the entry has no heading, or one that cannot be read. */
  readonly heading: Pick<EntryHeading, "name" | "time"> | undefined;
  /** The fields of the entry, by name, trimmed. */
  readonly fields: ReadonlyMap<FieldName, { readonly value: string }>;
}

/** The record of one lifecycle. */
export interface Entry extends EntryContent {
  readonly row: number;
  readonly heading: EntryHeading | undefined;
  readonly fields: ReadonlyMap<FieldName, { readonly row: number; readonly value: string }>;
}

/** Reads `Log 2 @Name (time)`, `Log-11 @ time for runner`, `Log @ time for runner`, `@Name (time)`. */
export function readEntryHeading(text: string): EntryHeading | undefined {
  const at = text.indexOf("@");
  if (at < 0) return undefined;
  const before = /^(?:log[\s#-]*(\d*))?$/i.exec(text.slice(0, at).trim());
  if (!before) return undefined;
  const number = before[1] ? Number(before[1]) : undefined;
  const rest = text.slice(at + 1).trim();
  const bracket = lastBracket(rest);
  if (bracket > 0) {
    const name = rest.slice(0, bracket).trim();
    return { number, name, time: rest.slice(bracket + 1, -1).trim(), runner: undefined };
  }
  const by = rest.lastIndexOf(" for ");
  if (by < 0) return undefined;
  const runner = rest.slice(by + 5).trim();
  return { number, name: undefined, time: rest.slice(0, by).trim(), runner };
}

/**
 * Returns the index of the bracket that the text's last character closes, or -1; names and times may contain
 * brackets.
 */
function lastBracket(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0 && text.endsWith(")"); at--) {
    if (text[at] === ")") depth++;
    else if (text[at] === "(" && --depth === 0) return at;
  }
  return -1;
}

/**
 * Reads an entry.
 *
 * @param items the list items of the entry, of which those that begin with a field's name are fields
 */
export function entryOf(
  {
    row,
    heading,
    items,
  }: {
    readonly row: number;
    readonly heading: EntryHeading | undefined;
    readonly items: readonly ListItem[];
  },
  lines: TextLines,
): Entry {
  const fields = new Map<FieldName, { row: number; value: string }>();
  for (const item of items) {
    const label = readLabelled(item.lines[0] ?? "");
    const name = fieldNamed(label?.name);
    if (name === undefined || fields.has(name)) continue;
    fields.set(name, { row: item.row, value: valueOf(item, label?.behind ?? 0, lines) });
  }
  const role = known(roles, fields.get("role")?.value);
  return { row, heading, role, result: readResult(fields.get("result")?.value), fields };
}

/** Returns the field of an entry that an item is; `undefined` if it is none. */
export function fieldOf(item: ListItem): FieldName | undefined {
  return fieldNamed(readLabelled(item.lines[0] ?? "")?.name);
}

function fieldNamed(name: string | undefined): FieldName | undefined {
  return fieldNames.find((field) => field === name);
}

/**
 * Returns the text after the label, and the item's other lines without its indentation.
 *
 * @param behind the offset in the item's first line after the label
 */
function valueOf(item: ListItem, behind: number, lines: TextLines): string {
  const more = Array.from({ length: item.end - item.row - 1 }, (_, index) => {
    const row = lines.row(item.row + 1 + index);
    const indent = row.length - row.trimStart().length;
    return row.slice(Math.min(indent, item.column));
  });
  const first = lines.row(item.row).slice(item.column + behind);
  return [first, ...more].join("\n").trim();
}

function readResult(given: string | undefined): Result | undefined {
  // Version 1 names a success like the task's status.
  return given?.toLowerCase() === "completed" ? "Succeeded" : known(results, given);
}

function known<T extends string>(all: readonly T[], given: string | undefined): T | undefined {
  return all.find((one) => one.toLowerCase() === given?.toLowerCase());
}

/**
 * Returns the lines of an entry's fields.
 *
 * @param fields texts by name; further lines are indented, so that none of them can end the list item
 */
export function fieldLines(fields: ReadonlyMap<FieldName, { readonly value: string }>): string[] {
  return [...fields].flatMap(([name, { value }]) => {
    const [first = "", ...more] = fieldText(value).split("\n");
    const label = `- **${name.charAt(0).toUpperCase()}${name.slice(1)}**:`;
    return [
      first === "" ? label : `${label} ${first}`,
      ...more.map((line) => (line === "" ? "" : `  ${line}`)),
    ];
  });
}

/** Returns a field's text as it will be read back: trimmed, with one kind of line end. */
export function fieldText(value: string): string {
  return value
    .trim()
    .split(/\r\n?|\n/)
    .map((line) => (line.trim() === "" ? "" : line))
    .join("\n");
}

/** Finds the task that an entry's objective names, as in `Task 1.2. Move the parser`. */
class NamedTasks {
  private readonly byNumber = new Map<string, Task>();
  private titles: ReadonlyMap<string, Task> | undefined;

  constructor(private readonly tasks: readonly Task[]) {
    for (const task of tasks.toReversed()) {
      if (task.number !== undefined) this.byNumber.set(task.number, task);
    }
  }

  private get byTitle(): ReadonlyMap<string, Task> {
    // Most entries name their task by its number.
    return (this.titles ??= new Map(
      this.tasks.toReversed().map((task) => [plain(task.title), task] as const),
    ));
  }

  /** @param objective an entry's objective, or the part of it that names the task */
  of(objective: string): Task | undefined {
    const words = objective.replace(/^[\s*_`]*(?:task\b|任务)?[\s:：#*_`]*/i, "");
    const number = /^\d+(?:\.\d+)*/.exec(words)?.[0];
    const numbered = number === undefined ? undefined : this.byNumber.get(number);
    return numbered ?? this.byTitle.get(plain(words.replace(/^[\d.]+[)、:：]?\s*/, "")));
  }
}

/**
 * Returns the newest runner's entry for each of these tasks, in one pass. `isReplanned`: a plan was made after it.
 *
 * @param log has all tasks: an entry of another one may have the same title
 */
export function newestEntries(
  wanted: readonly Task[],
  log: { readonly tasks: readonly Task[]; readonly entries: readonly Entry[] },
): Map<Task, { readonly entry: Entry; readonly isReplanned: boolean }> {
  const named = new NamedTasks(log.tasks);
  const missing = new Set(wanted);
  const newest = new Map<Task, { entry: Entry; isReplanned: boolean }>();
  let isReplanned = false;
  for (const entry of log.entries) {
    if (missing.size === 0) break;
    if (entry.role === "Planner") {
      // A later plan supersedes an older entry, since entries never change.
      if (entry.result === "Succeeded") isReplanned = true;
      continue;
    }
    const task = named.of(objectiveOf(entry));
    if (task !== undefined && missing.delete(task)) newest.set(task, { entry, isReplanned });
  }
  return newest;
}

/** Returns the id of an entry's session, as code writes it; `undefined` if there is none. */
export function sessionOf({ fields }: EntryContent): TaskId | undefined {
  const id = fields.get("session")?.value;
  return id !== undefined && /^ROO#JOB_\w+$/.test(id) ? id : undefined;
}

/** Returns the sessions of all runners' entries, the newest first: also those of tasks that a plan has replaced. */
export function runnerSessions(entries: readonly Entry[]): TaskId[] {
  const ofRunners = entries.filter(({ role }) => role === "Runner");
  return [...new Set(ofRunners.flatMap((entry) => sessionOf(entry) ?? []))];
}

/**
 * Returns the task that each runner's entry is about, the newest first, and the one that each undo is about. Entries of
 * tasks that are not in the roadmap are left out.
 */
export function taskOfEntries({
  tasks,
  entries,
}: {
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
}): Map<Entry, Task> {
  const named = new NamedTasks(tasks);
  const found = new Map<Entry, Task>();
  for (const entry of entries) {
    const isUndo = reasonOf(entry) === "undone";
    if (entry.role !== "Runner" && !isUndo) continue;
    const objective = objectiveOf(entry);
    const task = named.of(isUndo ? objective.replace(/^undo\s+/i, "") : objective);
    if (task !== undefined) found.set(entry, task);
  }
  return found;
}

/** Returns the sessions of the runners' entries for each task, the newest first. */
export function sessionsByTask(log: {
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
}): Map<Task, TaskId[]> {
  const sessions = new Map<Task, TaskId[]>();
  for (const [entry, task] of taskOfEntries(log)) {
    const id = entry.role === "Runner" ? sessionOf(entry) : undefined;
    if (id !== undefined) sessions.set(task, [...(sessions.get(task) ?? []), id]);
  }
  return sessions;
}

function objectiveOf({ fields }: EntryContent): string {
  return fields.get("objective")?.value ?? "";
}

function plain(text: string): string {
  return text.replace(/[*_`]/g, "").trim().toLowerCase();
}

/** Returns the reason that code wrote into an entry; `undefined` if there is none. */
export function reasonOf({ fields }: EntryContent): Reason | undefined {
  return known(reasons, fields.get("reason")?.value);
}

/** The kind of summary that a Pending task has. */
export interface SummaryKind {
  /** A blocker needs another plan; a pause needs only another lifecycle. */
  readonly kind: "blocker" | "pause";
  /** `false` if the words fit both kinds, or neither. */
  readonly isCertain: boolean;
}

const blocker =
  /clarif|\bblock(ed|er|ing)\b|dependenc|\bneeds? (input|access|permission|approval|a decision|credentials)|\bmissing\b|\bcannot\b|\bunable to\b|澄清|阻塞|依赖|缺少|无法/i;
const pause =
  /quota|\bout of\b.{0,20}\bturns\b|in progress|\bresum|\bpaus|\bcontinu(e|ed)\b|\bto be continued\b|额度|进行中|继续|暂停|未完成/i;

/** Tells why the work of an entry was left Pending: by its reason or, where it has none, by its summary's words. */
export function pendingKind(entry: EntryContent): SummaryKind {
  const reason = reasonOf(entry);
  if (reason === undefined) return summaryKind(entry.fields.get("summary")?.value ?? "");
  return { kind: reason === "blocked" ? "blocker" : "pause", isCertain: true };
}

/**
 * Judges a summary by its words: those of logs that other programs or people have written. In doubt it is a pause: a runner that is still blocked says so again, while
 * a plan that was changed for nothing stays changed.
 */
export function summaryKind(summary: string): SummaryKind {
  const [isBlocker, isPause] = [blocker.test(summary), pause.test(summary)];
  return { kind: isBlocker && !isPause ? "blocker" : "pause", isCertain: isBlocker !== isPause };
}
