import * as z from "zod";
import { faultOffset } from "../documents/jsonFault.js";
import { parseJsonLine } from "../documents/jsonLines.js";
import { newerSchema } from "../documents/newerSchema.js";

/** The reasons why a file's content is not kept. */
const unkeptReasons = ["tooBig", "ignored", "outside"] as const;

/** The state of a file at one moment. */
const fileState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("absent") }),
  z.object({
    kind: z.literal("kept"),
    /** The name of the file beside the log that has the content. */
    content: z.string().regex(/^[1-9]\d{0,8}$/),
    mode: z.int().min(0).max(0o777).optional(),
    /** The content's signature, so that an exchanged file is not restored. Older logs have none. */
    signature: z.string().optional(),
  }),
  /** It is known only that the file was there. Older logs do not say why. */
  z.object({ kind: z.literal("unkept"), why: z.enum(unkeptReasons).optional() }),
  /** Something was about to write the file, and the outcome is unknown. */
  z.object({ kind: z.literal("unknown") }),
]);
export type FileState = z.infer<typeof fileState>;

const line = z.object({ schema: z.literal(1), at: z.string(), path: z.string().min(1) });
const changeLine = z.discriminatedUnion("type", [
  /** The file before the task changed it, or before the task changed another writer's version. */
  line.extend({ type: z.literal("before"), state: fileState }),
  /** The file after the task's change; written before the change is made. */
  line.extend({ type: z.literal("after"), state: fileState }),
  /** The new baseline after a person kept a part of the changes: the rest is compared with it. */
  line.extend({ type: z.literal("baseline"), state: fileState }),
  /** Nothing is left to be reviewed or undone. */
  line.extend({ type: z.literal("settled"), how: z.enum(["kept", "undone", "unchanged"]) }),
]);
export type ChangeLine = z.infer<typeof changeLine>;

/** A task's changes of one file that have been neither kept nor undone. */
export interface ChangedFile {
  /** Canonical path. */
  readonly path: string;
  /** The time at which the task first changed the file, in ISO 8601. */
  readonly since: string;
  readonly baseline: FileState;
  /**
   * States in which the task left the file, the latest last; at most two. The last may never have been
   * reached.
   */
  readonly left: readonly FileState[];
  /** Whether someone else changed the file between two changes of the task. */
  readonly mixed: boolean;
}

export interface ReadChangeLog {
  readonly lines: readonly ChangeLine[];
  /** Numbers of the lines that cannot be read, 1-based. */
  readonly unreadable: readonly number[];
  /**
   * How many lines are the beginning of one: the process was killed while it wrote them, and so before it made the change
   * that they tell of.
   */
  readonly torn: number;
  /** Numbers of the lines that this installation did not write. */
  readonly foreign: readonly number[];
}

/**
 * Reads a task's log of changes. The log lies in the workspace, so it may say anything: lines of another
 * form, and those of others, are left out and counted.
 *
 * @param path the log's path, for error messages
 * @param isOwn returns whether this installation wrote a line
 * @throws a `UserError` if a newer version wrote a line
 */
export function parseChangeLog(
  text: string,
  path: string,
  isOwn: (line: string) => boolean,
): ReadChangeLog {
  const lines: ChangeLine[] = [];
  const unreadable: number[] = [];
  const foreign: number[] = [];
  let torn = 0;
  for (const [index, one] of text.split("\n").entries()) {
    if (one.trim() === "") continue;
    const json = parseJsonLine(one);
    const newer = json.ok ? newerSchema(json.value, path) : undefined;
    if (newer !== undefined) throw newer;
    const parsed = changeLine.safeParse(json.ok ? json.value : undefined);
    if (!json.ok && isTorn(one)) torn++;
    else if (!parsed.success) unreadable.push(index + 1);
    else if (isOwn(one)) lines.push(parsed.data);
    else foreign.push(index + 1);
  }
  return { lines, unreadable, foreign, torn };
}

/** The beginning of every line. */
const beginning = '{"schema":1,"at":"';

/** Returns whether a line that is no JSON begins as one of the log's, and lacks nothing but its end. */
function isTorn(one: string): boolean {
  const begins = one.startsWith(beginning) || beginning.startsWith(one);
  return begins && faultOffset(one) === undefined;
}

/** Applies one more line of the log to the changed files. */
export function applyChange(changed: Map<string, ChangedFile>, change: ChangeLine): void {
  const { path } = change;
  const known = changed.get(path);
  switch (change.type) {
    case "before":
      if (known) changed.set(path, { ...known, left: [], mixed: true });
      else {
        const { at: since, state: baseline } = change;
        changed.set(path, { path, since, baseline, left: [], mixed: false });
      }
      break;
    case "after":
      if (known) changed.set(path, { ...known, left: [...known.left.slice(-1), change.state] });
      break;
    case "baseline":
      if (known) changed.set(path, { ...known, baseline: change.state });
      break;
    case "settled":
      changed.delete(path);
      break;
  }
}

/**
 * Returns the changes that were undone last, at this time or later, and have not been made again since, in the order
 * of the lines.
 *
 * @param since ISO 8601
 */
export function undoneSince(lines: readonly ChangeLine[], since: string): ChangedFile[] {
  const changed = new Map<string, ChangedFile>();
  const undone = new Map<string, ChangedFile>();
  for (const change of lines) {
    const { path } = change;
    const known = changed.get(path);
    const isUndone = change.type === "settled" && change.how === "undone" && change.at >= since;
    if (isUndone && known !== undefined) undone.set(path, known);
    else if (change.type === "before") undone.delete(path);
    applyChange(changed, change);
  }
  return [...undone.values()];
}

/** A change of a file: the states before and after it. */
export interface ChangeStep {
  readonly before: FileState;
  readonly after: FileState;
}

/** The changes of files by their paths, in order; other writers may have changed a file between two of them. */
type StepsByPath = ReadonlyMap<string, readonly ChangeStep[]>;

/** Returns the task's changes that were not undone, whether a person has kept them or not; and those that were. */
export function stepsIn(lines: readonly ChangeLine[]): { made: StepsByPath; undone: StepsByPath } {
  const made = new Map<string, ChangeStep[]>();
  const undone = new Map<string, ChangeStep[]>();
  const begun = new Map<string, FileState>();
  for (const change of lines) {
    const { path } = change;
    const steps = made.get(path) ?? [];
    if (change.type === "before") begun.set(path, change.state);
    else if (change.type === "after") {
      const before = begun.get(path);
      begun.delete(path);
      if (before !== undefined) made.set(path, [...steps, { before, after: change.state }]);
      else {
        const last = steps.pop();
        if (last) made.set(path, [...steps, { before: last.before, after: change.state }]);
      }
    } else if (change.type === "settled") {
      begun.delete(path);
      if (change.how === "kept") continue;
      if (change.how === "undone" && steps.length > 0) {
        undone.set(path, [...(undone.get(path) ?? []), ...steps]);
      }
      made.delete(path);
    }
  }
  return { made, undone };
}
