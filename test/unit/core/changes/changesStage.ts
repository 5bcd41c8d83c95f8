import { ChangeStore } from "../../../../src/core/changes/changeStore.js";
import { otherTasks, recordChanges } from "../../../../src/core/changes/commandChanges.js";
import { type MayWrite, TaskChanges } from "../../../../src/core/changes/taskChanges.js";
import { TaskRecorder } from "../../../../src/core/changes/taskRecorder.js";
import type { Search } from "../../../../src/core/ports/search.js";
import type { Snapshot } from "../../../../src/core/ports/snapshots.js";
import { spoken } from "../../../../src/core/text/words.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryDocuments } from "../../../fakes/memoryDocuments.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemorySearch } from "../../../fakes/memorySearch.js";
import { MemorySnapshots } from "../../../fakes/memorySnapshots.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const folder = ".rooroo/tasks";
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Tasks that change files of a workspace in memory, and what can be done about that. */
export class ChangesStage {
  readonly files: MemoryFileSystem;
  readonly documents: MemoryDocuments;
  readonly clock = new ManualClock();
  /** Titles of what was asked about. */
  readonly asked: string[] = [];
  answer = true;
  readonly snapshots: MemorySnapshots;
  /** Whether there are more files than can be watched. */
  tooMany = false;
  /** Called between a command's end and the record of what it has changed. */
  afterCommand = (): void => undefined;
  readonly #recorders = new Map<string, TaskRecorder>();

  constructor(files: MemoryFileSystem | Record<string, string> = {}, snapshots?: MemorySnapshots) {
    this.files = files instanceof MemoryFileSystem ? files : new MemoryFileSystem(files);
    this.documents = new MemoryDocuments(this.files);
    this.snapshots = snapshots ?? new MemorySnapshots(this.files);
  }

  /** Returns the same disk, for the next process. */
  restarted(): ChangesStage {
    return new ChangesStage(this.files, this.snapshots);
  }

  /** Runs a command of which nobody knows what it will write. Returns what is said about it. */
  async script(
    taskId: string,
    work: (files: MemoryFileSystem) => void | Promise<void>,
  ): Promise<readonly string[]> {
    this.clock.advance(1000);
    const watch = await this.recorder(taskId).watch();
    await work(this.files);
    this.afterCommand();
    return watch.settle();
  }

  /** Returns what is said when these changes are recorded. */
  recorded(taskId: string, snapshot: Snapshot): Promise<readonly string[]> {
    const snapshots = { take: () => Promise.resolve(snapshot), left: () => Promise.resolve([]) };
    const { files, clock } = this;
    const store = new ChangeStore(files, clock, new PlainSigner(), `${folder}/${taskId}`);
    const others = () => Promise.resolve([]);
    const world = { snapshots, search: new MemorySearch(files), owner: taskId, others };
    return recordChanges(snapshot, { ...world, store, files });
  }

  get #search(): Pick<Search, "files"> {
    const search = new MemorySearch(this.files);
    return {
      files: async (query, signal) => {
        const { paths } = await search.files(query, signal);
        return { paths, truncated: this.tooMany };
      },
    };
  }

  /** Returns the recorder of one agent session of a task. */
  recorder(taskId: string): TaskRecorder {
    const known = this.#recorders.get(taskId);
    const store = new ChangeStore(this.files, this.clock, new PlainSigner(), `${folder}/${taskId}`);
    const owner = `${folder}/${taskId}`;
    const state = { files: this.files, clock: this.clock, signer: new PlainSigner() };
    const recorder =
      known ??
      new TaskRecorder(store, this.files, {
        snapshots: this.snapshots,
        search: this.#search,
        owner,
        others: (since) => otherTasks(state, owner, since),
      });
    this.#recorders.set(taskId, recorder);
    return recorder;
  }

  /** Writes as a tool does, a moment later; `undefined` removes the file. */
  async write(taskId: string, path: string, text: string | undefined): Promise<void> {
    this.clock.advance(1000);
    const before = await this.files.readFile(path);
    const after = text === undefined ? undefined : bytes(text);
    await this.recorder(taskId).writing(path, before, after);
    if (after === undefined) await this.files.removeFile(path);
    else if (before) await this.files.replaceFile(path, after, { expected: before });
    else await this.files.createFile(path, after);
  }

  /** Runs a command that is known to write this path. */
  async command(taskId: string, path: string, work: () => void | Promise<void>): Promise<void> {
    this.clock.advance(1000);
    await this.recorder(taskId).before(path);
    await work();
    await this.recorder(taskId).after(path);
  }

  /** The changes as another process sees them now. */
  get changes(): TaskChanges {
    const { files, documents, clock, snapshots } = this;
    const signer = new PlainSigner();
    const world = { files, signer, documents, clock, snapshots, search: this.#search };
    return new TaskChanges(world, folder);
  }

  readonly mayWrite: MayWrite = ({ title }) => {
    this.asked.push(spoken(title));
    return Promise.resolve(this.answer);
  };

  /** Undoes a task's changes. Returns what became of each file, as in `a: restored`, or `a: left, changed`. */
  async undo(taskId: string): Promise<string[]> {
    const undone = await this.changes.undo(taskId, this.mayWrite);
    return undone.map((one) =>
      one.type === "left" ? `${one.path}: left, ${one.why}` : `${one.path}: ${one.type}`,
    );
  }

  /** The files of the project itself. */
  get project(): Record<string, string | undefined> {
    const paths = this.files.paths.filter((path) => !/^(\.rooroo)?\//.test(path));
    return Object.fromEntries(paths.map((path) => [path, this.files.text(path)]));
  }
}
