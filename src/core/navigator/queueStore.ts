import {
  append,
  formatQueueEntry,
  insertAtHead,
  moveTask,
  parseQueue,
  readQueue,
  type QueueEntry,
  type QueueLine,
  removeTask,
} from "../documents/queue.js";
import { decodeLossless, encodeLossless } from "../documents/losslessText.js";
import { UserError } from "../errors.js";
import type { FileSystem, Lock } from "../ports.js";
import { readOwnDocument } from "../tools/namedFile.js";
import { queuePath } from "./queuePath.js";

/** A program that saves the file again and again wins so often, no more. */
const attempts = 20;

/** Bytes of a queue that is still read: some hundred thousand tasks. */
const maxSize = 100_000_000;

/**
 * The queue's file. Every change is an operation on what the file says at that moment, alone among
 * all processes, so that an edit made meanwhile by a person or a tool survives.
 */
export class QueueStore {
  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    private readonly isKnownMode: (slug: string) => boolean,
  ) {}

  /** All of the file; of one that cannot be read a single line, which says why. */
  async lines(): Promise<QueueLine[]> {
    let text: string;
    try {
      text = await this.#text();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return [{ line: 1, raw: "", kind: "problem", reason: error.message }];
    }
    return parseQueue(text, this.isKnownMode);
  }

  /** Those that can run, head first. */
  async entries(): Promise<QueueEntry[]> {
    return (await this.lines()).flatMap((line) => (line.kind === "task" ? [line.entry] : []));
  }

  /** The first that can run; reads no further than it must. */
  async head(): Promise<QueueEntry | undefined> {
    for (const line of readQueue(await this.#text(), this.isKnownMode)) {
      if (line.kind === "task") return line.entry;
    }
    return undefined;
  }

  /** Puts those at the head that are not queued yet, in their own order (R-ROO-26). */
  async putAtHead(entries: readonly QueueEntry[]): Promise<void> {
    await this.#change((text) => {
      // A long queue is parsed only if one of them stands in it, which is rare.
      const some = entries.some(({ taskId }) => text.includes(taskId));
      const queued = new Set(
        (some ? parseQueue(text, this.isKnownMode) : []).map((line) =>
          line.kind === "task" ? line.entry.taskId : "",
        ),
      );
      const lines = entries.flatMap((entry, index) =>
        queued.has(entry.taskId)
          ? []
          : [formatQueueEntry(entry, entries.length > 1 ? index + 1 : undefined)],
      );
      return insertAtHead(text, lines);
    });
  }

  async append(entry: QueueEntry): Promise<void> {
    await this.#change((text) => append(text, formatQueueEntry(entry)));
  }

  /** @param before a task's id; `null`: to the end */
  async move(taskId: string, before: string | null): Promise<void> {
    await this.#change((text) => moveTask(text, taskId, before));
  }

  async remove(taskId: string): Promise<void> {
    await this.#change((text) => removeTask(text, taskId));
  }

  /** Editors know nothing of the lock: what one saves meanwhile is what the operation is done on. */
  async #change(operation: (text: string) => string): Promise<void> {
    await this.lock.exclusively("queue", async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        const expected = await readOwnDocument(queuePath, this.files, maxSize);
        const before = expected === undefined ? "" : decodeLossless(expected);
        const after = operation(before);
        if (after === before) return;
        const content = encodeLossless(after);
        const done =
          expected === undefined
            ? await this.files.createFile(queuePath, content)
            : await this.files.replaceFile(queuePath, content, { expected });
        if (done) return;
      }
      throw new UserError(
        `${queuePath} is being changed by another program all the time, so it is left as it is. End that, then try again.`,
      );
    });
  }

  async #text(): Promise<string> {
    const bytes = await readOwnDocument(queuePath, this.files, maxSize);
    return bytes === undefined ? "" : decodeLossless(bytes);
  }
}
