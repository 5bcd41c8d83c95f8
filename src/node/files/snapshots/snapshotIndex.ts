import * as z from "zod";

/** A file at the time of a snapshot. */
export interface IndexEntry {
  /**
   * A text that changes when the file is written or replaced. Empty: the file had been written so shortly
   * before that only its content can tell.
   */
  readonly stamp: string;
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  /** The place of the kept content: the name of a file of contents, and the offset in it. Absent: it is not kept. */
  readonly kept?: { readonly pack: string; readonly offset: number };
}

export interface SnapshotIndex {
  /** The folder of the task whose command the snapshot was taken for, as in `.rooroo/tasks/ID`. */
  readonly owner: string;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  readonly entries: ReadonlyMap<string, IndexEntry>;
}

const entry = z.tuple([
  z.string(),
  z.string(),
  z.number(),
  z.number(),
  z.string().regex(/^[\w.]*$/),
  z.number(),
]);
const written = z.object({
  schema: z.literal(1),
  owner: z.string(),
  takenAt: z.number(),
  entries: z.array(entry),
});

export function indexText({ owner, takenAt, entries }: SnapshotIndex): string {
  const rows = [...entries].map(([path, { stamp, size, mode, kept }]) => [
    path,
    stamp,
    size,
    mode,
    kept?.pack ?? "",
    kept?.offset ?? 0,
  ]);
  return JSON.stringify({ schema: 1, owner, takenAt, entries: rows });
}

/** Returns the index that a text says; `undefined` if it says none. */
export function parseIndex(text: string): SnapshotIndex | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = written.safeParse(json);
  if (!parsed.success) return undefined;
  const { owner, takenAt, entries } = parsed.data;
  return {
    owner,
    takenAt,
    entries: new Map(
      entries.map(([path, stamp, size, mode, pack, offset]) => [
        path,
        { stamp, size, mode, ...(pack === "" ? {} : { kept: { pack, offset } }) },
      ]),
    ),
  };
}
