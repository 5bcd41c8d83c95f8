import type { ChangeRecorder, CommandWatch } from "../agent/tool.js";
import { messageOf, UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Snapshot } from "../ports/snapshots.js";
import { KeyedQueue } from "../text/keyedQueue.js";
import type { ChangedFile, FileState } from "./changeLog.js";
import { type ChangeStore, type Entry, isRecord, maxKept } from "./changeStore.js";
import { recordChanges, takeSnapshot, type WatchedWorkspace } from "./commandChanges.js";

/**
 * The most files that are recorded of a folder that a command may remove. If there are more, only the
 * folder's existence is.
 */
const maxFiles = 500;

/** Records what one task's files were, in the task's own folder. */
export class TaskRecorder implements ChangeRecorder {
  readonly #turns = new KeyedQueue();
  /** Recorded files by the path of the file or folder that a command was about to write. */
  readonly #below = new Map<string, readonly string[]>();

  constructor(
    private readonly store: ChangeStore,
    private readonly files: FileSystem,
    /** Finds what commands change. Absent: only changes of files that a command names are recorded. */
    private readonly workspace?: WatchedWorkspace,
  ) {}

  async watch(): Promise<CommandWatch> {
    if (this.workspace === undefined) return { settle: () => Promise.resolve([]) };
    const watched = await takeSnapshot(this.workspace);
    if ("problem" in watched) return { settle: () => Promise.resolve([watched.problem]) };
    return {
      settle: async () => {
        try {
          return await this.#settleSnapshot(watched.snapshot);
        } catch (error) {
          if (!(error instanceof UserError)) throw error;
          return [`What it changed could not be recorded: ${messageOf(error)}`];
        }
      },
    };
  }

  /** Removes what writes have left that were cut off when their process was killed. */
  removeLeftovers(): Promise<void> {
    return this.store.removeLeftovers(this.files);
  }

  /**
   * Records the changes of commands whose process was killed. Later changes of the files count as theirs.
   */
  async settleLeft(): Promise<void> {
    const { snapshots, owner } = this.workspace ?? {};
    if (snapshots === undefined || owner === undefined) return;
    for (const snapshot of await snapshots.left(owner)) await this.#settleSnapshot(snapshot);
  }

  async #settleSnapshot(snapshot: Snapshot): Promise<readonly string[]> {
    const { workspace, store, files } = this;
    if (workspace === undefined) return [];
    return this.#turns.run("", () => recordChanges(snapshot, { ...workspace, store, files }));
  }

  writing(
    path: string,
    before: Uint8Array | undefined,
    after: Uint8Array | undefined,
  ): Promise<void> {
    return this.#alone(path, () =>
      this.#record(path, before, async () => this.#state(path, after, false)),
    );
  }

  before(path: string): Promise<void> {
    return this.#alone(path, async () => {
      const stat = await this.files.stat(path);
      const paths = stat?.kind === "folder" ? await this.#filesBelow(path) : [path];
      this.#below.set(path, paths);
      for (const one of paths) {
        const bytes = await this.#read(one);
        await this.#record(one, bytes, () => Promise.resolve({ kind: "unknown" }));
      }
    });
  }

  after(path: string): Promise<void> {
    return this.#alone(path, async () => {
      for (const one of this.#below.get(path) ?? [path]) await this.#settle(one);
    });
  }

  /** Records what a command left: the unchanged file, or another state. */
  async #settle(path: string): Promise<void> {
    const known = (await this.store.read()).get(path);
    if (known?.left.at(-1)?.kind !== "unknown") return;
    const isFolder = (await this.files.stat(path))?.kind === "folder";
    if (isFolder && known.baseline.kind === "absent") {
      await this.store.append({ type: "settled", path, how: "unchanged" });
      return;
    }
    const bytes = await this.#read(path);
    const isAsBefore =
      bytes !== "big" &&
      !known.mixed &&
      (await this.store.isIn(known.baseline, bytes)) === true &&
      (known.baseline.kind !== "kept" || known.baseline.mode === (await this.#mode(path)));
    if (isAsBefore) await this.store.append({ type: "settled", path, how: "unchanged" });
    else {
      const state = await this.#state(path, bytes, true);
      await this.store.append({ type: "after", path, state });
    }
  }

  async #record(
    path: string,
    before: Uint8Array | "big" | undefined,
    after: () => Promise<FileState>,
  ): Promise<void> {
    const known = (await this.store.read()).get(path);
    const found = known && (await this.#stateOf(known, before));
    // The content of both is on disk before a line says so, and both lines before the change is made.
    const first: Entry[] = [];
    if (found === undefined) {
      first.push({ type: "before", path, state: await this.#state(path, before, true) });
    } else if (found !== known?.left.at(-1) && found !== known?.baseline) {
      // The announced state was never reached, and must not displace the actual one.
      first.push({ type: "after", path, state: found });
    }
    await this.store.append(...first, { type: "after", path, state: await after() });
    // When somebody else has changed the file since, the last state ends a step, whose content a commit needs.
    const needed = found ?? known?.left.at(-1);
    for (const outdated of known?.left ?? []) {
      if (outdated !== needed) await this.store.drop(outdated);
    }
  }

  /** Returns the known state that the file is in; `undefined` if someone else changed the file. */
  async #stateOf(
    { left, baseline }: ChangedFile,
    now: Uint8Array | "big" | undefined,
  ): Promise<FileState | undefined> {
    for (const state of [...left.toReversed(), baseline]) {
      if (now === "big" || (await this.store.isIn(state, now)) !== false) return state;
    }
    return undefined;
  }

  async #state(
    path: string,
    bytes: Uint8Array | "big" | undefined,
    withMode: boolean,
  ): Promise<FileState> {
    // A copy of a file from outside would lie inside the workspace, where others can read it.
    if (bytes !== undefined && isOutside(path)) return { kind: "unkept", why: "outside" };
    if (bytes === "big") return { kind: "unkept", why: "tooBig" };
    return this.store.keep(bytes, withMode ? await this.#mode(path) : undefined);
  }

  async #mode(path: string): Promise<number | undefined> {
    return (await this.files.stat(path))?.mode;
  }

  async #read(path: string): Promise<Uint8Array | "big" | undefined> {
    const stat = await this.files.stat(path);
    if (stat === undefined) return undefined;
    return stat.kind !== "file" || stat.size > maxKept ? "big" : this.files.readFile(path);
  }

  async #filesBelow(folder: string): Promise<string[]> {
    const found: string[] = [];
    const folders = [folder];
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      for (const { name, kind } of await this.files.readDirectory(at)) {
        // Git's own data is not restored.
        if (name === ".git") continue;
        const path = at === "" ? name : `${at}/${name}`;
        // What a link leads to is not below this folder.
        if ((await this.files.locate(path)).path !== path || isRecord(path)) continue;
        if (kind === "folder") folders.push(path);
        else if (kind === "file") found.push(path);
        if (found.length > maxFiles) return folder === "" ? [] : [folder];
      }
    }
    return found;
  }

  async #alone(path: string, work: () => Promise<void>): Promise<void> {
    if (!isRecord(path)) await this.#turns.run("", work);
  }
}

function isOutside(path: string): boolean {
  return /^([A-Za-z]:)?\//.test(path);
}
