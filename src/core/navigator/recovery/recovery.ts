import type { ActivityLog } from "../../activity/activityLog.js";
import type { EventPublisher, DraftedStep } from "../../conversation/events/eventPublisher.js";
import { saidBy, UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { Report } from "../../experts/report.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import { visibleLine } from "../../text/visibleText.js";
import { words } from "../../text/words.js";
import type { PlanInstaller } from "../queue/planInstaller.js";
import type { QueueStore } from "../queue/queueStore.js";
import { type GivenRequests, type GivenRequest, requestText } from "../requests/givenRequests.js";
import { drainLock, queueWork } from "../running/queueRunner.js";
import { reportReceived } from "../running/taskRunner.js";
import type { ActiveWork } from "../tasks/activeWork.js";
import { proceed } from "../tasks/nextSteps.js";
import { isTaskFolder, taskLock } from "../tasks/taskIds.js";
import { type TaskStore, atATime, taskFolder, tasksFolder } from "../tasks/taskStore.js";
import type { PlanHosts } from "../worktrees/planHosts.js";
import { tellWorktrees } from "../worktrees/tellWorktrees.js";

/** The work that was in progress when the last process ended. */
export interface Recovered {
  /** The tasks of brainstorms that are still on. */
  readonly brainstorms: readonly TaskId[];
  /** Whether work on the queue was in progress. */
  readonly queue: boolean;
  /** Keys of the queue entries that the user had been told of by then; see `QueueRunner.hasUnseen`. */
  readonly seenLines: readonly string[];
  /** Tasks that ran outside the queue. */
  readonly tasks: readonly string[];
  /** Tasks that this installation did not write. */
  readonly foreign: readonly string[];
  /** Locks under which another process works; {@link Recovery.untilFree} waits for them. */
  readonly lockedElsewhere: readonly string[];
}

/**
 * Milliseconds between two looks at a lock. A reloaded window may start before the previous one has
 * ended its commands.
 */
const lookAgainMs = 250;

/** Returns whether a conversation shows the question with this id. `undefined`: the one that is shown. */
export type IsShown = (
  questionId: string,
  conversation: ConversationId | undefined,
) => boolean | Promise<boolean>;

type Draft = { -readonly [K in keyof Recovered]: Recovered[K] } & {
  tasks: string[];
  brainstorms: TaskId[];
};

type Found = { readonly facts: TaskFacts } | { readonly foreign: string } | undefined;

/** What a {@link Recovery} uses. */
interface RecoveryPorts {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly active: ActiveWork;
  readonly requests: GivenRequests;
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
  readonly planHosts?: PlanHosts | undefined;
  readonly experts: Pick<ExpertServices, "host" | "clock">;
}

/** Carries out at the start what {@link planRecovery} decides from the files. */
export class Recovery {
  readonly #offered = new Set<string>();

  constructor(
    private readonly dependencies: RecoveryPorts,
    private readonly installer: PlanInstaller,
  ) {}

  /**
   * Recovers, unless the queue is being worked on: what looks orphaned then belongs to that work. Does
   * not hold the queue's lock itself, because another process that wants to work on the queue just then
   * would be refused; all changes to the queue here can be made twice.
   */
  async run(isShown: IsShown, goOn: boolean): Promise<Recovered> {
    const { lock, experts } = this.dependencies;
    await experts.host.shell.endOrphaned();
    await this.dependencies.files.removeTemporaries(".rooroo");
    const { planHosts, publisher } = this.dependencies;
    if (planHosts !== undefined) await tellWorktrees(planHosts, publisher);
    return lock.exclusively("recovery", async () => {
      // Taking the lock has written the mark by which this is known.
      await this.#tellTracked();
      return (await lock.holder(drainLock)) === undefined
        ? this.#settle(isShown, goOn)
        : {
            brainstorms: [],
            queue: false,
            seenLines: [],
            tasks: [],
            foreign: [],
            lockedElsewhere: [drainLock],
          };
    });
  }

  /** Tells once that git takes the records for a part of the project, because it tracks some of them. */
  async #tellTracked(): Promise<void> {
    const { files, publisher } = this.dependencies;
    const mark = ".rooroo/locks/tracked";
    if ((await files.stat(mark)) === undefined) return;
    if (!(await files.createFile(`${mark}.told`, ""))) return;
    publisher.notice(
      "info",
      words(
        "Git tracks files of .rooroo here, so Rooroo hides none of its records from it: new ones show up as changes. Commit them, or, to leave them out, create .rooroo/.gitignore with the line *, after which only files that are tracked already show up.",
      ),
    );
  }

  /**
   * Resolves when none of the locks is held; rejects with the signal's reason when the signal aborts.
   */
  async untilFree(locks: readonly string[], signal: AbortSignal): Promise<void> {
    const { lock, experts } = this.dependencies;
    for (const name of locks) {
      while ((await lock.holder(name)) !== undefined)
        await experts.clock.sleep(lookAgainMs, signal);
    }
  }

  /** Returns the ids of the tasks that run now, in whichever process. */
  async tasksAtWork(): Promise<string[]> {
    const names = (await this.dependencies.active.names()).filter((name) => name !== queueWork);
    const running = await Promise.all(names.map((name) => this.#runsElsewhere(name)));
    return names.filter((_, index) => running[index]);
  }

  async #settle(isShown: IsShown, goOn: boolean): Promise<Recovered> {
    const { interrupted, lockedElsewhere } = await this.#parted(
      await this.dependencies.active.names(),
    );
    const { store, publisher, requests } = this.dependencies;
    const { left, begun } = await requests.interrupted(store);
    // A request that had become a task is that task by now, which may not have begun.
    for (const { task } of begun) {
      if (!interrupted.includes(task) && !(await this.#runsElsewhere(task))) interrupted.push(task);
    }
    const { facts, foreign } = await this.#facts();
    const recovered: Draft = {
      brainstorms: [],
      queue: false,
      seenLines: await this.dependencies.active.seenBy(queueWork),
      tasks: [],
      foreign,
      lockedElsewhere,
    };
    for (const action of planRecovery(facts)) {
      const { type, taskId } = action;
      await this.#orTold(taskId, async () => {
        publisher.belongs(taskId, await store.conversationOf(taskId));
        if (type === "dequeue") await this.#dequeue(taskId);
        else if (type === "installPlan") recovered.queue ||= await this.#installPlan(taskId);
        else if (type === "askAgain") {
          if (await this.#askAgain(taskId, isShown)) recovered.brainstorms.push(taskId);
        } else if (!(await this.#runsElsewhere(taskId))) {
          const wasInterrupted = interrupted.includes(taskId);
          if (wasInterrupted) recovered.tasks.push(taskId);
          if (!(goOn && wasInterrupted)) await this.#offerResume(taskId, wasInterrupted);
        }
      });
    }
    for (const request of left) this.#offerAgain(request);
    for (const name of interrupted) await this.#orTold(name, () => this.#recordReport(name));
    // Another process may have resumed some of the work meanwhile.
    const now = await this.#parted(interrupted);
    await this.dependencies.active.clear(now.interrupted);
    for (const { id } of begun) await requests.remove(id);
    return {
      ...recovered,
      queue: recovered.queue || now.interrupted.includes(queueWork),
      tasks: recovered.tasks.filter((taskId) => now.interrupted.includes(taskId)),
      lockedElsewhere: [...lockedElsewhere, ...now.lockedElsewhere],
    };
  }

  /**
   * Adds a report's line to the activity log, if the process ended after the report and before the line.
   */
  async #recordReport(taskId: TaskId): Promise<void> {
    const { store, activity } = this.dependencies;
    const report = taskId === queueWork ? undefined : await store.readReport(taskId);
    if (report === undefined || (await activity.hasRecent("EXPERT_REPORT_RECEIVED", taskId)))
      return;
    const record = await store.readRecord(taskId);
    await activity.record(reportReceived(taskId, record?.mode ?? "", report));
  }

  /**
   * Shows a {@link UserError} as a warning, so that one task's files do not keep others from recovery.
   */
  async #orTold<T>(taskId: TaskId, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const publisher = this.dependencies.publisher.about(taskId);
      publisher.notice("warning", saidBy(error), [], `unreadable: ${taskId}`);
      return undefined;
    }
  }

  async #dequeue(taskId: TaskId): Promise<void> {
    await this.dependencies.queue.remove(taskId);
    await this.dependencies.activity.record({
      type: "TASK_DEQUEUED",
      taskId,
      details: { late: true },
    });
    this.dependencies.publisher
      .about(taskId)
      .notice(
        "info",
        words(
          "Task `{taskId}` had ended when work was cut off; it was taken from the queue and not run again.",
          { taskId },
        ),
      );
  }

  /**
   * Queues the tasks of a planner's report. Resolves with `false` when the report or the record is
   * missing.
   */
  async #installPlan(taskId: TaskId): Promise<boolean> {
    const { store, publisher } = this.dependencies;
    const report = await store.readReport(taskId);
    const record = await store.readRecord(taskId);
    if (report === undefined || record === undefined) return false;
    const ids = await this.installer.install(taskId, record.goal, report);
    publisher
      .about(taskId)
      .notice(
        "info",
        words(
          "The plan of `{taskId}` was ready when work was cut off; now {tasks, plural, one {# task of it is} other {# tasks of it are}} queued.",
          { taskId, tasks: ids.length },
        ),
        [proceed],
      );
    return true;
  }

  /**
   * Offers to resume a task: once per process if it waits for an approval, and otherwise only in the
   * process that finds it interrupted. A task that the user has stopped is not told of; lists show it.
   */
  async #offerResume(taskId: TaskId, wasInterrupted: boolean): Promise<void> {
    const { store } = this.dependencies;
    const approval = await store.readApproval(taskId);
    if (approval === undefined ? !wasInterrupted : this.#offered.has(taskId)) return;
    this.#offered.add(taskId);
    const record = await store.readRecord(taskId);
    const [goal = ""] = (record?.goal ?? taskId).trim().split("\n");
    const text =
      approval === undefined
        ? words('"{goal}" was interrupted.', { goal: visibleLine(goal) })
        : words('"{goal}" is awaiting your approval: {title}', {
            goal: visibleLine(goal),
            title: approval.title,
          });
    const resume: DraftedStep = {
      type: "action",
      label: words("Resume"),
      action: { action: "resume", taskId },
    };
    const publisher = this.dependencies.publisher.about(taskId);
    const topic = approval === undefined ? undefined : `approval: ${taskId}`;
    publisher.notice("warning", text, [resume], topic);
  }

  /** Offers to begin a request again that was interrupted before it came to anything; once per process. */
  #offerAgain(request: GivenRequest): void {
    const { id, conversation } = request;
    if (this.#offered.has(id)) return;
    this.#offered.add(id);
    const goal = visibleLine(requestText(request).trim().split("\n")[0] ?? "", 200);
    const resume: DraftedStep = {
      type: "action",
      label: words("Start Again"),
      action: { action: "resume", taskId: id },
    };
    const text = words('"{goal}" was interrupted before anything was begun for it.', { goal });
    const publisher = this.dependencies.publisher.in(conversation);
    publisher.notice("warning", text, [resume], `request: ${id}`);
  }

  /**
   * Asks a task's open question again, unless the conversation shows it. Resolves with whether the task
   * is a brainstorm.
   */
  async #askAgain(taskId: TaskId, isShown: IsShown): Promise<boolean> {
    const { store, publisher } = this.dependencies;
    const question = await store.readQuestion(taskId);
    const record = await store.readRecord(taskId);
    if (question === undefined || record === undefined) return false;
    const { questionId, text, suggestions } = question;
    const { mode } = record;
    if (question.closed) return false;
    if (!(await isShown(questionId, record.conversation))) {
      publisher.publish({ type: "question", questionId, taskId, mode, text, suggestions });
    }
    return mode === "rooroo-idea-sparker";
  }

  /**
   * Separates interrupted work from work that is locked, because it is in progress and its files must
   * stay.
   */
  async #parted(
    names: readonly string[],
  ): Promise<{ interrupted: string[]; lockedElsewhere: string[] }> {
    const interrupted: string[] = [];
    const lockedElsewhere: string[] = [];
    for (const name of names) {
      const lock = name === queueWork ? drainLock : taskLock(name);
      if ((await this.dependencies.lock.holder(lock)) === undefined) interrupted.push(name);
      else lockedElsewhere.push(lock);
    }
    return { interrupted, lockedElsewhere };
  }

  /** Returns whether a process runs the task. A task has a lock of its own, queued or not. */
  async #runsElsewhere(taskId: TaskId): Promise<boolean> {
    return (await this.dependencies.lock.holder(taskLock(taskId))) !== undefined;
  }

  async #facts(): Promise<{ facts: TaskFacts[]; foreign: string[] }> {
    const queued = new Set((await this.dependencies.queue.entries()).map(({ taskId }) => taskId));
    const folders = await this.dependencies.files.readDirectory(tasksFolder);
    const found = await atATime.map(
      folders.filter(({ name, kind }) => kind === "folder" && isTaskFolder(name)),
      ({ name }) => this.#orTold(name, () => this.#factsOf(name, queued.has(name))),
    );
    return {
      facts: found.flatMap((one) => (one !== undefined && "facts" in one ? [one.facts] : [])),
      foreign: found.flatMap((one) => (one !== undefined && "foreign" in one ? [one.foreign] : [])),
    };
  }

  /** Reads the facts about one task; `undefined` when there is nothing to recover. */
  async #factsOf(taskId: TaskId, queued: boolean): Promise<Found> {
    const { files, store } = this.dependencies;
    const entries = await files.readDirectory(taskFolder(taskId));
    const names = new Set(entries.map(({ name }) => name));
    const hasReport = names.has("report.json");
    // An installed plan leaves nothing to recover.
    const planQueued = names.has("plan-queued.json") && (await store.isPlanInstalled(taskId));
    if (hasReport && !queued && planQueued) return undefined;
    const report = hasReport ? await store.readReport(taskId) : undefined;
    if (hasReport && report === undefined) return { foreign: taskId };
    const question = names.has("question.json") ? await store.readQuestion(taskId) : undefined;
    if (names.has("question.json") && question === undefined) return { foreign: taskId };
    const isEnded = report !== undefined && report.status !== "NeedsClarification";
    // Most tasks have ended, and of these the record says nothing that matters here.
    const record = isEnded ? undefined : await store.findRecord(taskId);
    if (!queued && record?.own === true && record.value.removed === true) return undefined;
    const isOwn =
      isEnded ||
      record?.own === true ||
      (names.has("transcript.jsonl") && (await store.hasOwnTranscript(taskId)));
    if (!isOwn && !queued && names.has("task.json")) return { foreign: taskId };
    return {
      facts: {
        taskId,
        queued,
        recorded: isOwn,
        question: question !== undefined,
        planQueued,
        status: report?.status,
        hasPlan: (report?.queue_tasks_json_lines.length ?? 0) > 0,
      },
    };
  }
}

/** The facts about a task from its folder and the queue. */
export interface TaskFacts {
  readonly taskId: TaskId;
  readonly queued: boolean;
  /** Whether this installation made the task or has worked on it. */
  readonly recorded: boolean;
  /** Whether the task has a question, signed by this installation, that waits for an answer. */
  readonly question: boolean;
  /** The report's status; `undefined` where there is no report. */
  readonly status: Report["status"] | undefined;
  /** Whether the task's report has tasks to queue. */
  readonly hasPlan: boolean;
  /** Whether the report's tasks have been queued already. */
  readonly planQueued: boolean;
}

export interface RecoveryAction {
  readonly type: "dequeue" | "installPlan" | "offerResume" | "askAgain";
  readonly taskId: TaskId;
}

/** Returns what is left to do after a process ended at any moment, from the files alone. */
export function planRecovery(tasks: readonly TaskFacts[]): RecoveryAction[] {
  return tasks.flatMap((task): RecoveryAction[] => {
    const { taskId } = task;
    const actions: RecoveryAction[] = [];
    const ended = task.status !== undefined && task.status !== "NeedsClarification";
    if (ended && task.queued) actions.push({ type: "dequeue", taskId });
    if (task.status === "Done" && task.hasPlan && !task.planQueued) {
      actions.push({ type: "installPlan", taskId });
    }
    if (!ended && task.question) actions.push({ type: "askAgain", taskId });
    // A queued task needs no offer: Proceed resumes it.
    if (!ended && !task.question && task.recorded && !task.queued) {
      actions.push({ type: "offerResume", taskId });
    }
    return actions;
  });
}
