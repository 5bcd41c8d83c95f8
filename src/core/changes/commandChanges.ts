import { FileError, messageOf, UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Search } from "../ports/search.js";
import type { Snapshot, SnapshotChange, Snapshots } from "../ports/snapshots.js";
import type { Clock, Signer } from "../ports/system.js";
import type { ChangedFile, FileState } from "./changeLog.js";
import { ChangeStore, type Entry, isRecord, maxKept } from "./changeStore.js";

/** The most files of a workspace that are watched, and the most changed ones of one command that are recorded. */
const mostFiles = 100_000;
const mostRecorded = 2_000;

/** Dependencies for finding out what a command changes. */
export interface WatchedWorkspace {
  readonly snapshots: Snapshots;
  readonly search: Pick<Search, "files">;
  /** The folder of the task that runs the command, as in `.rooroo/tasks/ID`. */
  readonly owner: string;
  /** Returns the changes that other tasks have recorded, of those that recorded some since a moment. */
  others(since: number): Promise<readonly OtherTask[]>;
}

/** The storage of tasks' own state. */
export interface TaskState {
  readonly files: FileSystem;
  readonly clock: Clock;
  readonly signer: Signer;
}

/** The recorded changes of another task. */
interface OtherTask {
  readonly store: Pick<ChangeStore, "isIn">;
  readonly changed: ReadonlyMap<string, ChangedFile>;
}

/**
 * Returns the changes that other tasks have recorded, of those that recorded some since a moment.
 *
 * @param state the folder that has the tasks' own state
 * @param owner the folder of the task that asks, as in `.rooroo/tasks/ID`
 * @param since milliseconds since the epoch
 */
export async function otherTasks(
  { files, clock, signer }: TaskState,
  owner: string,
  since: number,
): Promise<readonly OtherTask[]> {
  const all = owner.slice(0, owner.lastIndexOf("/"));
  const found: OtherTask[] = [];
  for (const { name, kind } of await files.readDirectory(all)) {
    const folder = `${all}/${name}`;
    if (kind !== "folder" || folder === owner) continue;
    const store = new ChangeStore(files, clock, signer, folder);
    const changedAt = (await files.stat(`${store.folder}/log.jsonl`))?.modifiedAt ?? 0;
    if (changedAt < since) continue;
    try {
      found.push({ store, changed: await store.read() });
    } catch (error) {
      // What such a log would say is not known.
      if (!(error instanceof UserError)) throw error;
    }
  }
  return found;
}

/** Takes a snapshot of all files that git does not ignore, or returns why there is none. */
export async function takeSnapshot(
  services: WatchedWorkspace,
): Promise<{ readonly snapshot: Snapshot } | { readonly problem: string }> {
  try {
    const paths = await pathsOf(services);
    if (paths !== undefined)
      return { snapshot: await services.snapshots.take(services.owner, paths) };
    return { problem: unknown(`The workspace has more than ${mostFiles} files.`) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { problem: unknown(messageOf(error)) };
  }
}

function unknown(why: string): string {
  return `What it changed is in the review only where the command names the files. ${why}`;
}

/** Returns the files that git does not ignore; `undefined` if they are too many. */
async function pathsOf({ search }: WatchedWorkspace): Promise<readonly string[] | undefined> {
  const query = { path: "", recursive: true, limit: mostFiles };
  const { paths, truncated } = await search.files(query, new AbortController().signal);
  return truncated ? undefined : paths.filter((path) => !path.endsWith("/") && !isRecord(path));
}

/**
 * Records the files that have changed since a snapshot, and discards it. All of their contents are on disk before
 * one of their lines is, and the snapshot goes last: if the process is killed, the whole is done again.
 *
 * @returns lines about what is not recorded
 */
export async function recordChanges(
  snapshot: Snapshot,
  services: WatchedWorkspace & { readonly store: ChangeStore; readonly files: FileSystem },
): Promise<readonly string[]> {
  const paths = await pathsOf(services);
  const changes = await snapshot.changes(paths ?? []);
  const notes: string[] = [];
  if (paths === undefined) {
    notes.push(
      `There are more than ${mostFiles} files now, so those that it made are not in the review.`,
    );
  }
  const others = changes.length === 0 ? [] : await services.others(snapshot.takenAt);
  const entries: Entry[] = [];
  let recorded = 0;
  let unrecorded = 0;
  for (const change of changes) {
    const found =
      recorded < mostRecorded ? await entriesOf(change, snapshot, others, services) : undefined;
    if (found === undefined) unrecorded++;
    else if (found.length > 0) recorded++;
    entries.push(...(found ?? []));
  }
  if (entries.length > 0) await services.store.append(...entries);
  await snapshot.discard();
  if (unrecorded > 0) notes.push(`${unrecorded} of the files that it changed cannot be undone.`);
  return notes;
}

/** Returns what is to be recorded of one file: nothing if it is recorded already; `undefined` if that cannot be done. */
async function entriesOf(
  change: SnapshotChange,
  snapshot: Snapshot,
  others: readonly OtherTask[],
  { store, files }: { readonly store: ChangeStore; readonly files: FileSystem },
): Promise<readonly Entry[] | undefined> {
  const { path, before } = change;
  try {
    const stat = await files.stat(path);
    const isFile = stat?.kind === "file" && (await files.locate(path)).path === path;
    const isBig = isFile && stat.size > maxKept;
    const now = isFile && !isBig ? await files.readFile(path) : undefined;
    const isLeft = async (of: Pick<ChangeStore, "isIn">, known: ChangedFile | undefined) => {
      const last = known?.left.at(-1);
      return !isBig && last !== undefined && (await of.isIn(last, now)) === true;
    };
    const known = (await store.read()).get(path);
    if (await isLeft(store, known)) return [];
    // A tool of another task has written this while the command ran, or another command was first to tell of it.
    for (const other of others) if (await isLeft(other.store, other.changed.get(path))) return [];
    const old =
      before !== undefined && before.notKept === undefined ? await snapshot.read(path) : undefined;
    const entries: Entry[] = [];
    if (known === undefined || !(await wasKnown(known, old, store))) {
      const state: FileState =
        before?.notKept === undefined
          ? await store.keep(old, before?.mode)
          : { kind: "unkept", why: before.notKept };
      entries.push({ type: "before", path, state });
    }
    const after: FileState = isBig
      ? { kind: "unkept", why: "tooBig" }
      : await store.keep(now, stat?.mode);
    return [...entries, { type: "after", path, state: after }];
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return undefined;
  }
}

/** Returns whether the file was as the task had left or found it, or that cannot be told. */
async function wasKnown(
  { left, baseline }: ChangedFile,
  old: Uint8Array | undefined,
  store: ChangeStore,
): Promise<boolean> {
  for (const state of [...left, baseline])
    if ((await store.isIn(state, old)) !== false) return true;
  return false;
}
