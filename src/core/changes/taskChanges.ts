import { isProtected } from "../access/protectedFiles.js";
import type { FileAction } from "../agent/tool.js";
import { isUserError, UserError } from "../errors.js";
import type { TaskId } from "../ids.js";
import type { EditorDocuments } from "../ports/editor.js";
import type { FileSystem } from "../ports/files.js";
import type { Search } from "../ports/search.js";
import type { Snapshots } from "../ports/snapshots.js";
import type { Clock, Signer } from "../ports/system.js";
import type { LandingFile } from "../ports/worktrees.js";
import { sameBytes } from "../text/textFile.js";
import { visibleText } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";
import type { ChangedFile, FileState } from "./changeLog.js";
import { ChangeStore, isRecord } from "./changeStore.js";
import { otherTasks } from "./commandChanges.js";
import { changeDiff, type Hunk, isPartOf, withHunk, withoutHunk } from "./hunks.js";
import { TaskRecorder } from "./taskRecorder.js";

/** Tasks' changes of one file that have been neither kept nor undone. */
export interface ReviewedFile {
  readonly path: string;
  /** The tasks that changed it, in order. */
  readonly taskIds: readonly TaskId[];
  /** The content before the tasks; `undefined`: the file did not exist. */
  readonly before: Uint8Array | undefined;
  /** The current content; `undefined`: the file does not exist. */
  readonly now: Uint8Array | undefined;
  /** Permission bits, if they have changed. */
  readonly modes?: { readonly before: number; readonly now: number };
  /** The reason why the file can be neither shown nor undone; it then has no contents here. */
  readonly problem?: UserError;
}

/** The outcome of undoing a task's changes of one file. */
export type UndoneFile =
  | { readonly path: string; readonly type: "restored" | "removed" | "unchanged" }
  | {
      readonly path: string;
      readonly type: "left";
      /** `failed`: the disk or an editor refused the change. */
      readonly why: RestoreConflict | "failed";
      readonly problem: UserError;
      /** The contents that the task left and those of now, if both are known and differ. */
      readonly since?: {
        readonly left: Uint8Array | undefined;
        readonly now: Uint8Array | undefined;
      };
    };

/** The effect on a file of undoing the changes of tasks. */
export type PreviewedFile =
  | { readonly path: string; readonly type: "restored" | "removed" }
  /** The file would be left as it is. */
  | { readonly path: string; readonly type: "left"; readonly problem: UserError };

/** The outcome of landing a file. */
export type LandedFile =
  | { readonly path: string; readonly type: "landed" }
  | { readonly path: string; readonly type: "left"; readonly problem: UserError };

/** Asks a person whether a protected file may be written. */
export type MayWrite = (action: FileAction) => Promise<boolean>;

interface Services {
  /** The files that the tasks changed. */
  readonly files: FileSystem;
  /** The folder that has the tasks' own state. Absent: it is that of the files. */
  readonly state?: FileSystem;
  readonly signer: Signer;
  readonly documents: EditorDocuments;
  readonly clock: Clock;
  /** Finds the changes of commands that were killed. Absent: they are not found. */
  readonly snapshots?: Snapshots;
  readonly search?: Pick<Search, "files">;
}

/** A task's change of a file. */
interface Own {
  readonly store: ChangeStore;
  readonly file: ChangedFile;
}

/**
 * Shows, keeps and undoes what tasks have changed. The logs lie in the workspace and may come from elsewhere:
 * nothing outside the workspace is written, no protected file is written unasked, and only files that are
 * still as the task left them are restored.
 */
export class TaskChanges {
  readonly #stores = new Map<string, ChangeStore>();

  /** @param folder the folder of all tasks, as in `.rooroo/tasks` */
  constructor(
    private readonly services: Services,
    private readonly folder: string,
  ) {}

  get #state(): FileSystem {
    return this.services.state ?? this.services.files;
  }

  /**
   * Returns the files that the tasks changed, sorted by path.
   *
   * @param only the path of the one file to return
   */
  async files(taskIds: readonly TaskId[], only?: string): Promise<ReviewedFile[]> {
    for (const taskId of taskIds) await this.#settleLeft(taskId);
    const byPath = new Map<string, [taskId: TaskId, own: Own][]>();
    for (const taskId of taskIds) {
      const store = this.#store(taskId);
      for (const file of (await store.read()).values()) {
        if (isRecord(file.path) || (only ?? file.path) !== file.path) continue;
        byPath.set(file.path, [...(byPath.get(file.path) ?? []), [taskId, { store, file }]]);
      }
    }
    const found: ReviewedFile[] = [];
    for (const [path, owners] of [...byPath].sort(([a], [b]) => (a < b ? -1 : 1))) {
      owners.sort(([, a], [, b]) => (a.file.since < b.file.since ? -1 : 1));
      const [first] = owners;
      const reviewed = first && (await this.#reviewed(path, first[1]));
      if (reviewed) found.push({ ...reviewed, taskIds: owners.map(([taskId]) => taskId) });
    }
    return found;
  }

  /**
   * Returns what is wrong with the logs of these tasks' changes, in words for people; empty if nothing is.
   */
  async damage(taskIds: readonly TaskId[]): Promise<string[]> {
    const found = await Promise.all(taskIds.map((taskId) => this.#store(taskId).damage()));
    return found.filter((one) => one !== undefined);
  }

  /**
   * Returns a file's content before these tasks, or as the last of them left it. If they have not changed the
   * file, or the changes were kept or undone, returns its current content. `undefined`: there was no such
   * file.
   */
  async version(
    path: string,
    taskIds: readonly TaskId[],
    version: "before" | "left",
  ): Promise<Uint8Array | undefined> {
    if (version === "left") {
      const store = this.#store(taskIds.at(-1) ?? "");
      const state = (await store.read()).get(path)?.left.at(-1);
      if (state) return store.content(state);
    }
    const [file] = await this.files(taskIds, path);
    if (file) return file.before;
    return (await this.#elsewhere(path)) ? undefined : this.services.files.readFile(path);
  }

  /** Restores every file to what it was before the task, unless that would lose changes by others. */
  async undo(taskId: TaskId, mayWrite: MayWrite): Promise<UndoneFile[]> {
    await this.#settleLeft(taskId);
    const store = this.#store(taskId);
    await store.removeLeftovers(this.services.files);
    const undone: UndoneFile[] = [];
    // The last change first, as with any undoing.
    for (const file of [...(await store.read()).values()].reverse()) {
      if (isRecord(file.path)) continue;
      try {
        undone.push(await this.#undo(taskId, { store, file }, mayWrite));
      } catch (error) {
        if (!isUserError(error)) throw error;
        const { path } = file;
        undone.push({ path, type: "left", why: "failed", problem: error });
      }
    }
    return undone.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * Returns what {@link undo} would do to each file, sorted by path, if these tasks were undone one after the other.
   * Changes nothing.
   *
   * @param taskIds in the order of undoing, which is the newest first
   */
  async preview(taskIds: readonly TaskId[]): Promise<PreviewedFile[]> {
    const found = new Map<string, PreviewedFile>();
    const states = new Map<string, Uint8Array | undefined>();
    for (const [index, taskId] of taskIds.entries()) {
      await this.#settleLeft(taskId);
      const store = this.#store(taskId);
      for (const file of [...(await store.read()).values()].reverse()) {
        const { path } = file;
        if (isRecord(path) || found.get(path)?.type === "left") continue;
        try {
          const elsewhere = await this.#elsewhere(path, file);
          if (elsewhere) throw conflictError(path, elsewhere);
          const now = states.has(path) ? states.get(path) : (await this.#current(path)).bytes;
          const own = { store, file };
          const conflict = await this.#problemOf(taskId, own, now, taskIds.slice(0, index));
          if (conflict) throw conflictError(path, conflict.why, conflict.later);
          const before = await store.content(file.baseline);
          states.set(path, before);
          found.set(path, { path, type: before === undefined ? "removed" : "restored" });
        } catch (error) {
          if (!isUserError(error)) throw error;
          found.set(path, { path, type: "left", problem: error });
        }
      }
    }
    for (const [path, state] of states) {
      const isSame = same(state, (await this.#current(path)).bytes);
      if (isSame && found.get(path)?.type !== "left") found.delete(path);
    }
    return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * Makes the changes again that were undone at this time or later: files get the content that the task left, unless
   * somebody has changed them since. They can then be reviewed and undone as before.
   *
   * @param since ISO 8601
   */
  async redo(taskId: TaskId, since: string, mayWrite: MayWrite): Promise<UndoneFile[]> {
    const store = this.#store(taskId);
    await store.removeLeftovers(this.services.files);
    const redone: UndoneFile[] = [];
    for (const file of await store.undoneSince(since)) {
      const { path } = file;
      try {
        redone.push({ path, type: await this.#redo({ store, file }, mayWrite) });
      } catch (error) {
        if (!isUserError(error)) throw error;
        redone.push({ path, type: "left", why: "failed", problem: error });
      }
    }
    return redone;
  }

  /**
   * Writes files that were changed elsewhere, as changes of this task: they are reviewed and undone as any other. A file
   * that is not as it was when the landing was computed stays as it is, also one with unsaved changes. Doing it again
   * after a crash, with what is left to land by then, completes it.
   */
  async land(
    taskId: TaskId,
    files: readonly LandingFile[],
    mayWrite: MayWrite,
  ): Promise<LandedFile[]> {
    const landed: LandedFile[] = [];
    await this.#store(taskId).removeLeftovers(this.services.files);
    for (const file of files) {
      const { path } = file;
      try {
        await this.#land(taskId, file, mayWrite);
        landed.push({ path, type: "landed" });
      } catch (error) {
        if (!isUserError(error)) throw error;
        landed.push({ path, type: "left", problem: error });
      }
    }
    return landed;
  }

  async #land(
    taskId: TaskId,
    { path, before, after, executable }: LandingFile,
    mayWrite: MayWrite,
  ): Promise<void> {
    const elsewhere = await this.#elsewhere(path);
    if (elsewhere) throw conflictError(path, elsewhere);
    if (!same((await this.#current(path)).bytes, before)) {
      throw new UserError(
        "fileChangedSinceLanding",
        "{path} has changed meanwhile, so it stays as it is. Land the plan again.",
        { path },
      );
    }
    if (!(await this.#mayWrite(path, before, after, mayWrite, writing))) {
      throw conflictError(path, "protected");
    }
    const { files } = this.services;
    if (!same(before, after)) {
      await new TaskRecorder(this.#store(taskId), files).writing(path, before, after);
      await this.#put(path, before, after);
    }
    if (after && executable !== undefined) await this.#makeExecutable(taskId, path, executable);
  }

  async #makeExecutable(taskId: TaskId, path: string, executable: boolean): Promise<void> {
    const { files } = this.services;
    const mode = (await files.stat(path))?.mode;
    if (mode === undefined) return;
    const recorder = new TaskRecorder(this.#store(taskId), files);
    await recorder.before(path);
    // As git does: who may read a file may run it.
    await this.#restoreMode(path, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
    await recorder.after(path);
  }

  async #redo({ store, file }: Own, mayWrite: MayWrite): Promise<"restored" | "removed"> {
    const { path, baseline } = file;
    const elsewhere = await this.#elsewhere(path, file);
    if (elsewhere) throw conflictError(path, elsewhere);
    const state = file.left.at(-1);
    const { bytes: now } = await this.#current(path);
    if (state === undefined) throw conflictError(path, "unknown");
    const content = await store.content(state);
    // A process that was killed may have written the content, and no line.
    if (!same(content, now)) {
      if ((await store.isIn(baseline, now)) !== true) {
        throw new UserError(
          "fileChangedAfterRestore",
          "{path} was changed after it was restored, so it stays as it is. Revert what you want by hand.",
          { path },
        );
      }
      if (!(await this.#mayWrite(path, now, content, mayWrite)))
        throw conflictError(path, "protected");
      await this.#put(path, now, content);
    }
    const mode = state.kind === "kept" ? state.mode : undefined;
    if (content && mode !== undefined) await this.#restoreMode(path, mode);
    await store.append({ type: "before", path, state: baseline }, { type: "after", path, state });
    return content ? "restored" : "removed";
  }

  /**
   * Reverts a file, or a hunk of it, as a person saw it in a review.
   *
   * @throws {@link UserError} if the file is not as it was seen any more, or must not be restored
   */
  async revert(seen: ReviewedFile, hunk: Hunk | undefined, mayWrite: MayWrite): Promise<void> {
    const { path, now } = seen;
    const owners = await this.#owners(seen);
    const last = owners.at(-1);
    if (!last) return;
    if (!hunk) {
      const problem = await this.#problemOf(seen.taskIds.at(-1) ?? "", last, now);
      if (problem) throw conflictError(path, problem.why, problem.later);
      if (!(await this.#followOneAnother(owners))) throw conflictError(path, "mixed");
    }
    const content = hunk && now ? withoutHunk(now, hunk) : seen.before;
    if (!(await this.#mayWrite(path, now, content, mayWrite))) {
      throw conflictError(path, "protected");
    }
    // With a hunk reverted it is still the task's file, unless someone else changed it, too.
    if (hunk && (await this.#isAsLeft(last, now))) {
      const state = await last.store.keep(content);
      await last.store.append({ type: "after", path, state });
    }
    await this.#put(path, now, content);
    if (hunk) return;
    const mode = owners[0]?.file.baseline.kind === "kept" && owners[0].file.baseline.mode;
    if (content && typeof mode === "number") await this.#restoreMode(path, mode);
    for (const { store } of owners) await store.append({ type: "settled", path, how: "undone" });
  }

  /**
   * Accepts a file, or a hunk of it, as a person saw it: it no longer counts as a change of the task.
   *
   * @throws {@link UserError} if the file is not as it was seen any more, or several tasks changed the file
   *   of a hunk
   */
  async keep(seen: ReviewedFile, hunk: Hunk | undefined): Promise<void> {
    const { path, before } = seen;
    const owners = await this.#owners(seen);
    if (hunk && before) {
      const [only, ...others] = owners;
      if (!only || others.length > 0) {
        throw new UserError(
          "hunkOfSeveralTasks",
          "Several tasks changed {path}. Keep all of it, or review one task.",
          { path },
        );
      }
      const { mode } = only.file.baseline.kind === "kept" ? only.file.baseline : {};
      const state = await only.store.keep(withHunk(before, hunk), mode);
      await only.store.append({ type: "baseline", path, state });
      return;
    }
    for (const { store } of owners) await store.append({ type: "settled", path, how: "kept" });
  }

  /** Records the changes of a command that was interrupted when its process was killed. */
  async #settleLeft(taskId: TaskId): Promise<void> {
    const { files, clock, signer, snapshots, search } = this.services;
    if (snapshots === undefined || search === undefined) return;
    const owner = `${this.folder}/${taskId}`;
    const others = (since: number) =>
      otherTasks({ files: this.#state, clock, signer }, owner, since);
    const workspace = { snapshots, search, owner, others };
    await new TaskRecorder(this.#store(taskId), files, workspace).settleLeft();
  }

  async #reviewed(path: string, { store, file }: Own): Promise<ReviewedFile | undefined> {
    const shown = { path, taskIds: [] };
    try {
      const elsewhere = await this.#elsewhere(path, file);
      if (elsewhere) throw conflictError(path, elsewhere);
      const before = await store.content(file.baseline);
      const { bytes: now } = await this.#current(path);
      const old = file.baseline.kind === "kept" ? file.baseline.mode : undefined;
      const mode =
        now && old !== undefined ? (await this.services.files.stat(path))?.mode : undefined;
      const modes =
        mode !== undefined && old !== undefined && mode !== old
          ? { modes: { before: old, now: mode } }
          : {};
      if (!("modes" in modes) && same(before, now)) return undefined;
      return { ...shown, before, now, ...modes };
    } catch (error) {
      if (!isUserError(error)) throw error;
      return { ...shown, before: undefined, now: undefined, problem: error };
    }
  }

  async #undo(taskId: TaskId, own: Own, mayWrite: MayWrite): Promise<UndoneFile> {
    const { store, file } = own;
    const { path, baseline } = file;
    const elsewhere = await this.#elsewhere(path, file);
    if (elsewhere)
      return { path, type: "left", why: elsewhere, problem: conflictError(path, elsewhere) };
    const { bytes: now } = await this.#current(path);
    const conflict = await this.#problemOf(taskId, own, now);
    if (conflict) {
      const { why, later } = conflict;
      const problem = conflictError(path, why, later);
      const left = await this.#left(own);
      const since = left && !same(left.bytes, now) ? { since: { left: left.bytes, now } } : {};
      return { path, type: "left", why, problem, ...since };
    }
    const before = await store.content(baseline);
    const mode = baseline.kind === "kept" ? baseline.mode : undefined;
    const isSame = same(before, now);
    const modeNow = mode === undefined ? undefined : (await this.services.files.stat(path))?.mode;
    if (!isSame || modeNow !== mode) {
      if (!(await this.#mayWrite(path, now, before, mayWrite))) {
        return { path, type: "left", why: "protected", problem: conflictError(path, "protected") };
      }
    }
    if (!isSame && !(await this.#isAsLeft({ store, file: latest(file) }, now))) {
      // A person has reverted a part of it: `redo` brings back what was there.
      await store.append({ type: "after", path, state: await store.keep(now, modeNow) });
    }
    if (!isSame) await this.#put(path, now, before);
    if (before && mode !== undefined) await this.#restoreMode(path, mode);
    await store.append({ type: "settled", path, how: "undone" });
    if (isSame && modeNow === mode) return { path, type: "unchanged" };
    return { path, type: before ? "restored" : "removed" };
  }

  /**
   * Returns why a file cannot be restored; `undefined` if it can.
   *
   * @param gone tasks whose changes count as undone
   */
  async #problemOf(
    taskId: TaskId,
    own: Own,
    now: Uint8Array | undefined,
    gone: readonly TaskId[] = [],
  ): Promise<{ why: RestoreConflict; later?: string } | undefined> {
    const { store, file } = own;
    if (file.baseline.kind !== "kept" && file.baseline.kind !== "absent") {
      return { why: unkept(file.baseline) };
    }
    if (await store.isIn(file.baseline, now)) return undefined;
    const fits = file.mixed ? ({ why: "mixed" } as const) : undefined;
    if (await this.#isAsLeft(own, now)) return fits;
    const later = await this.#later(file, [taskId, ...gone]);
    if (later !== undefined) return { why: "later", later };
    const left = await this.#left(own);
    if (left && isPartOf(await store.content(file.baseline), left.bytes, now)) return fits;
    return { why: file.left.at(-1)?.kind === "unknown" ? "unknown" : "changed" };
  }

  /** Returns whether each task began with what the one before had left. */
  async #followOneAnother(owners: readonly Own[]): Promise<boolean> {
    for (const [index, { store, file }] of owners.entries()) {
      const before = owners[index - 1];
      if (before && !(await this.#isAsLeft(before, await store.content(file.baseline)))) {
        return false;
      }
    }
    return true;
  }

  async #isAsLeft({ store, file }: Own, now: Uint8Array | undefined): Promise<boolean> {
    for (const state of file.left) if (await store.isIn(state, now)) return true;
    return false;
  }

  async #left({ store, file }: Own): Promise<{ bytes: Uint8Array | undefined } | undefined> {
    const state = file.left.at(-1);
    try {
      return state && { bytes: await store.content(state) };
    } catch {
      return undefined;
    }
  }

  /** Returns the last task that changed the file after this change; `without` are left out. */
  async #later(file: ChangedFile, without: readonly TaskId[]): Promise<string | undefined> {
    let latest: { taskId: TaskId; since: string } | undefined;
    for (const { name, kind } of await this.#state.readDirectory(this.folder)) {
      if (kind !== "folder" || without.includes(name)) continue;
      const other = (await this.#readable(name))?.get(file.path);
      if (!other || other.since <= (latest?.since ?? file.since)) continue;
      latest = { taskId: name, since: other.since };
    }
    return latest?.taskId;
  }

  /** Returns what another task has changed; `undefined` if its log cannot be read. */
  async #readable(taskId: TaskId): Promise<ReadonlyMap<string, ChangedFile> | undefined> {
    try {
      return await this.#store(taskId).read();
    } catch (error) {
      if (!isUserError(error)) throw error;
      return undefined;
    }
  }

  async #elsewhere(path: string, file?: ChangedFile): Promise<RestoreConflict | undefined> {
    const { files } = this.services;
    const location = await files.locate(path);
    if (!location.inside) return "outside";
    if (file?.baseline.kind === "unkept") return unkept(file.baseline);
    const stat = await files.stat(path);
    return location.path !== path || (stat && stat.kind !== "file") ? "elsewhere" : undefined;
  }

  async #owners(seen: ReviewedFile): Promise<Own[]> {
    const { path } = seen;
    const elsewhere = await this.#elsewhere(path);
    if (elsewhere) throw conflictError(path, elsewhere);
    const { bytes } = await this.#current(path);
    if (!same(bytes, seen.now)) throw changedMeanwhile(path);
    const owners: Own[] = [];
    for (const taskId of seen.taskIds) {
      const store = this.#store(taskId);
      const file = (await store.read()).get(path);
      if (file) owners.push({ store, file });
    }
    const [first] = owners;
    if (!first || !same(await first.store.content(first.file.baseline), seen.before)) {
      throw changedMeanwhile(path);
    }
    return owners;
  }

  async #mayWrite(
    path: string,
    now: Uint8Array | undefined,
    content: Uint8Array | undefined,
    mayWrite: MayWrite,
    title: (path: string) => Words = restoring,
  ): Promise<boolean> {
    if (!isProtected(path)) return true;
    return mayWrite({
      access: "write",
      title: (content ? title : removing)(visibleText(path)),
      path,
      inside: true,
      preview: { kind: "diff", text: visibleText(changeDiff(path, now, content)) },
    });
  }

  async #put(
    path: string,
    now: Uint8Array | undefined,
    content: Uint8Array | undefined,
  ): Promise<void> {
    const { files, documents } = this.services;
    const { bytes, unsaved } = await this.#current(path);
    let done = same(bytes, now);
    if (done && content === undefined) {
      done = !unsaved;
      if (done) await files.removeFile(path);
    } else if (done && content) {
      if (now === undefined) done = await files.createFile(path, content, { located: true });
      else if (unsaved) done = await documents.replace(path, content, now);
      else done = await files.replaceFile(path, content, { expected: now, located: true });
    }
    if (!done) throw changedMeanwhile(path);
  }

  /** Returns a file's content, with an editor's unsaved changes. */
  async #current(path: string): Promise<{ bytes: Uint8Array | undefined; unsaved: boolean }> {
    const { files, documents } = this.services;
    const unsaved = await documents.unsaved(path);
    return { bytes: unsaved ?? (await files.readFile(path)), unsaved: unsaved !== undefined };
  }

  async #restoreMode(path: string, mode: number): Promise<void> {
    const { files } = this.services;
    const now = (await files.stat(path))?.mode;
    if (now !== undefined && now !== mode) await files.setMode(path, mode);
  }

  #store(taskId: TaskId): ChangeStore {
    const { clock, signer } = this.services;
    if (taskId.includes("/") || taskId.startsWith(".")) {
      throw new UserError("taskUnknown", "There is no task {taskId} here.", { taskId });
    }
    const known = this.#stores.get(taskId);
    const store = known ?? new ChangeStore(this.#state, clock, signer, `${this.folder}/${taskId}`);
    this.#stores.set(taskId, store);
    return store;
  }
}

/** Returns the change with only the state in which the task left the file last. */
function latest(file: ChangedFile): ChangedFile {
  return { ...file, left: file.left.slice(-1) };
}

function same(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameBytes(a, b);
}

const writing = (path: string) => words("Write {path}", { path });
const restoring = (path: string) => words("Restore {path}", { path });
const removing = (path: string) => words("Remove {path}", { path });

function changedMeanwhile(path: string): UserError {
  return new UserError("fileJustChanged", "{path} has just changed. Look at it again.", { path });
}

/** The reason why a task's file is not restored. */
type RestoreConflict =
  | "changed"
  | "later"
  | "mixed"
  | "unknown"
  | "unkept"
  | "tooBig"
  | "ignored"
  | "outside"
  | "elsewhere"
  | "protected";

/** Returns why the content of a file before the task is not known. */
function unkept(baseline: FileState): RestoreConflict {
  return baseline.kind === "unkept" ? (baseline.why ?? "unkept") : "unkept";
}

/**
 * Returns an error that says why a file is not restored and what the user can do.
 *
 * @param later the task that changed the file after this one
 */
function conflictError(path: string, why: RestoreConflict, later = ""): UserError {
  switch (why) {
    case "changed":
      return new UserError(
        "fileChangedAfterTask",
        "{path} was changed after the task. Revert what you want by hand, or in its review.",
        { path },
      );
    case "later":
      return new UserError(
        "fileChangedByLaterTask",
        "{path} was changed by a later task, {later}. Undo that one first.",
        { path, later },
      );
    case "mixed":
      return new UserError(
        "fileChangedMeanwhile",
        "{path} was also changed by somebody else while the task worked. Revert what you want in its review.",
        { path },
      );
    case "unknown":
      return new UserError(
        "fileOwnerUnknown",
        "A command that may have changed {path} was interrupted, so it is not known which changes are the task's. Revert what you want in its review.",
        { path },
      );
    case "unkept":
      return new UserError(
        "fileNotKept",
        "The earlier content of {path} is not known, so it cannot be restored.",
        { path },
      );
    case "tooBig":
      return new UserError(
        "fileTooBigToKeep",
        "{path} was too big for its earlier content to be kept.",
        { path },
      );
    case "ignored":
      return new UserError(
        "fileIgnoredByGit",
        "Git ignored {path}, so its earlier content was not kept.",
        { path },
      );
    case "outside":
      return new UserError("fileOutside", "{path} is outside the workspace. Revert it by hand.", {
        path,
      });
    case "elsewhere":
      return new UserError(
        "fileReplaced",
        "{path} is no longer a regular file, but a folder or a link. Put the file back, then try again.",
        { path },
      );
    case "protected":
      return new UserError(
        "fileProtected",
        "{path} controls tools, editors or agents, and nobody allowed to write it. Revert it by hand.",
        { path },
      );
  }
}
