import * as z from "zod";
import type { TaskId } from "../ids.js";
import { joined } from "../text/joined.js";
import { translatable } from "../text/translator.js";
import { type Said, words } from "../text/words.js";
import { CannotEdit, editDocument } from "./editDocument.js";
import { issueWords } from "./issueWords.js";
import { jsonFault } from "./jsonFault.js";
import { parseJsonLine, toJsonLine } from "./jsonLines.js";
import type { Change } from "./textLines.js";

/** A task that waits in `.rooroo/queue.jsonl` (R-ROO-25). */
export interface QueueEntry {
  readonly taskId: TaskId;
  readonly parentTaskId: TaskId | null;
  /** The expert's slug, as in `rooroo-developer`. */
  readonly mode: string;
  /** Workspace path of the task's context file. */
  readonly contextPath: string;
  readonly goal: string;
  readonly planId: string | null;
  /** `false`: the queue stops before this task until the user says Proceed. */
  readonly autoProceed: boolean;
}

interface LinePlace {
  /** The line's number, 1-based. */
  readonly line: number;
  /** The line's characters, including its line end. */
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
    | { readonly kind: "blank" }
  );

/** Matches a task id. Ids become folder names, so none of them may lead out of the tasks' folder. */
export const taskIdPattern = /^ROO#[A-Za-z0-9][A-Za-z0-9_-]{0,119}$/;

const optionalText = z.string().nullish();
const queueLine = z.looseObject({
  taskId: z
    .string()
    .regex(taskIdPattern, translatable("is not a task id such as ROO#TASK_20260102030405_AB12CD")),
  parentTaskId: optionalText,
  parent_task_id: optionalText,
  suggested_mode: z.string().min(1),
  context_file_path: optionalText,
  goal_for_expert: z.string().min(1),
  plan_id: optionalText,
  sequence_number: z.number().nullish(),
  auto_proceed_plan: z.boolean().nullish(),
});

/** Splits a text into lines without losing a character: joined, they are the text again. */
function* splitLines(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline + 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** Returns a line's content, without a byte order mark, its end, or a literal `\n` that tools left there. */
function meaningOf(raw: string): string {
  return raw
    .replace(/^\uFEFF/, "")
    .trim()
    .replace(/(\\r)?\\n$/, "")
    .trim();
}

/** Reads a queue, however it was written; never throws. */
export function parseQueue(text: string, isKnownMode: (slug: string) => boolean): QueueLine[] {
  return [...readQueue(text, isKnownMode)];
}

/**
 * Reads a queue as {@link parseQueue} does, but lazily, so that reading the first entries does not parse the
 * rest.
 */
export function* readQueue(
  text: string,
  isKnownMode: (slug: string) => boolean,
): Generator<QueueLine> {
  const seen = new Set<string>();
  let line = 0;
  for (const raw of splitLines(text)) {
    yield readLine({ line: ++line, raw }, seen, isKnownMode);
  }
}

/** Returns the entries that can run, in queue order. */
export function entriesIn(lines: readonly QueueLine[]): QueueEntry[] {
  return lines.flatMap((line) => (line.kind === "task" ? [line.entry] : []));
}

function readLine(
  place: LinePlace,
  seen: Set<string>,
  isKnownMode: (slug: string) => boolean,
): QueueLine {
  const { raw } = place;
  const meaning = meaningOf(raw);
  if (meaning === "") return { ...place, kind: "blank" };
  const json = parseJsonLine(meaning);
  if (!json.ok) {
    return problem(place, false, () =>
      words("This is not a JSON object ({place}).", { place: jsonFault(meaning) }),
    );
  }
  const parsed = queueLine.safeParse(json.value);
  if (!parsed.success) {
    return problem(place, true, () => misfit(meaning));
  }
  const data = parsed.data;
  if (!isKnownMode(data.suggested_mode)) {
    const mode = JSON.stringify(data.suggested_mode);
    return problem(place, true, () =>
      words('"suggested_mode" is {mode}, which no expert has.', { mode }),
    );
  }
  if (seen.has(data.taskId)) {
    const { taskId } = data;
    return problem(place, true, () => words("{taskId} is queued already, further up.", { taskId }));
  }
  seen.add(data.taskId);
  return {
    ...place,
    kind: "task",
    entry: {
      taskId: data.taskId,
      parentTaskId: data.parentTaskId ?? data.parent_task_id ?? null,
      mode: data.suggested_mode,
      contextPath: data.context_file_path ?? `.rooroo/tasks/${data.taskId}/context.md`,
      goal: data.goal_for_expert,
      planId: data.plan_id ?? null,
      autoProceed: data.auto_proceed_plan ?? true,
    },
  };
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
  const json = parseJsonLine(meaning);
  const issues = queueLine.safeParse(json.ok ? json.value : undefined).error?.issues ?? [];
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
  return edited(text, [{ start, end: start, text: head }], lines.length);
}

/**
 * Adds a line at the end; a last line without a newline stays a line of its own.
 *
 * @throws {CannotEdit} as {@link edited} does
 */
export function append(text: string, line: string): string {
  const at = text.length;
  const added = `${lineEndOf(text)}${line}\n`;
  return edited(text, [{ start: at, end: at, text: added }], 1);
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
  return changes.length === 0 ? text : edited(text, changes, -changes.length);
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
  const json = parseJsonLine(meaning);
  const { mode, goal, autoProceed } = change;
  const value: Record<string, unknown> = {
    ...(json.ok ? (json.value as Record<string, unknown>) : {}),
    ...(mode === undefined ? {} : { suggested_mode: mode }),
    ...(goal === undefined ? {} : { goal_for_expert: goal }),
    ...(autoProceed === false ? { auto_proceed_plan: false } : {}),
  };
  if (autoProceed === true) delete value["auto_proceed_plan"];
  const line = raw.replace(meaning, () => toJsonLine(value));
  return edited(text, [{ ...span, text: line }], 0);
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
  return edited(text, [{ start, end: start, text: `${line}\n` }], 1);
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
    const start = Math.max(contentStart(text), text.lastIndexOf("\n", at - 1) + 1);
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline + 1;
    if (lineHasTask(text.slice(start, end), taskId)) yield { start, end };
    at = text.indexOf(taskId, end);
  }
}

/** Returns the offset after the byte order mark. */
function contentStart(text: string): number {
  return text.startsWith("\uFEFF") ? 1 : 0;
}

/** Returns the newline that the text's last line lacks, or `""`. */
function lineEndOf(text: string): string {
  return text.length === contentStart(text) || text.endsWith("\n") ? "" : "\n";
}

function lineHasTask(raw: string, taskId: TaskId): boolean {
  const json = parseJsonLine(meaningOf(raw));
  if (!json.ok || typeof json.value !== "object" || json.value === null) return false;
  return (json.value as { taskId?: unknown }).taskId === taskId;
}
