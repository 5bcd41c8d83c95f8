import { ChangeStore } from "../../../../src/core/changes/changeStore.js";
import { type MayWrite, TaskChanges } from "../../../../src/core/changes/taskChanges.js";
import { TaskRecorder } from "../../../../src/core/changes/taskRecorder.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryDocuments } from "../../../fakes/memoryDocuments.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
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
  readonly #recorders = new Map<string, TaskRecorder>();

  constructor(files: MemoryFileSystem | Record<string, string> = {}) {
    this.files = files instanceof MemoryFileSystem ? files : new MemoryFileSystem(files);
    this.documents = new MemoryDocuments(this.files);
  }

  /** Of one activation of a task. */
  recorder(taskId: string): TaskRecorder {
    const known = this.#recorders.get(taskId);
    const store = new ChangeStore(this.files, this.clock, new PlainSigner(), `${folder}/${taskId}`);
    const recorder = known ?? new TaskRecorder(store, this.files);
    this.#recorders.set(taskId, recorder);
    return recorder;
  }

  /** A tool's write, a moment later; `undefined` removes the file. */
  async write(taskId: string, path: string, text: string | undefined): Promise<void> {
    this.clock.advance(1000);
    const before = await this.files.readFile(path);
    const after = text === undefined ? undefined : bytes(text);
    await this.recorder(taskId).writing(path, before, after);
    if (after === undefined) await this.files.removeFile(path);
    else if (before) await this.files.replaceFile(path, after, { expected: before });
    else await this.files.createFile(path, after);
  }

  /** A command that is known to write this path. */
  async command(taskId: string, path: string, work: () => void | Promise<void>): Promise<void> {
    this.clock.advance(1000);
    await this.recorder(taskId).before(path);
    await work();
    await this.recorder(taskId).after(path);
  }

  /** As another process sees them now. */
  get changes(): TaskChanges {
    const { files, documents, clock } = this;
    return new TaskChanges({ files, signer: new PlainSigner(), documents, clock }, folder);
  }

  readonly mayWrite: MayWrite = ({ title }) => {
    this.asked.push(title);
    return Promise.resolve(this.answer);
  };

  /** As in `a: restored`, or `a: left, changed`. */
  async undo(taskId: string): Promise<string[]> {
    const undone = await this.changes.undo(taskId, this.mayWrite);
    return undone.map((one) =>
      one.type === "left" ? `${one.path}: left, ${one.why}` : `${one.path}: ${one.type}`,
    );
  }

  /** What there is of the project itself. */
  get project(): Record<string, string | undefined> {
    const paths = this.files.paths.filter((path) => !path.startsWith(".rooroo/"));
    return Object.fromEntries(paths.map((path) => [path, this.files.text(path)]));
  }
}
