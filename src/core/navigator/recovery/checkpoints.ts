import type { MayWrite, PreviewedFile, TaskChanges } from "../../changes/taskChanges.js";
import type {
  Checkpoint,
  ConversationEvent,
  RestoreScope,
} from "../../conversation/events/events.js";
import type { ConversationStore } from "../../conversation/store/conversationStore.js";
import { checkpointIndex, standingEvents } from "../../conversation/store/standingEvents.js";
import { titleOf } from "../../conversation/store/titleOf.js";
import type { QueueEntry } from "../../documents/queue.js";
import { saidBy, UserError } from "../../errors.js";
import type { LongWork, ConversationId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock, LockHolder } from "../../ports/locks.js";
import type { Clock, Ids, Signer } from "../../ports/system.js";
import { visibleLine } from "../../text/visibleText.js";
import type { Drafted } from "../../text/words.js";
import type { QueueStore } from "../queue/queueStore.js";
import { drainLock } from "../running/queueRunner.js";
import { newTaskId, planIdOf, planTaskIds, subTaskId, taskLock } from "../tasks/taskIds.js";
import { plainContext, type TaskRecord, type TaskStore, tasksFolder } from "../tasks/taskStore.js";
import { whileNotRunning } from "../tasks/whileNotRunning.js";
import { type LeftFile, restoredText, undoneText, unfinishedText } from "./restoreText.js";
import { recordUndone, type UndoneOfTask } from "./undoTrace.js";

type EventOf<Type extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: Type }>;
type Restored = EventOf<"restored">;
type Returning = Restored["returning"][number];
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
    event: Drafted<WithoutTime<ConversationEvent>>,
    conversation: ConversationId | undefined,
  ) => void;
}

/** The effects that a restore would have. */
export interface RestorePreview {
  readonly checkpoint: Checkpoint;
  readonly files: readonly PreviewedFile[];
  /** Problems in the logs of changes, because of which files may be missing. */
  readonly damage: readonly string[];
  /** Goals of tasks that were made since and have not ended: with the conversation, they leave queue and lists. */
  readonly unfinished: readonly string[];
  /** Goals of tasks that were queued before: with the conversation, they return to the queue and wait there. */
  readonly returning: readonly string[];
  /** Goals of tasks that began before and went on afterwards: their changes stay. */
  readonly earlier: readonly string[];
  /** Jobs and runs that were begun since: they stay, with what they have written. */
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
  /** In the order in which they began, as are the next. */
  readonly unfinished: readonly TaskRecord[];
  readonly returning: readonly TaskRecord[];
  /** The tasks that the queue stopped before, when the checkpoint began. */
  readonly held: ReadonlySet<TaskId>;
  readonly earlier: readonly string[];
  readonly works: readonly LongWork[];
}

/**
 * Restores files, a conversation, or both to before a message of the user or a task of a plan: from what the logs of
 * changes and the conversation's file hold. An event says first what will be done, so that it can be finished or undone
 * whenever the process ends; each step can be made twice.
 *
 * A task that had been queued before returns to the queue as a new task with the same goal: so what the first one has
 * left stays as it is, and is there again when the restore is undone.
 */
export class Checkpoints {
  constructor(
    private readonly parts: CheckpointParts,
    private readonly conversation: ConversationId,
  ) {}

  /** Returns the messages of the user and the tasks of plans that can be restored to, oldest first. */
  async list(): Promise<Checkpoint[]> {
    return checkpointsIn(standingEvents(await this.#events()));
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

  /** Returns the id of the last restore if it was cut off: it is to be finished or undone; `undefined` if it has ended. */
  async unfinishedRestore(): Promise<string | undefined> {
    const last = await this.lastRestore();
    return last === undefined || (await this.#hasEnded(last)) ? undefined : last;
  }

  /** Throws a `UserError` if something is running, because of which nothing could be restored now. */
  async checkIdle(): Promise<void> {
    await this.#whileNotRunning([], () => Promise.resolve());
  }

  /**
   * Returns what a restore to before a checkpoint would do; changes nothing.
   *
   * @param id the id of the message or the task
   * @throws a `UserError` if there is no such message or task
   */
  async preview(id: string): Promise<RestorePreview> {
    const { changes } = this.parts;
    const { checkpoint, tasks, unfinished, returning, earlier, works } = await this.#extent(id);
    return {
      checkpoint,
      files: await changes.preview(tasks),
      damage: await changes.damage(tasks),
      unfinished: unfinished.map(({ goal }) => goal),
      returning: returning.map(({ goal }) => goal),
      earlier,
      works,
    };
  }

  /**
   * Restores to before a checkpoint.
   *
   * @param id the id of the message or the task
   * @throws a `UserError` if there is no such message or task, something is running, or the conversation cannot be
   *   written
   */
  async restore(id: string, scope: RestoreScope): Promise<RestoreResult> {
    const { ids, publish, queue } = this.parts;
    const extent = await this.#extent(id);
    const { checkpoint, tasks } = extent;
    return this.#whileNotRunning(tasks, async () => {
      const entries = new Map((await queue.entries()).map((entry) => [entry.taskId, entry]));
      const queued = (taskId: TaskId) => {
        const entry = entries.get(taskId);
        return entry === undefined ? { taskId } : { taskId, entry };
      };
      const [unfinished, records] =
        scope === "files" ? [[], []] : [extent.unfinished, extent.returning];
      const returning: Returning[] = [];
      for (const record of records) {
        const was = queued(record.taskId);
        const again = await this.#again({ ...record, ...was.entry });
        const isHeld = returning.length === 0 || extent.held.has(record.taskId);
        returning.push({ ...was, again: { ...again, autoProceed: !isHeld } });
      }
      const restoreId = `r-${ids.hex(12)}`;
      publish(
        {
          type: "restored",
          restoreId,
          scope,
          checkpoint,
          text: unfinishedText(scope, checkpoint.title),
          tasks: scope === "conversation" ? [] : [...tasks],
          unfinished: unfinished.map(({ taskId }) => queued(taskId)),
          returning,
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
   * proceeds. Tasks that have begun since stay. Throws as {@link restore} does.
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
        left.push(...refused.map(({ path, problem }) => ({ path, why: saidBy(problem) })));
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
    const { restoreId, tasks, unfinished, returning } = restored;
    const { queue, changes, mayWrite, publish } = this.parts;
    for (const { taskId } of [...unfinished, ...returning]) await this.#takeAway(taskId);
    const again: QueueEntry[] = [];
    for (const one of returning) if (await this.#bringBack(one.again.taskId)) again.push(one.again);
    await queue.putAtHead(again);
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
      refused.toReversed().map(({ path, problem }) => [path, { path, why: saidBy(problem) }]),
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

  /** Takes a task out of queue and lists. */
  async #takeAway(taskId: TaskId): Promise<void> {
    const { queue, store } = this.parts;
    // The queue first: what is not in it does not go on, whatever happens.
    await queue.remove(taskId);
    await store.markRemoved(taskId);
  }

  /** Has lists show a task that is to be queued. Returns `false` and does nothing if it has begun already. */
  async #bringBack(taskId: TaskId): Promise<boolean> {
    const { store } = this.parts;
    if (await store.hasOwnTranscript(taskId)) return false;
    await store.markPresent(taskId);
    return true;
  }

  /**
   * Makes a task that does the same once more, and returns its entry. No list shows it as long as it is not brought
   * back.
   */
  async #again(was: TaskRecord): Promise<QueueEntry> {
    const { store, clock, ids } = this.parts;
    const { parentTaskId, planId, mode, goal, request, images, conversation } = was;
    const { planWaits, isolated } = was;
    const taskId =
      parentTaskId !== null && planId === planIdOf(parentTaskId)
        ? subTaskId(parentTaskId, (await planTaskIds(parentTaskId, store)).length + 1)
        : newTaskId("TASK", clock, ids);
    const own = store.contextPath(was.taskId);
    const { contextPath: named = own } = was;
    const context = named === own ? await store.readContext(own) : undefined;
    const contextPath = named === own ? store.contextPath(taskId) : named;
    await store.create(
      {
        taskId,
        parentTaskId,
        planId,
        mode,
        goal,
        contextPath,
        removed: true,
        request,
        images,
        conversation,
        planWaits,
        isolated,
      },
      context?.replaceAll(was.taskId, taskId) ?? plainContext({ taskId, goal }),
    );
    return { taskId, parentTaskId, planId, mode, goal, contextPath, autoProceed: true };
  }

  /** Puts back into queue and lists what a restore has taken out of them. */
  async #putBack({ unfinished, returning }: Restored): Promise<void> {
    const { queue, store } = this.parts;
    const again = returning.map((one) => one.again.taskId);
    for (const taskId of await this.#withSuccessors(again)) {
      if (!(await store.hasOwnTranscript(taskId))) await this.#takeAway(taskId);
    }
    for (const { taskId } of returning) await store.markPresent(taskId);
    const atHead = returning.flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
    await queue.putAtHead(
      atHead.map((entry, index) => (index === 0 ? { ...entry, autoProceed: false } : entry)),
    );
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

  /** Adds the tasks by which restores have replaced these tasks, and those that have replaced them. */
  async #withSuccessors(taskIds: readonly TaskId[]): Promise<ReadonlySet<TaskId>> {
    const found = new Set(taskIds);
    for (const event of await this.#events()) {
      if (event.type !== "restored") continue;
      for (const { taskId, again } of event.returning)
        if (found.has(taskId)) found.add(again.taskId);
    }
    return found;
  }

  /** Runs the work while no task works here, and none of these tasks can begin. */
  async #whileNotRunning<T>(tasks: readonly TaskId[], work: () => Promise<T>): Promise<T> {
    const { lock, files } = this.parts;
    const drain = await lock.tryHold(drainLock);
    if ("holder" in drain) throw runsElsewhere(drain.holder);
    try {
      for (const { name, kind } of await files.readDirectory(tasksFolder)) {
        if (kind !== "folder") continue;
        const holder = await lock.holder(taskLock(name));
        if (holder !== undefined) throw runsElsewhere(holder);
      }
      return await whileNotRunning(tasks, lock, work);
    } finally {
      await drain.held.release();
    }
  }

  async #extent(id: string): Promise<Extent> {
    const all = await this.#events();
    const events = standingEvents(all);
    const checkpoint = checkpointsIn(events).find((one) => one.id === id);
    if (checkpoint === undefined) {
      throw new UserError(
        "checkpointUnknown",
        "This message or task is not in the conversation any more. Choose another.",
      );
    }
    const position = checkpointIndex(events, checkpoint);
    const [past, after] = [events.slice(0, position), events.slice(position)];
    const before = new Set(past.flatMap(taskOf));
    // Tasks of which an earlier restore has taken back only the conversation have left changes, too.
    const begun = all.slice(checkpointIndex(all, checkpoint)).flatMap(startedTask);
    const found = await this.#records(checkpoint.at, { before, begun });
    const order = (record: TaskRecord) => startOf(record, all);
    found.sort(
      ({ record: a }, { record: b }) => order(a) - order(b) || (a.taskId < b.taskId ? -1 : 1),
    );
    const shown = new Set(after.flatMap(startedTask));
    const unfinished: TaskRecord[] = [];
    const returning: TaskRecord[] = [];
    for (const { record, isOld } of found) {
      if (record.removed === true) continue;
      if (isOld && shown.has(record.taskId)) returning.push(record);
      if (isOld) continue;
      const report = await this.parts.store.readReport(record.taskId);
      if (report === undefined || report.status === "NeedsClarification") unfinished.push(record);
    }
    const works = after.flatMap(({ work }) => (work === undefined ? [] : [work]));
    const goals = after.flatMap((event) =>
      event.type === "sessionStarted" && event.work === undefined && before.has(event.taskId)
        ? [event.goal]
        : [],
    );
    return {
      checkpoint,
      tasks: found.map(({ record }) => record.taskId).reverse(),
      unfinished,
      returning,
      held: heldTasks(past),
      earlier: [...new Set(goals)],
      works: works.filter(
        ({ kind, name }, index) =>
          works.findIndex((one) => one.kind === kind && one.name === name) === index,
      ),
    };
  }

  /**
   * Returns the records of this conversation's tasks that were made at this time or later, or were made earlier and
   * began since (`isOld`).
   *
   * @param before tasks that had begun; these, and what belongs to them and has not begun since, are left out
   */
  async #records(
    since: string,
    { before, begun }: { before: ReadonlySet<TaskId>; begun: readonly TaskId[] },
  ): Promise<{ record: TaskRecord; isOld: boolean }[]> {
    const { files, store } = this.parts;
    const found: { record: TaskRecord; isOld: boolean }[] = [];
    for (const { name, kind } of await files.readDirectory(tasksFolder)) {
      if (kind !== "folder" || before.has(name)) continue;
      const read = await store.findRecord(name).catch(() => undefined);
      if (read?.own !== true || read.value.conversation !== this.conversation) continue;
      const { value: record } = read;
      const { createdAt, parentTaskId } = record;
      const isOld = createdAt < since || (parentTaskId !== null && before.has(parentTaskId));
      if (!isOld || begun.includes(name)) found.push({ record, isOld });
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
      "The conversation cannot be saved, so nothing more was restored. Check its folder, then restore again.",
    );
  }
}

/** Returns the places to which these events can be restored. */
function checkpointsIn(events: readonly ConversationEvent[]): Checkpoint[] {
  const found = new Map<string, Checkpoint>();
  for (const event of events) {
    const { at } = event;
    if (event.type === "user") {
      found.set(event.id, { kind: "message", id: event.id, at, title: titleOf(event.text) });
    } else if (event.type === "sessionStarted" && event.planId !== undefined) {
      const { taskId: id, goal } = event;
      if (!found.has(id)) found.set(id, { kind: "task", id, at, title: titleOf(goal) });
    }
  }
  return [...found.values()];
}

function taskOf(event: ConversationEvent): TaskId[] {
  return "taskId" in event && typeof event.taskId === "string" ? [event.taskId] : [];
}

function startedTask(event: ConversationEvent): TaskId[] {
  return event.type === "sessionStarted" && event.work === undefined ? [event.taskId] : [];
}

/**
 * Returns when a task began last, as a place among the events. One that no event tells of, as the landing of a plan,
 * began when it was made.
 */
function startOf({ taskId, createdAt }: TaskRecord, events: readonly ConversationEvent[]): number {
  const last = events.findLastIndex(
    (event) =>
      event.type === "sessionStarted" && event.work === undefined && event.taskId === taskId,
  );
  return last === -1 ? events.findLastIndex(({ at }) => at <= createdAt) + 0.5 : last;
}

/** Returns the tasks of plans that the queue stops before, after these events. */
function heldTasks(events: readonly ConversationEvent[]): Set<TaskId> {
  const held = new Set<TaskId>();
  for (const event of events) {
    if (event.type !== "plan") continue;
    for (const { taskId, is } of event.tasks ?? []) {
      if (is === "held") held.add(taskId);
      else held.delete(taskId);
    }
  }
  return held;
}

/** Returns the reason why nothing is restored while another process works on the queue or a task. */
function runsElsewhere({ label, pid }: LockHolder): UserError {
  return new UserError(
    "restoreWhileRunningElsewhere",
    "{program} (process {pid}) is at work in this folder, perhaps in another window. Stop it there, or wait until it has ended; then restore.",
    { program: visibleLine(label, 80), pid },
  );
}

/** Returns the reason why nothing is restored while something runs. */
export function stillRunning(): UserError {
  return new UserError(
    "restoreWhileRunning",
    "Something is running here. Stop it, or wait until it has ended; then restore.",
  );
}
