import {
  type ExpertNamed,
  append,
  changeTask,
  entriesIn,
  formatQueueEntry,
  insertAtHead,
  parseQueue,
  readQueue,
  type QueueEntry,
  type QueueLine,
  removeTask,
} from "../../documents/queue.js";
import { saidBy, UserError } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import { LockedDocument } from "../../work/lockedDocument.js";
import { atATime } from "../tasks/taskStore.js";
import { queuePath } from "./queuePath.js";

/** The most bytes of a queue that is still read: some hundred thousand tasks. */
const maxSize = 100_000_000;

/**
 * The queue's file. Every change is applied to the file's current content, under a lock among all
 * processes, so that an edit made meanwhile by a person or a tool survives.
 */
export class QueueStore {
  readonly #file: LockedDocument;

  constructor(
    private readonly files: FileSystem,
    lock: Lock,
    private readonly expertNamed: ExpertNamed,
  ) {
    this.#file = new LockedDocument(files, lock, { path: queuePath, lock: "queue", most: maxSize });
  }

  /** Returns all lines of the file; for a file that cannot be read, one problem line that says why. */
  async lines(): Promise<QueueLine[]> {
    let text: string;
    try {
      text = await this.#file.text();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return [{ line: 1, raw: "", kind: "problem", reason: saidBy(error), isJson: false }];
    }
    const lines = parseQueue(text, this.expertNamed);
    return lines.some(lacksGoal) ? atATime.map(lines, (line) => this.#completed(line)) : lines;
  }

  /** Takes the goal of an entry without one from its context file; without a goal there, it cannot be used. */
  async #completed(line: QueueLine): Promise<QueueLine> {
    if (!lacksGoal(line)) return line;
    const { goalOf } = await import("./goalFromContext.js");
    const goal = await goalOf(line.entry.contextPath, this.files);
    if (typeof goal === "string") return { ...line, entry: { ...line.entry, goal } };
    const { raw, line: row } = line;
    return { raw, line: row, kind: "problem", isJson: true, reason: goal };
  }

  /** Returns the entries that can run, in queue order. */
  async entries(): Promise<QueueEntry[]> {
    return entriesIn(await this.lines());
  }

  /** Returns the first entry that can run; parses no further than that. */
  async head(): Promise<QueueEntry | undefined> {
    for (const read of readQueue(await this.#file.text(), this.expertNamed)) {
      const line = await this.#completed(read);
      if (line.kind === "task") return line.entry;
    }
    return undefined;
  }

  /** Puts the entries that are not queued yet at the head, in the given order (R-ROO-26). */
  async putAtHead(entries: readonly QueueEntry[]): Promise<void> {
    await this.change((text) => {
      // A long queue is parsed only if one of the entries is in it, which is rare.
      const some = entries.some(({ taskId }) => text.includes(taskId));
      const queued = new Set(
        (some ? parseQueue(text, this.expertNamed) : []).map((line) =>
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
    await this.change((text) => append(text, formatQueueEntry(entry)));
  }

  async remove(taskId: TaskId): Promise<void> {
    await this.change((text) => removeTask(text, taskId));
  }

  /**
   * Changes the tasks of a plan that have not begun. If the plan waits for the user before its first task that has
   * not begun, it waits before the one that is the first afterwards.
   *
   * @param begun the tasks of the plan that have begun
   * @param operation returns the new text; gets the plan's tasks that have not begun, in queue order, and the id of
   *   the entry behind the plan, or `null`
   */
  async changePlan(
    planId: string,
    begun: ReadonlySet<TaskId>,
    operation: (text: string, waiting: readonly QueueEntry[], after: TaskId | null) => string,
  ): Promise<void> {
    const read = (text: string): { waiting: QueueEntry[]; after: TaskId | null } => {
      const entries = entriesIn(parseQueue(text, this.expertNamed));
      const last = entries.findLastIndex((entry) => entry.planId === planId);
      const waiting = entries.filter((one) => one.planId === planId && !begun.has(one.taskId));
      return { waiting, after: entries[last + 1]?.taskId ?? null };
    };
    await this.change((text) => {
      const before = read(text);
      const changed = operation(text, before.waiting, before.after);
      const [was] = before.waiting;
      const [is] = read(changed).waiting;
      if (was?.autoProceed !== false || is === undefined || is.taskId === was.taskId)
        return changed;
      const released = changeTask(changed, was.taskId, { autoProceed: true });
      return changeTask(released, is.taskId, { autoProceed: false });
    });
  }

  /** Replaces the text by what the operation returns for it. */
  async change(operation: (text: string) => string): Promise<void> {
    await this.#file.change((text) => ({ text: operation(text), result: undefined }));
  }
}

function lacksGoal(line: QueueLine): line is Extract<QueueLine, { kind: "task" }> {
  return line.kind === "task" && line.entry.goal === "";
}
