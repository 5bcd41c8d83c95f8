import * as z from "zod";
import type { TaskId } from "../ids.js";
import { joined } from "../text/joined.js";
import { translatable } from "../text/translator.js";
import { type Said, words } from "../text/words.js";
import { CannotEdit, editDocument } from "./editDocument.js";
import { issueWords } from "./issueWords.js";
import { jsonFault } from "./jsonFault.js";
import { parseJsonLine, toJsonLine } from "./jsonLines.js";
import { jsonValueEnd } from "./jsonValueEnd.js";
import { meantWord } from "./meant/meantWord.js";
import { type Json, parseJson } from "./parseJson.js";
import type { Change } from "./textLines.js";

/** A task that waits in `.rooroo/queue.jsonl` (R-ROO-25). */
export interface QueueEntry {
  readonly taskId: TaskId;
  readonly parentTaskId: TaskId | null;
  /** The expert's slug, as in `rooroo-developer`. */
  readonly mode: string;
  /** Workspace path of the task's context file. */
  readonly contextPath: string;
  /** Empty if the line has none: the context file says it then. */
  readonly goal: string;
  readonly planId: string | null;
  /** `false`: the queue stops before this task until the user says Proceed. */
  readonly autoProceed: boolean;
  /** The line itself says that the task has ended. */
  readonly ended?: true;
}

interface LinePlace {
  /** The number of its first line, 1-based. */
  readonly line: number;
  /** The characters of its line, or of all lines of an object that has several, including the line ends. */
  readonly raw: string;
}

export type QueueLine = LinePlace &
  (
    | { readonly kind: "task"; readonly entry: QueueEntry }
    /**
     * `isJson`: the line is a JSON object, but no task that can run. The reason is found out when it is asked for: of many
     * odd lines few are told.
     */
    | { readonly kind: "problem"; readonly reason: Said; readonly isJson: boolean }
    /** Says the same as a line further up, with which it leaves the queue. */
    | { readonly kind: "repeat" }
    | { readonly kind: "blank" }
  );

/**
 * Matches a task id: whatever can be the name of a folder on each system, and one word in a command. Ids become folder
 * names, so none of them may lead out of the tasks' folder. One with other letters than English ones is shorter, because
 * the name of its lock spells them out.
 */
export const taskIdPattern =
  /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))(?=[!-~]{1,120}$|.{1,32}$)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_#.+@=-]*[\p{L}\p{M}\p{N}_#+@=-])?$/iu;

/** The names that tools give to a line's fields, in lower case and without signs: those of R-ROO-25 first. */
const fieldNames = {
  taskId: ["taskid", "id"],
  parentTaskId: ["parenttaskid"],
  suggested_mode: ["suggestedmode", "mode"],
  context_file_path: ["contextfilepath", "contextfile", "contextpath"],
  goal_for_expert: ["goalforexpert", "goal"],
  plan_id: ["planid"],
  auto_proceed_plan: ["autoproceedplan", "autoproceed"],
  status: ["status"],
} as const;

/** The names of R-ROO-25 as {@link fieldNames} has them: most lines have no others. */
const ownNames: ReadonlyMap<string, string> = new Map(
  Object.entries(fieldNames).map(([name, [plain]]) => [name, plain]),
);

const optionalText = z.string().nullish().catch(null);
const queueLine = z.object({
  taskId: z
    .string()
    .regex(taskIdPattern, translatable("is not a task id such as ROO#TASK_20260102030405_AB12CD")),
  parentTaskId: optionalText,
  suggested_mode: z.string().min(1),
  context_file_path: optionalText,
  goal_for_expert: z.string().nullish(),
  plan_id: optionalText,
  auto_proceed_plan: z.union([z.boolean(), z.stringbool()]).nullish().catch(null),
  status: optionalText,
});

/** Returns the slug of the expert that a name means; `undefined` if there is none. */
export type ExpertNamed = (name: string) => string | undefined;

/** Takes every name for an expert's slug: for whoever only looks, or writes lines back. */
export const anyExpert: ExpertNamed = (name) => name;

/** The statuses, in any words for them, by which a line says that its task has ended and is not wanted again. */
const endStatuses = ["Done", "Skipped"];

/**
 * Returns a line's fields under their names of R-ROO-25, whatever its writer calls them, without white space around
 * texts. Of several for one field, the first that says something counts. Other values come back as they are.
 */
function fieldsOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const given = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    const known = ownNames.get(name) ?? plainName(name);
    const text = typeof field === "string" ? field.trim() : (field as unknown);
    if (text !== "" && text !== null && !given.has(known)) given.set(known, text);
  }
  const fields: Record<string, unknown> = {};
  for (const [name, names] of Object.entries(fieldNames)) {
    const found = names.find((one) => given.has(one));
    if (found !== undefined) fields[name] = given.get(found);
  }
  return fields;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/** The most characters of an object that stands on several lines. */
const longestObject = 64_000;

/**
 * Splits a text into its items without losing a character: joined, they are the text again. An item is a line, or the
 * lines of an object that has several.
 */
function* splitItems(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const end = objectEnd(text, start) ?? lineEnd(text, start);
    yield text.slice(start, end);
    start = end;
  }
}

/** Returns the offset behind the line that begins at `start`, its end included. */
function lineEnd(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline < 0 ? text.length : newline + 1;
}

/**
 * Returns the offset behind the last line of an object that has several lines and begins at `start`; `undefined` if there
 * is none. Another line that begins with a brace ends it: so a torn line does not take its neighbours along.
 */
function objectEnd(text: string, start: number): number | undefined {
  const brace = start === 0 ? contentStart(text) : start;
  if (text[brace] !== "{") return undefined;
  const first = lineEnd(text, start);
  // Most lines hold a whole object, and need not be parsed to find that out.
  if (first === text.length || text[first] === "{") return undefined;
  if (parseJsonLine(meaningOf(text.slice(start, first))).ok) return undefined;
  const next = text.indexOf("\n{", first - 1);
  const rest = text.slice(brace, Math.min(next < 0 ? text.length : next, brace + longestObject));
  const length = jsonValueEnd(rest, 0);
  if (length === undefined) return undefined;
  const end = lineEnd(text, brace + length - 1);
  return end > first && parseItem(meaningOf(text.slice(start, end))).ok ? end : undefined;
}

/** Returns an item's content, without blanks, a byte order mark, or a literal `\n` or comma that tools left there. */
function meaningOf(raw: string): string {
  return raw
    .trim()
    .replace(/(\\r)?\\n$/, "")
    .trim()
    .replace(/(?<=\}),$/, "");
}

/** Parses an item's content. */
function parseItem(meaning: string): Json {
  return meaning.includes("\n") ? parseJson(meaning) : parseJsonLine(meaning);
}

/** Reads a queue, however it was written; never throws. */
export function parseQueue(text: string, expertNamed: ExpertNamed): QueueLine[] {
  return [...readQueue(text, expertNamed)];
}

/**
 * Reads a queue as {@link parseQueue} does, but lazily, so that reading the first entries does not parse the
 * rest.
 */
export function* readQueue(text: string, expertNamed: ExpertNamed): Generator<QueueLine> {
  const seen = new Map<string, QueueEntry>();
  let line = 1;
  for (const raw of splitItems(text)) {
    yield readLine({ line, raw }, seen, expertNamed);
    line += raw.split("\n").length - 1;
  }
}

/** Returns the entries that can run, in queue order. */
export function entriesIn(lines: readonly QueueLine[]): QueueEntry[] {
  return lines.flatMap((line) => (line.kind === "task" ? [line.entry] : []));
}

/** @param seen what the tasks further up are, by their ids */
function readLine(
  place: LinePlace,
  seen: Map<string, QueueEntry>,
  expertNamed: ExpertNamed,
): QueueLine {
  const { raw } = place;
  const meaning = meaningOf(raw);
  if (meaning === "") return { ...place, kind: "blank" };
  const json = parseItem(meaning);
  if (!json.ok) {
    return problem(place, false, () =>
      words("This is not a JSON object ({place}).", { place: jsonFault(meaning) }),
    );
  }
  const parsed = queueLine.safeParse(fieldsOf(json.value));
  if (!parsed.success) {
    return problem(place, true, () => misfit(meaning));
  }
  const data = parsed.data;
  const expert = expertNamed(data.suggested_mode);
  if (expert === undefined) {
    const mode = JSON.stringify(data.suggested_mode);
    return problem(place, true, () =>
      words('"suggested_mode" is {mode}, which no expert has.', { mode }),
    );
  }
  const { taskId } = data;
  const entry: QueueEntry = {
    taskId,
    parentTaskId: data.parentTaskId ?? null,
    mode: expert,
    contextPath: data.context_file_path ?? `.rooroo/tasks/${taskId}/context.md`,
    goal: data.goal_for_expert ?? "",
    planId: data.plan_id ?? null,
    autoProceed: data.auto_proceed_plan ?? true,
    ...(meantWord(data.status ?? "", endStatuses) !== undefined ? { ended: true } : {}),
  };
  const earlier = seen.get(taskId);
  if (earlier !== undefined) {
    return JSON.stringify(earlier) === JSON.stringify(entry)
      ? { ...place, kind: "repeat" }
      : problem(place, true, () => words("{taskId} is queued already, further up.", { taskId }));
  }
  seen.set(taskId, entry);
  return { ...place, kind: "task", entry };
}

function problem(place: LinePlace, isJson: boolean, reason: () => Said): QueueLine {
  return {
    ...place,
    kind: "problem",
    get reason() {
      return reason();
    },
    isJson,
  };
}

/** Returns why an object is no task. */
function misfit(meaning: string): Said {
  // Read once more: of many odd lines the values would take more memory than the queue.
  const json = parseItem(meaning);
  const value = json.ok ? fieldsOf(json.value) : undefined;
  const issues = queueLine.safeParse(value).error?.issues ?? [];
  const reasons = issues.map((issue) => {
    const place = issue.path.length === 0 ? words("The line") : `"${issue.path.join(".")}"`;
    return joined(place, ": ", issueWords(issue), ".");
  });
  return joined(...reasons.flatMap((one, index) => (index === 0 ? [one] : [" ", one])));
}

/** Writes an entry as a line with the field names of R-ROO-25, without the newline. */
export function formatQueueEntry(entry: QueueEntry, sequence?: number): string {
  return toJsonLine({
    taskId: entry.taskId,
    parentTaskId: entry.parentTaskId,
    suggested_mode: entry.mode,
    context_file_path: entry.contextPath,
    goal_for_expert: entry.goal,
    ...(entry.planId === null ? {} : { plan_id: entry.planId }),
    ...(sequence === undefined ? {} : { sequence_number: sequence }),
    ...(entry.autoProceed ? {} : { auto_proceed_plan: false }),
  });
}

/**
 * Inserts lines at the head, in their own order (R-ROO-26).
 *
 * @throws {CannotEdit} as {@link edited} does
 */
export function insertAtHead(text: string, lines: readonly string[]): string {
  const start = contentStart(text);
  const head = lines.map((line) => `${line}\n`).join("");
  return edited(text, [{ start, end: start, text: head }], lineCount(head));
}

/**
 * Adds a line at the end; a last line without a newline stays a line of its own.
 *
 * @throws {CannotEdit} as {@link edited} does
 */
export function append(text: string, line: string): string {
  const at = text.length;
  const added = `${lineEndOf(text)}${line}\n`;
  return edited(text, [{ start: at, end: at, text: added }], lineCount(line));
}

/**
 * Moves a task's line before another's, or to the end; every line keeps its bytes, but for a missing last
 * newline. Returns the text unchanged if one of the two is not there.
 *
 * @param before a task's id; `null`: to the end
 * @throws {CannotEdit} as {@link edited} does
 */
export function moveTask(text: string, taskId: TaskId, before: string | null): string {
  const [moved] = taskSpans(text, taskId);
  const [target] = before === null ? [{ start: text.length }] : taskSpans(text, before);
  if (moved === undefined || target === undefined) return text;
  const { start, end } = moved;
  const at = target.start;
  if (at === start || at === end) return text;
  const line = text.slice(start, end);
  const isEnd = at === text.length;
  const inserted = isEnd ? lineEndOf(text) + line : line + lineEndOf(line);
  return edited(
    text,
    [
      { start, end, text: "" },
      { start: at, end: at, text: inserted },
    ],
    0,
  );
}

/**
 * Removes a task's lines; every other byte stays, a byte order mark and unreadable lines too.
 *
 * @throws {CannotEdit} as {@link edited} does
 */
export function removeTask(text: string, taskId: TaskId): string {
  const changes = [...taskSpans(text, taskId)].map((span) => ({ ...span, text: "" }));
  const gone = changes.reduce((sum, { start, end }) => sum + lineCount(text.slice(start, end)), 0);
  return changes.length === 0 ? text : edited(text, changes, -gone);
}

/** Returns a task's line, as it stands there, without its end; `undefined` if the task is not there. */
export function taskLine(text: string, taskId: TaskId): string | undefined {
  const [span] = taskSpans(text, taskId);
  return span && text.slice(span.start, span.end).replace(/\r?\n$/, "");
}

/** The fields of a task's line that a person may change. */
export type QueueChange = Partial<Pick<QueueEntry, "mode" | "goal" | "autoProceed">>;

/**
 * Changes fields of a task's line; its other fields, its line end and all other lines keep their bytes. Returns
 * the text unchanged if the task is not there.
 *
 * @throws {CannotEdit} as {@link edited} does
 */
export function changeTask(text: string, taskId: TaskId, change: QueueChange): string {
  const [span] = taskSpans(text, taskId);
  if (span === undefined) return text;
  const raw = text.slice(span.start, span.end);
  const meaning = meaningOf(raw);
  const json = parseItem(meaning);
  const { mode, goal, autoProceed } = change;
  const waits: readonly string[] = fieldNames.auto_proceed_plan;
  const given = Object.entries(json.ok ? (json.value as object) : {}).filter(
    ([name]) => autoProceed === undefined || !waits.includes(plainName(name)),
  );
  const value: Record<string, unknown> = {
    ...Object.fromEntries(given),
    ...(mode === undefined ? {} : { suggested_mode: mode }),
    ...(goal === undefined ? {} : { goal_for_expert: goal }),
    ...(autoProceed === false ? { auto_proceed_plan: false } : {}),
  };
  const line = raw.replace(meaning, () => toJsonLine(value));
  return edited(text, [{ ...span, text: line }], lineCount(line) - lineCount(raw));
}

/**
 * Inserts a line before a task's, or at the end for `null`. Returns the text unchanged if that task is not there.
 *
 * @throws {CannotEdit} as {@link edited} does
 */
export function insertBefore(text: string, line: string, before: TaskId | null): string {
  if (before === null) return append(text, line);
  const [target] = taskSpans(text, before);
  if (target === undefined) return text;
  const { start } = target;
  return edited(text, [{ start, end: start, text: `${line}\n` }], lineCount(line));
}

/**
 * Inserts and removes whole lines. What a line says depends on no other line, so the result is right if it
 * has as many lines as it should have: none was joined with another or divided.
 *
 * @param more how many lines there are to be more than before
 * @throws {CannotEdit} if there are not as many
 */
function edited(text: string, changes: readonly Change[], more: number): string {
  const count = lineCount(text) + more;
  return editDocument(text, changes, {
    read: (after) => ({ after, count: lineCount(after) }),
    isExpected: (found) => found.count === count,
    refusal: () =>
      new CannotEdit(
        "queueUneditable",
        "The queue cannot be changed in this place. Mend .rooroo/queue.jsonl by hand.",
      ),
  }).after;
}

/** Counts the lines; a byte order mark is none. */
function lineCount(text: string): number {
  let count = 0;
  for (let at = contentStart(text); at < text.length; count++) {
    const newline = text.indexOf("\n", at);
    at = newline < 0 ? text.length : newline + 1;
  }
  return count;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Yields the spans of a task's lines, with their newlines, and without the byte order mark. */
function* taskSpans(text: string, taskId: TaskId): Generator<Span, undefined> {
  // A queue of 100,000 lines is parsed only where the id stands.
  for (let at = text.indexOf(taskId); at >= 0 && at < text.length;) {
    const { start, end } = itemAt(text, at);
    if (hasTask(text.slice(start, end), taskId)) yield { start, end };
    at = text.indexOf(taskId, end);
  }
}

/** Returns the span of the item in which an offset is. */
function itemAt(text: string, at: number): Span {
  const begin = text.lastIndexOf("\n", at - 1) + 1;
  const brace = text.lastIndexOf("\n{", at) + 1;
  const end = objectEnd(text, brace);
  return end !== undefined && end > at
    ? { start: Math.max(contentStart(text), brace), end }
    : { start: Math.max(contentStart(text), begin), end: lineEnd(text, at) };
}

/** Returns the offset after the byte order mark. */
function contentStart(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}

/** Returns the newline that the text's last line lacks, or `""`. */
function lineEndOf(text: string): string {
  return text.length === contentStart(text) || text.endsWith("\n") ? "" : "\n";
}

function hasTask(raw: string, taskId: TaskId): boolean {
  const json = parseItem(meaningOf(raw));
  const fields = json.ok ? fieldsOf(json.value) : undefined;
  return (fields as { taskId?: unknown } | null | undefined)?.taskId === taskId;
}
