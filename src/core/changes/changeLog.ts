import * as z from "zod";
import { parseJsonLine } from "../documents/jsonLines.js";
import { newerSchema } from "../documents/newerSchema.js";
import { UserError } from "../errors.js";

/** What a file was at one moment. */
const fileState = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("absent") }),
  z.object({
    kind: z.literal("kept"),
    /** The name of the file beside the log that has the content. */
    content: z.string().regex(/^[1-9]\d{0,8}$/),
    mode: z.int().min(0).max(0o777).optional(),
    /** The content's signature: a file that was exchanged is not put back. Older logs have none. */
    signature: z.string().optional(),
  }),
  /** Too big, or outside the workspace: it is known only that it was there. */
  z.object({ kind: z.literal("unkept") }),
  /** Something was about to write it, and nobody could say how that ended. */
  z.object({ kind: z.literal("unknown") }),
]);
export type FileState = z.infer<typeof fileState>;

const line = z.object({ schema: z.literal(1), at: z.string(), path: z.string().min(1) });
const changeLine = z.discriminatedUnion("type", [
  /** What the file was before the task changed it, or before it changed what somebody else had. */
  line.extend({ type: z.literal("before"), state: fileState }),
  /** What the task makes of it; written before it does. */
  line.extend({ type: z.literal("after"), state: fileState }),
  /** A person keeps a part of the changes: this is what the rest is to be compared with. */
  line.extend({ type: z.literal("baseline"), state: fileState }),
  /** Nothing is left to be looked at or undone. */
  line.extend({ type: z.literal("settled"), how: z.enum(["kept", "undone", "unchanged"]) }),
]);
export type ChangeLine = z.infer<typeof changeLine>;

/** What a task has done to a file, as far as nobody has kept or undone it. */
export interface ChangedFile {
  /** Canonical. */
  readonly path: string;
  /** ISO 8601. */
  readonly since: string;
  readonly baseline: FileState;
  /** What the task left, the latest last; the last may not have come to pass. At most two. */
  readonly left: readonly FileState[];
  /** Somebody else changed it between two changes of the task. */
  readonly mixed: boolean;
}

export interface ReadChangeLog {
  readonly lines: readonly ChangeLine[];
  /** Numbers of the lines that cannot be read, 1-based. */
  readonly unreadable: readonly number[];
  /** Numbers of the lines that this installation did not write. */
  readonly foreign: readonly number[];
}

/**
 * Reads a task's log of changes. The log lies in the workspace, so it may say anything: lines of
 * another form, and those of others, are left out and counted. Throws a {@link UserError} when a newer
 * version wrote one.
 *
 * @param path the log's own, for complaints
 * @param isOwn whether this installation wrote a line
 */
export function parseChangeLog(
  text: string,
  path: string,
  isOwn: (line: string) => boolean,
): ReadChangeLog {
  const lines: ChangeLine[] = [];
  const unreadable: number[] = [];
  const foreign: number[] = [];
  for (const [index, one] of text.split("\n").entries()) {
    if (one.trim() === "") continue;
    const json = parseJsonLine(one);
    const newer = json.ok ? newerSchema(json.value, path) : undefined;
    if (newer !== undefined) throw new UserError(newer);
    const parsed = changeLine.safeParse(json.ok ? json.value : undefined);
    if (!parsed.success) unreadable.push(index + 1);
    else if (isOwn(one)) lines.push(parsed.data);
    else foreign.push(index + 1);
  }
  return { lines, unreadable, foreign };
}

/** Takes one more line into account. */
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
