import type { ActivityLog } from "../../activity/activityLog.js";
import { SeenFiles } from "../../agent/seenFiles.js";
import type { EventPublisher, DraftedStep } from "../../conversation/events/eventPublisher.js";
import { entriesIn, type QueueEntry, type QueueLine } from "../../documents/queue.js";
import { FileError, messageOf, saidBy, UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import { HookRunner } from "../../experts/hookRunner.js";
import type { Modes } from "../../experts/modes.js";
import type { Report } from "../../experts/report.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock, HeldLock, LockHolder } from "../../ports/locks.js";
import { joined } from "../../text/joined.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Said, spoken, type Words, words } from "../../text/words.js";
import { seemsDone } from "../queue/doneBefore.js";
import { holderWords } from "../queue/holderWords.js";
import type { PlanInstaller } from "../queue/planInstaller.js";
import { queuePath } from "../queue/queuePath.js";
import type { QueueStore } from "../queue/queueStore.js";
import type { ActiveWork } from "../tasks/activeWork.js";
import { announce, announceEnd, announcements } from "../tasks/announcements.js";
import { afterFailure, proceed } from "../tasks/nextSteps.js";
import type { Outcome } from "../tasks/outcome.js";
import type { Requester } from "../tasks/requester.js";
import {
  type TaskStore,
  atATime,
  plainContext,
  taskFolder,
  tasksFolder,
} from "../tasks/taskStore.js";
import type { Assignment, TaskOutcome, TaskRunner } from "./taskRunner.js";

/** Options of working through the queue. */
export interface Drain {
  /** Whether only the first task runs. */
  readonly one: boolean;
  /** What becomes of tasks that seem to be done already. Absent: the user is asked. */
  readonly done?: "again" | "drop" | undefined;
  /**
   * The user did not say Proceed: the queue goes on by itself, so that its first task, too, may have to
   * wait for the user (R-ROO-31).
   */
  readonly isContinued?: boolean;
  /** What is announced of the first task: that the user said Proceed, or that it follows one that is done. */
  readonly begins?: "proceed" | "continue";
  /** The conversation in which the queue is worked off: what concerns no task alone is told there. */
  readonly conversation?: ConversationId | undefined;
  /** Who is told of each task that begins. */
  readonly requester?: Pick<Requester, "began"> | undefined;
}

/** A queued task that has come to an end. */
type Settled = Pick<QueueEntry, "taskId" | "mode" | "goal">;

interface Ended {
  readonly entry: QueueEntry;
  /** `unusable`: the task could not start because of its files, which only a person can repair. */
  readonly outcome: TaskOutcome | { readonly type: "unusable" };
}

export const drainLock = "drain";
/** The most tasks that were not added here, and lines that cannot be used, that are told one by one. */
const mostNamed = 10;
/** The queue's name in `ActiveWork`. */
export const queueWork = "queue";

/** What a {@link QueueRunner} uses. */
interface QueuePorts {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly active: ActiveWork;
  readonly modes: Modes;
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
  readonly experts: ExpertServices;
}

/**
 * Phases 2 and 3 of the protocol: works through the queue. Only one runner per workspace does so at a
 * time.
 */
export class QueueRunner {
  #draining = false;
  /** Tells what concerns the queue, in the conversation in which it is worked off. */
  #publisher: EventPublisher;
  /** Keys, as {@link lineOf} returns them, of entries not added here that the user was told of. */
  readonly #told = new Set<string>();

  constructor(
    private readonly dependencies: QueuePorts,
    private readonly runner: TaskRunner,
    private readonly installer: PlanInstaller,
  ) {
    this.#publisher = dependencies.publisher;
  }

  /** Runs queued tasks until none is left or one halts the chain (R-ROO-31). */
  async drain(options: Drain, signal: AbortSignal): Promise<Outcome> {
    if (this.#draining) {
      const publisher = this.dependencies.publisher.in(options.conversation);
      publisher.notice("info", words("The queue is being worked on already."));
      return { status: "done" };
    }
    this.#draining = true;
    this.#publisher = this.dependencies.publisher.in(options.conversation);
    try {
      const lock = await this.dependencies.lock.tryHold(drainLock);
      if ("holder" in lock) return this.#runsElsewhere(lock.holder);
      try {
        if (options.done === "drop") await this.#dropDone();
        const lines = await this.dependencies.queue.lines();
        const entries = entriesIn(lines);
        // Checking every line of a long queue would cost more than running the one task.
        const looked = options.one ? nextEntries(entries, new Set()).slice(0, 1) : entries;
        const unknown = await this.#unknown(looked);
        await this.#tellProblems(lines);
        this.#tellUnknown(unknown, entries.length);
        return await this.dependencies.active.during(
          queueWork,
          () => this.#drain(options, lock.held, signal),
          unknown.map(lineOf),
        );
      } finally {
        await lock.held.release();
      }
    } finally {
      this.#draining = false;
    }
  }

  /** Returns whether this or another process works on the queue. */
  async isAtWork(): Promise<boolean> {
    return this.#draining || (await this.dependencies.lock.holder(drainLock)) !== undefined;
  }

  /**
   * Returns whether the queue has tasks that the user has not seen here: entries that came with the
   * folder, or that another program wrote, and that are not in `seen`.
   *
   * @param seen keys of the entries that the user was told of, as `ActiveWork` keeps them
   */
  async hasUnseen(seen: readonly string[]): Promise<boolean> {
    const unknown = await this.#unknown(await this.dependencies.queue.entries());
    const known = new Set(seen);
    return unknown.some((entry) => !known.has(lineOf(entry)));
  }

  /** Returns the entries that were not put there by this installation. */
  async #unknown(entries: readonly QueueEntry[]): Promise<QueueEntry[]> {
    const folders = await this.dependencies.files.readDirectory(tasksFolder);
    const names = new Set(folders.map(({ name }) => name));
    const begun = entries.filter(({ taskId }) => names.has(taskId));
    const known = await atATime.map(begun, (entry) => this.#isKnown(entry));
    const own = new Set(begun.filter((_, index) => known[index]));
    return entries.filter((entry) => !own.has(entry));
  }

  async #isKnown({ taskId, mode, goal, contextPath }: QueueEntry): Promise<boolean> {
    const { store } = this.dependencies;
    try {
      const found = await store.findRecord(taskId);
      if (found?.own !== true) return false;
      const { value: record } = found;
      const isSamePath = contextPath === (record.contextPath ?? store.contextPath(taskId));
      return isSamePath && record.mode === mode && record.goal === goal;
    } catch (error) {
      // Problems with the task's files are reported when it is to run.
      if (error instanceof UserError) return false;
      throw error;
    }
  }

  #tellUnknown(unknown: readonly QueueEntry[], all: number): void {
    const fresh = unknown.filter((entry) => !this.#told.has(lineOf(entry)));
    if (fresh.length === 0) return;
    for (const entry of fresh) this.#told.add(lineOf(entry));
    const shown = fresh.slice(0, mostNamed).map(({ taskId, mode, goal }) => {
      return `\n- \`${taskId}\` (${mode}): ${visibleLine(goal, 200)}`;
    });
    const more = fresh.length - shown.length;
    const rest = more > 0 ? ["\n- ", words("… and {more, number} more", { more })] : [];
    const text = joined(unknownWords(fresh.length, all), "\n", ...shown, ...rest);
    this.#publisher.notice("warning", text);
  }

  async #drain(options: Drain, lock: HeldLock, signal: AbortSignal): Promise<Outcome> {
    const running = new Map<string, Promise<Ended>>();
    let started = 0;
    let hasEnded = false;
    let halted: Outcome | undefined;
    const passedOver = new Set<string>();
    for (;;) {
      const queue = await this.#candidates(passedOver.size > 0);
      await lock.check();
      const begun = started - passedOver.size;
      const busy = [...running.keys()].filter((id) => !this.runner.waitsForApproval(id)).length;
      const free = halted === undefined ? this.#free(options.one, begun, busy) : 0;
      const taken = new Set([...running.keys(), ...passedOver]);
      for (const entry of nextEntries(queue, taken).slice(0, free)) {
        await this.#learn(entry, options.conversation);
        if (options.done === undefined && (await seemsDone(entry, this.dependencies))) {
          halted = await this.#askAboutDone(options);
          break;
        }
        if (await this.#isHeld(entry, started > 0, options)) {
          if (running.size === 0) halted = await this.#tellHeld(entry);
          break;
        }
        // In place of a task that was passed over, one may start that the user was not told of.
        if (passedOver.size > 0) this.#tellUnknown(await this.#unknown([entry]), queue.length);
        await this.#announceStart(entry, hasEnded ? "continue" : started === 0 && options.begins);
        started++;
        running.set(entry.taskId, this.#run(entry, options, signal));
      }
      if (running.size === 0) {
        if (queue.length === 0 && halted === undefined) halted = await this.#tellEmpty(started);
        return halted ?? { status: passedOver.size === 0 ? "done" : "failed" };
      }
      // A task that waits for an approval makes room for another plan's.
      const ended = await Promise.race([...running.values(), this.runner.nextWait()]);
      if (ended === undefined) continue;
      const { entry, outcome } = ended;
      running.delete(entry.taskId);
      hasEnded = true;
      if (outcome.type === "unusable") {
        passedOver.add(entry.taskId);
        continue;
      }
      // Tasks that run beside one that halts the chain may end; no new one is started.
      halted = (await this.settle(entry, outcome, signal, halted !== undefined)) ?? halted;
    }
  }

  /**
   * Returns the entries that may start. With one slot only the head can start, so only the head is read.
   */
  async #candidates(all: boolean): Promise<QueueEntry[]> {
    if (all || this.#concurrency() > 1) return this.dependencies.queue.entries();
    const head = await this.dependencies.queue.head();
    return head === undefined ? [] : [head];
  }

  /**
   * Returns whether a task waits until the user says Proceed. A task that has begun does not wait again.
   *
   * @param follows whether another task was started before it
   */
  async #isHeld(
    { taskId, autoProceed }: QueueEntry,
    follows: boolean,
    { isContinued = false }: Drain,
  ): Promise<boolean> {
    if (autoProceed || !(follows || isContinued)) return false;
    return follows || !(await this.dependencies.store.hasOwnTranscript(taskId));
  }

  #concurrency(): number {
    return Math.max(1, this.dependencies.experts.settings().concurrency ?? 1);
  }

  #free(one: boolean, started: number, running: number): number {
    if (one) return started === 0 ? 1 : 0;
    return this.#concurrency() - running;
  }

  /** Tells that no task is left to run. A queue with lines that cannot be read is not empty. */
  async #tellEmpty(started: number): Promise<Outcome> {
    if (started > 0) {
      const all =
        started === 1 ? words("The task is done.") : words("All tasks in the queue are done.");
      this.#publisher.notice("info", all);
      return { status: "done" };
    }
    const lines = (await this.dependencies.queue.lines()).filter(({ kind }) => kind === "problem");
    if (lines.length === 0) {
      await announce(this.#here(), announcements.queueEmpty());
      this.#publisher.notice("info", words("The queue is empty."));
      return { status: "done" };
    }
    const text = words(
      "No task was started: {lines, plural, one {the queue has only a line that cannot be used.} other {the queue has only lines that cannot be used, # of them.}}",
      { lines: lines.length },
    );
    this.#publisher.notice("warning", text, [openQueue]);
    return { status: "waiting" };
  }

  /** Returns those of the entries that seem to be done already. */
  async #seemDone(entries: readonly QueueEntry[]): Promise<QueueEntry[]> {
    const { files } = this.dependencies;
    const folders = await files.readDirectory(tasksFolder);
    const names = new Set(folders.map(({ name }) => name));
    // Most of a long queue has no folders yet, which need not be looked for one by one.
    const looked = entries.filter(({ taskId, ended }) => ended === true || names.has(taskId));
    const done = await atATime.map(looked, (one) => seemsDone(one, this.dependencies));
    return looked.filter((_, index) => done[index]);
  }

  /** Asks what is to become of all tasks that seem to be done already. */
  async #askAboutDone({ one }: Drain): Promise<Outcome> {
    const found = await this.#seemDone(await this.dependencies.queue.entries());
    const shown = found.slice(0, mostNamed).map(({ taskId, mode, goal }) => {
      return `\n- \`${taskId}\` (${mode}): ${visibleLine(goal, 200)}`;
    });
    const more = found.length - shown.length;
    const rest = more > 0 ? ["\n- ", words("… and {more, number} more", { more })] : [];
    const text = words(
      "{n, plural, one {A queued task seems to be done already: its line says so, or its results are in its folder.} other {# queued tasks seem to be done already: their lines say so, or their results are in their folders.}} Run again, or take out of the queue?",
      { n: found.length },
    );
    const step = (label: Words, done: "again" | "drop"): DraftedStep => ({
      type: "action",
      label,
      action: { action: "proceed", one, done },
    });
    this.#publisher.notice("warning", joined(text, "\n", ...shown, ...rest), [
      step(words("Run Again"), "again"),
      step(words("Take Out and Proceed"), "drop"),
    ]);
    return { status: "waiting" };
  }

  /** Takes the tasks out of the queue that seem to be done already; their folders stay. */
  async #dropDone(): Promise<void> {
    const { queue, activity } = this.dependencies;
    for (const { taskId } of await this.#seemDone(await queue.entries())) {
      await queue.remove(taskId);
      await activity.record({ type: "TASK_DEQUEUED", taskId, details: { doneBefore: true } });
    }
  }

  async #tellHeld(entry: QueueEntry): Promise<Outcome> {
    const { taskId } = entry;
    const publisher = this.dependencies.publisher.about(taskId);
    const text = words("`{taskId}` starts only when you say so.", { taskId });
    await this.dependencies.activity.record({ type: "AWAITING_USER_COMMAND", taskId });
    if (entry.planId === null) publisher.notice("info", text, [proceed]);
    else publisher.told(joined(words("The plan waits."), " ", text), [proceed]);
    return { status: "done" };
  }

  /** Learns in which conversation the entry's task was started; by default it is started in this one. */
  async #learn({ taskId }: QueueEntry, here: ConversationId | undefined): Promise<void> {
    const { store, publisher } = this.dependencies;
    // Problems with the task's files are reported when it is to run.
    const known = await store.conversationOf(taskId).catch(() => undefined);
    publisher.belongs(taskId, known ?? here);
  }

  /** Announces a task that starts; people see its heading, which follows. */
  async #announceStart(
    { taskId, mode: expert }: QueueEntry,
    begins: Drain["begins"] | false,
  ): Promise<void> {
    if (begins === "proceed") await announce(this.#here(), announcements.queueProceeds());
    if (begins === "continue") await announce(this.#here(), announcements.chainContinues());
    await announce(this.dependencies, announcements.queuedTaskBegins({ taskId, expert }));
  }

  /** Returns what announces in the conversation in which the queue is worked off. */
  #here(): Pick<QueuePorts, "publisher" | "activity"> {
    return { publisher: this.#publisher, activity: this.dependencies.activity };
  }

  /** Runs one entry. Never rejects: an error of one task must not end those beside it. */
  async #run(
    entry: QueueEntry,
    { one, conversation, requester }: Drain,
    signal: AbortSignal,
  ): Promise<Ended> {
    const { taskId, mode: expert } = entry;
    requester?.began(taskId);
    const { activity, publisher } = this.dependencies;
    try {
      const assignment = await this.#assignment(entry, conversation);
      const task = { ...assignment, single: one, isQueued: true };
      return { entry, outcome: await this.runner.run(task, signal) };
    } catch (error) {
      if (!signal.aborted) {
        publisher.about(taskId).notice("error", saidBy(error));
        await activity.record({
          type: "TASK_DELEGATION_FAILED",
          severity: "ERROR",
          taskId,
          details: { expert, message: messageOf(error) },
        });
      }
      // A failing disk would fail the next task, too; an invalid file concerns this task alone.
      const isOwn = error instanceof UserError && !(error instanceof FileError);
      return { entry, outcome: { type: isOwn && !signal.aborted ? "unusable" : "interrupted" } };
    }
  }

  /**
   * Phase 3 for a queued task: dequeues it if it has reported. Returns the chain's outcome if the chain
   * halts here. A planner's plan is in the queue before the planner's own line leaves it, and a plan's last line leaves
   * it when the user's hooks have run.
   *
   * @param signal ends these hooks
   * @param hasHalted whether the chain has halted before
   */
  async settle(
    entry: Settled,
    outcome: TaskOutcome,
    signal: AbortSignal,
    hasHalted = false,
  ): Promise<Outcome | undefined> {
    const end = await this.#settled(entry, outcome, signal);
    if (end === undefined || hasHalted) return end;
    const { queue, activity } = this.dependencies;
    const left = (await queue.entries()).length;
    const reason = outcome.type === "reported" ? outcome.report.status : outcome.type;
    await activity.record({
      type: "SYSTEM_HALT",
      severity: "WARN",
      taskId: entry.taskId,
      details: { reason, left },
    });
    return end;
  }

  async #settled(
    { taskId, mode, goal }: Settled,
    outcome: TaskOutcome,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> {
    switch (outcome.type) {
      case "waiting":
        return { status: "waiting" };
      case "interrupted":
        return { status: "failed" };
      case "reported": {
        const { report } = outcome;
        const isPlan = mode === "rooroo-planner" && report.status === "Done";
        if (isPlan) await this.installer.add(taskId, goal, report);
        const advised =
          report.status === "Advice" ? await this.#adviseOn(taskId, goal, report) : undefined;
        if (report.status === "Done") await this.#afterPlan({ taskId, mode, goal }, signal);
        await announce(this.dependencies, announcements.queueUpdated(taskId));
        await this.dependencies.queue.remove(taskId);
        await this.dependencies.activity.record({ type: "TASK_DEQUEUED", taskId });
        this.dependencies.publisher.tasksChanged();
        await announceEnd({ taskId, expert: mode }, report, this.dependencies);
        if (advised !== undefined) return advised === "queued" ? undefined : { status: "waiting" };
        if (report.status === "Done") return undefined;
        await this.#tellHalt({ taskId, mode, goal }, report.status);
        return { status: "failed" };
      }
    }
  }

  /** Runs the user's hooks after a plan, if this is its last task. */
  async #afterPlan({ taskId, mode: slug, goal }: Settled, signal: AbortSignal): Promise<void> {
    const { queue, experts, modes, publisher } = this.dependencies;
    const entries = await queue.entries();
    const planId = entries.find((entry) => entry.taskId === taskId)?.planId ?? null;
    const mode = modes.all.get(slug);
    if (planId === null || mode === undefined) return;
    if (entries.some((entry) => entry.planId === planId && entry.taskId !== taskId)) return;
    const tell = (text: Said): void => {
      publisher.about(taskId).notice("info", text);
    };
    const task = { taskId, folder: taskFolder(taskId), mode, goal, seen: new SeenFiles() };
    try {
      await new HookRunner(task, experts, tell).afterPlan(planId, signal);
    } catch (error) {
      // The plan is done: what keeps a hook from running keeps nothing else.
      if (!signal.aborted) tell(saidBy(error));
    }
  }

  /** Takes the advice of a planner that was queued: the advised task takes the planner's place. */
  async #adviseOn(taskId: TaskId, goal: string, report: Report): Promise<"queued" | "explained"> {
    const advised = await this.installer.tellAdvice(taskId, goal, report);
    if (advised === undefined) return "explained";
    const plan = { ...report, queue_tasks_json_lines: [advised] };
    for (const id of await this.installer.install(taskId, goal, plan)) {
      const expert = advised.suggested_mode;
      await announce(
        this.dependencies,
        announcements.taskToBeQueued({ taskId: id, expert }),
        announcements.taskAdded(id),
      );
      await this.dependencies.activity.record({ type: "TASK_QUEUED", taskId: id });
    }
    return "queued";
  }

  /** Tells that the chain halts at a task, and offers what can be done about it and about what is left. */
  async #tellHalt({ taskId, mode, goal }: Settled, status: string): Promise<void> {
    const left = (await this.dependencies.queue.entries()).length;
    const text =
      left === 0
        ? words("What next?")
        : words(
            "The chain halts at `{status}`. {left, plural, one {# task is} other {# tasks are}} still queued.",
            { status, left },
          );
    const goOn = { ...proceed, label: words("Go On Without It") };
    const steps = [...afterFailure(taskId, mode, goal), ...(left === 0 ? [] : [goOn, openQueue])];
    this.dependencies.publisher.about(taskId).notice(left === 0 ? "info" : "warning", text, steps);
  }

  #runsElsewhere(holder: LockHolder): Outcome {
    this.#publisher.notice(
      "warning",
      words("The queue is being worked on by {holder}.", { holder: holderWords(holder) }),
    );
    return { status: "waiting" };
  }

  /**
   * Returns the assignment for an entry. Another tool may have written the entry without the task's
   * files, so missing ones are made.
   */
  async #assignment(
    entry: QueueEntry,
    conversation: ConversationId | undefined,
  ): Promise<Assignment> {
    const mode = this.dependencies.modes.all.get(entry.mode);
    if (mode === undefined) throw new Error(`the queue offered the unknown mode ${entry.mode}`);
    await this.dependencies.store.readRecord(entry.taskId);
    const where = conversation === undefined ? {} : { conversation };
    await this.dependencies.store.create(
      {
        taskId: entry.taskId,
        parentTaskId: entry.parentTaskId,
        planId: entry.planId,
        mode: entry.mode,
        goal: entry.goal,
        contextPath: entry.contextPath,
        ...where,
      },
      plainContext(entry),
    );
    const { taskId, goal, contextPath } = entry;
    return { taskId, mode, goal, contextPath, ...where };
  }

  async #tellProblems(lines: readonly QueueLine[]): Promise<void> {
    const problems = lines.filter((line) => line.kind === "problem");
    for (const line of problems.slice(0, mostNamed)) {
      const { reason } = line;
      this.#publisher.notice(
        "warning",
        words("{path}, line {line}, is passed over. {reason} Correct the line or delete it.", {
          path: queuePath,
          line: line.line,
          reason,
        }),
        [openQueue],
      );
      await this.dependencies.activity.record({
        type: line.isJson ? "INVALID_TASK_IN_QUEUE" : "QUEUE_PARSE_ERROR",
        severity: "WARN",
        details: { line: line.line, reason: spoken(reason) },
      });
    }
    const more = problems.length - mostNamed;
    if (more <= 0) return;
    this.#publisher.notice(
      "warning",
      words(
        "{path} has {more, plural, one {# more line that is} other {# more lines that are}} passed over; `rooroo status` and the list of tasks say why.",
        { path: queuePath, more },
      ),
      [openQueue],
    );
    await this.dependencies.activity.record({
      type: "INVALID_TASK_IN_QUEUE",
      severity: "WARN",
      details: { more },
    });
  }
}

const openQueue: DraftedStep = {
  type: "command",
  label: words("Open Queue"),
  command: "openQueue",
};

/** Returns what a person is told of entries that were not added here; `all`: how many there are in all. */
function unknownWords(fresh: number, all: number): Words {
  return fresh < all
    ? words(
        "{fresh, plural, one {# of the tasks in the queue was not added here: the folder, an editor or another program brought it.} other {# of the tasks in the queue were not added here: the folder, an editor or another program brought them.}} The queue has {all, number} in all.",
        { fresh, all },
      )
    : words(
        "{all, plural, one {The task in the queue was not added here: the folder, an editor or another program brought it.} other {The # tasks in the queue were not added here: the folder, an editor or another program brought them.}}",
        { all },
      );
}

/** Returns the fields of an entry that decide what its task does, as a key. */
function lineOf({ taskId, mode, goal, contextPath }: QueueEntry): string {
  return JSON.stringify([taskId, mode, goal, contextPath]);
}

/**
 * Returns the queue entries that may start now: the first of each plan, unless a task of that plan runs,
 * so that the order within a plan is kept. Lines of other tools name no plan: those of one parent are one. A task without
 * either is a plan of its own.
 *
 * @param running ids of the tasks that run
 */
export function nextEntries(
  queue: readonly QueueEntry[],
  running: ReadonlySet<string>,
): QueueEntry[] {
  const planOf = ({ planId, parentTaskId, taskId }: QueueEntry): string =>
    planId ?? parentTaskId ?? taskId;
  const taken = new Set(queue.filter(({ taskId }) => running.has(taskId)).map(planOf));
  return queue.filter((entry) => {
    const plan = planOf(entry);
    if (taken.has(plan)) return false;
    taken.add(plan);
    return true;
  });
}
