import type { MayWrite, PreviewedFile, TaskChanges } from "../changes/taskChanges.js";
import type { ConversationStore } from "../conversation/conversationStore.js";
import type { ConversationEvent, LongWork, RestoreScope } from "../conversation/events.js";
import { standingEvents } from "../conversation/standingEvents.js";
import { titleOf } from "../conversation/titleOf.js";
import { UserError } from "../errors.js";
import type { ConversationId, TaskId } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import type { Clock, Ids, Signer } from "../ports/system.js";
import { drainLock } from "./queueRunner.js";
import type { QueueStore } from "./queueStore.js";
import { taskLock } from "./taskIds.js";
import { type LeftFile, restoredText, undoneText, unfinishedText } from "./restoreText.js";
import { type TaskRecord, type TaskStore, tasksFolder } from "./taskStore.js";
import { recordUndone, type UndoneOfTask } from "./undoTrace.js";
import { whileNotRunning } from "./whileNotRunning.js";

type EventOf<Type extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: Type }>;
type Restored = EventOf<"restored">;
type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;

export interface CheckpointParts {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signer: Signer;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly conversations: ConversationStore;
  readonly changes: TaskChanges;
  readonly mayWrite: MayWrite;
  readonly publish: (
    event: WithoutTime<ConversationEvent>,
    conversation: ConversationId | undefined,
  ) => void;
}

/** A message of the user to which files and conversation can be restored. */
export interface Checkpoint {
  readonly messageId: string;
  /** ISO 8601. */
  readonly at: string;
  /** The message in short. */
  readonly title: string;
}

/** The effects that a restore would have. */
export interface RestorePreview extends Checkpoint {
  readonly files: readonly PreviewedFile[];
  /** Problems in the logs of changes, because of which files may be missing. */
  readonly damage: readonly string[];
  /** Goals of tasks that have not ended: with the conversation, they leave queue and lists. */
  readonly unfinished: readonly string[];
  /** Goals of tasks that began before the message and went on after it: their changes stay. */
  readonly earlier: readonly string[];
  /** Jobs and runs that were begun after the message: they stay, with what they have written. */
  readonly works: readonly LongWork[];
}

/** The outcome of a restore that has been carried out. */
export interface RestoreResult {
  /** Number of files. */
  readonly files: number;
  readonly left: readonly LeftFile[];
}

/** The tasks and works that a restore affects. */
interface Extent {
  readonly checkpoint: Checkpoint;
  /** The newest first. */
  readonly tasks: readonly TaskId[];
  readonly unfinished: readonly { readonly taskId: TaskId; readonly goal: string }[];
  readonly earlier: readonly string[];
  readonly works: readonly LongWork[];
}

/**
 * Restores files, a conversation, or both to before a message of the user: from what the logs of changes and the
 * conversation's file hold. An event says first what will be done, so that it can be finished or undone whenever the
 * process ends; each step can be made twice.
 */
export class Checkpoints {
  constructor(
    private readonly parts: CheckpointParts,
    private readonly conversation: ConversationId,
  ) {}

  /** Returns the messages that the user can restore to, oldest first. */
  async list(): Promise<Checkpoint[]> {
    return standingEvents(await this.#events()).flatMap((event) =>
      event.type === "user" ? [checkpointOf(event)] : [],
    );
  }

  /** Returns the id of the last restore that was not undone; `undefined` if there is none. */
  async lastRestore(): Promise<string | undefined> {
    const events = await this.#events();
    const undone = events.flatMap((one) => (one.type === "restoreUndone" ? [one.restoreId] : []));
    const last = events.findLast(
      (one) => one.type === "restored" && !undone.includes(one.restoreId),
    );
    return last?.type === "restored" ? last.restoreId : undefined;
  }

  /**
   * Returns what a restore to before a message would do; changes nothing.
   *
   * @throws a `UserError` if there is no such message
   */
  async preview(messageId: string): Promise<RestorePreview> {
    const { changes } = this.parts;
    const { checkpoint, tasks, unfinished, earlier, works } = await this.#extent(messageId);
    return {
      ...checkpoint,
      files: await changes.preview(tasks),
      damage: await changes.damage(tasks),
      unfinished: unfinished.map(({ goal }) => goal),
      earlier,
      works,
    };
  }

  /**
   * Restores to before a message.
   *
   * @throws a `UserError` if there is no such message, something is running, or the conversation cannot be written
   */
  async restore(messageId: string, scope: RestoreScope): Promise<RestoreResult> {
    const { ids, publish, queue } = this.parts;
    const { checkpoint, tasks, unfinished } = await this.#extent(messageId);
    const entries = new Map((await queue.entries()).map((entry) => [entry.taskId, entry]));
    return this.#whileNotRunning(tasks, async () => {
      const restoreId = `r-${ids.hex(12)}`;
      const { at: messageAt, title } = checkpoint;
      publish(
        {
          type: "restored",
          restoreId,
          scope,
          messageId,
          messageAt,
          title,
          text: unfinishedText(scope, title),
          tasks: scope === "conversation" ? [] : [...tasks],
          unfinished:
            scope === "files"
              ? []
              : unfinished.map(({ taskId }) => {
                  const entry = entries.get(taskId);
                  return entry === undefined ? { taskId } : { taskId, entry };
                }),
        },
        this.conversation,
      );
      await this.#written();
      return this.#carryOut(await this.#restored(restoreId));
    });
  }

  /** Goes on with a restore that was cut off. Throws as {@link restore} does. */
  async finish(restoreId: string): Promise<RestoreResult> {
    const restored = await this.#restored(restoreId);
    return this.#whileNotRunning(restored.tasks, () => this.#carryOut(restored));
  }

  /**
   * Undoes a restore, whether it has ended or was cut off. Queued tasks are queued again, and wait there until the user
   * proceeds. Throws as {@link restore} does.
   */
  async undo(restoreId: string): Promise<RestoreResult> {
    const restored = await this.#restored(restoreId);
    const { changes, store, mayWrite, publish } = this.parts;
    return this.#whileNotRunning(restored.tasks, async () => {
      // Where it was cut off, a file may be restored of which the log does not say so.
      if (!(await this.#hasEnded(restoreId))) await this.#carryOut(restored);
      const left: LeftFile[] = [];
      const tasks: TaskId[] = [];
      let files = 0;
      for (const taskId of restored.tasks.toReversed()) {
        const redone = await changes.redo(taskId, restored.at, mayWrite);
        const refused = redone.filter((one) => one.type === "left");
        left.push(...refused.map(({ path, problem }) => ({ path, why: problem.message })));
        files += redone.length - refused.length;
        if (refused.length > 0) continue;
        tasks.push(taskId);
        await store.removeUndone(taskId);
      }
      await this.#putBack(restored);
      const text = left.length === 0 ? {} : { text: undoneText(left) };
      publish({ type: "restoreUndone", restoreId, tasks, ...text }, this.conversation);
      await this.#written();
      return { files, left };
    });
  }

  async #carryOut(restored: Restored): Promise<RestoreResult> {
    const { restoreId, tasks, unfinished } = restored;
    const { queue, store, changes, mayWrite, publish } = this.parts;
    for (const { taskId } of unfinished) {
      // The queue first: what is not in it does not go on, whatever happens.
      await queue.remove(taskId);
      await store.markRemoved(taskId);
    }
    const undone: UndoneOfTask[] = [];
    for (const taskId of tasks) {
      const ofTask = await changes.undo(taskId, mayWrite);
      undone.push(...ofTask.map((one) => ({ ...one, taskId })));
    }
    for (const { event, conversation } of await recordUndone(undone, this.parts)) {
      publish(event, conversation ?? this.conversation);
    }
    const refused = undone.filter((one) => one.type === "left");
    // Of a file that several tasks changed, the newest reason counts.
    const byPath = new Map(
      refused.toReversed().map(({ path, problem }) => [path, { path, why: problem.message }]),
    );
    const left = [...byPath.values()];
    const files = new Set(
      undone.flatMap(({ path, type }) => (type === "unchanged" || byPath.has(path) ? [] : [path])),
    ).size;
    const level = left.length === 0 ? "info" : "warning";
    const text = restoredText(restored, files, left);
    publish({ type: "restoreEnded", restoreId, level, text }, this.conversation);
    await this.#written();
    return { files, left };
  }

  /** Puts back into queue and lists what a restore has taken out of them. */
  async #putBack({ unfinished }: Restored): Promise<void> {
    const { queue, store } = this.parts;
    const known = new Set((await queue.entries()).map(({ taskId }) => taskId));
    let isFirst = true;
    for (const { taskId, entry } of unfinished) {
      await store.markPresent(taskId);
      if (entry === undefined) continue;
      // Nothing goes on by itself that the user had taken back.
      if (!known.has(taskId))
        await queue.append(isFirst ? { ...entry, autoProceed: false } : entry);
      isFirst = false;
    }
  }

  /** Runs the work while no task works here, and none of these tasks can begin. */
  async #whileNotRunning<T>(tasks: readonly TaskId[], work: () => Promise<T>): Promise<T> {
    const { lock, files } = this.parts;
    const drain = await lock.tryHold(drainLock);
    if ("holder" in drain) throw stillRunning();
    try {
      for (const { name, kind } of await files.readDirectory(tasksFolder)) {
        if (kind !== "folder" || (await lock.holder(taskLock(name))) === undefined) continue;
        throw stillRunning();
      }
      return await whileNotRunning(tasks, lock, work);
    } finally {
      await drain.held.release();
    }
  }

  async #extent(messageId: string): Promise<Extent> {
    const events = standingEvents(await this.#events());
    const position = events.findIndex((event) => event.type === "user" && event.id === messageId);
    const message = events[position];
    if (message?.type !== "user") {
      throw new UserError("messageUnknown", "This message is not in the conversation any more.");
    }
    const before = new Set(events.slice(0, position).flatMap(taskOf));
    const after = events.slice(position);
    const started = after.flatMap((event) =>
      event.type === "sessionStarted" ? [event.taskId] : [],
    );
    const records = await this.#records(message.at, before);
    const order = ({ taskId }: TaskRecord) => started.lastIndexOf(taskId);
    records.sort((a, b) => order(b) - order(a) || (a.taskId < b.taskId ? 1 : -1));
    const unfinished: { taskId: TaskId; goal: string }[] = [];
    for (const { taskId, goal } of records) {
      const report = await this.parts.store.readReport(taskId);
      if (report === undefined || report.status === "NeedsClarification") {
        unfinished.push({ taskId, goal });
      }
    }
    const works = after.flatMap(({ work }) => (work === undefined ? [] : [work]));
    const goals = after.flatMap((event) =>
      event.type === "sessionStarted" && event.work === undefined && before.has(event.taskId)
        ? [event.goal]
        : [],
    );
    return {
      checkpoint: checkpointOf(message),
      tasks: records.map(({ taskId }) => taskId),
      unfinished: unfinished.reverse(),
      earlier: [...new Set(goals)],
      works: works.filter(
        ({ kind, name }, index) =>
          works.findIndex((one) => one.kind === kind && one.name === name) === index,
      ),
    };
  }

  /** Returns the records of this conversation's tasks that were made at this time or later; `without` are left out. */
  async #records(since: string, without: ReadonlySet<TaskId>): Promise<TaskRecord[]> {
    const { files, store } = this.parts;
    const found: TaskRecord[] = [];
    for (const { name, kind } of await files.readDirectory(tasksFolder)) {
      if (kind !== "folder" || without.has(name)) continue;
      const record = await store.findRecord(name).catch(() => undefined);
      if (record?.own !== true) continue;
      const { conversation, createdAt, parentTaskId, removed } = record.value;
      const isOld = createdAt < since || (parentTaskId !== null && without.has(parentTaskId));
      if (conversation === this.conversation && !isOld && removed !== true)
        found.push(record.value);
    }
    return found;
  }

  async #events(): Promise<readonly ConversationEvent[]> {
    const journal = this.parts.conversations.journal(this.conversation);
    await journal.flush();
    return (await journal.load(Number.MAX_SAFE_INTEGER)).events;
  }

  /** Returns a restore that was not undone. Throws a `UserError` if there is none. */
  async #restored(restoreId: string): Promise<Restored> {
    const events = await this.#events();
    const found = events.find((one) => one.type === "restored" && one.restoreId === restoreId);
    const isUndone = events.some(
      (one) => one.type === "restoreUndone" && one.restoreId === restoreId,
    );
    if (found?.type === "restored" && !isUndone) return found;
    throw new UserError("restoreUnknown", "This restore has been undone already.");
  }

  async #hasEnded(restoreId: string): Promise<boolean> {
    const events = await this.#events();
    return events.some((one) => one.type === "restoreEnded" && one.restoreId === restoreId);
  }

  /** Resolves when the events are on disk. Throws a `UserError` if they cannot be written. */
  async #written(): Promise<void> {
    const journal = this.parts.conversations.journal(this.conversation);
    await journal.flush();
    if (!journal.hasUnwritten) return;
    throw new UserError(
      "restoreNotWritten",
      "The conversation cannot be saved, so nothing more was restored.",
    );
  }
}

function checkpointOf({ id: messageId, at, text }: EventOf<"user">): Checkpoint {
  return { messageId, at, title: titleOf(text) };
}

function taskOf(event: ConversationEvent): TaskId[] {
  return "taskId" in event && event.taskId !== null ? [event.taskId] : [];
}

/** Returns the reason why nothing is restored while something runs. */
export function stillRunning(): UserError {
  return new UserError(
    "restoreWhileRunning",
    "Something is running here. Stop it, or wait until it has ended; then restore.",
  );
}
