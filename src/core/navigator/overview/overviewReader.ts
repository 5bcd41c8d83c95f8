import { isMessageFile } from "../../agent/pendingMessages.js";
import { addUsage } from "../../agent/usageSums.js";
import type { QueueEntry, QueueLine } from "../../documents/queue.js";
import { messageOf } from "../../errors.js";
import { builtInModes } from "../../experts/builtInModes.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { Modes } from "../../experts/modes.js";
import type { Report } from "../../experts/report.js";
import { grouped } from "../../grouped.js";
import type { TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock, LockHolder } from "../../ports/locks.js";
import { noSessionUsage } from "../../ports/messages.js";
import { words } from "../../text/words.js";
import { seemsDone } from "../queue/doneBefore.js";
import { queuePath } from "../queue/queuePath.js";
import type { QueueStore } from "../queue/queueStore.js";
import { type GivenRequests, type GivenRequest, requestText } from "../requests/givenRequests.js";
import { drainLock } from "../running/queueRunner.js";
import type { TaskRunner } from "../running/taskRunner.js";
import { isTaskFolder, isUnitId, planIdOf, taskLock } from "../tasks/taskIds.js";
import {
  type TaskStore,
  atATime,
  recordPath,
  taskFolder,
  tasksFolder,
} from "../tasks/taskStore.js";
import type { PlanHosts } from "../worktrees/planHosts.js";
import type { EarlierWork } from "./earlierWork.js";
import type {
  Overview,
  PlanState,
  PlanView,
  QueueProblem,
  TaskState,
  TaskView,
  UnitMessages,
} from "./overview.js";

/** Access to the folders of tasks. */
interface TaskFolders {
  readonly files: FileSystem;
  readonly store: TaskStore;
  readonly messages: ExpertServices["messages"];
}

/** What an overview is read from. */
interface OverviewPorts extends TaskFolders {
  readonly lock: Lock;
  readonly queue: QueueStore;
  readonly modes: Modes;
  readonly requests: GivenRequests;
  readonly planHosts?: PlanHosts | undefined;
}

/** The view of an ended task, and when its record was last written: milliseconds since the epoch, 0 if there is none. */
interface EndedTask {
  readonly view: TaskView;
  readonly recordedAt: number;
}

/** Reads the overview from the queue and the tasks' folders. */
export class OverviewReader {
  /** Views of ended tasks, which do not change unless the task runs again, or is undone or taken back. */
  readonly #ended = new Map<string, EndedTask>();
  /** The earlier work, kept by the names of its folders: it does not change, because nobody works on it. */
  #earlier: { readonly names: string; readonly work: EarlierWork } | undefined;

  constructor(
    private readonly dependencies: OverviewPorts,
    private readonly runner: Pick<TaskRunner, "isRunning" | "waitsForApproval">,
  ) {}

  async read(): Promise<Overview> {
    const { files, queue, lock } = this.dependencies;
    const holder = await lock.holder(drainLock);
    const { entries, problems } = queueContent(await queue.lines());
    // After the queue: a task has its folder before its line.
    const folders = await files.readDirectory(tasksFolder);
    const names = new Set(folders.flatMap(({ name, kind }) => (kind === "folder" ? [name] : [])));
    const others = [...names].filter((name) => isTaskFolder(name) && !entries.has(name));
    // Most of a long queue has no folders yet, which need not be looked for one by one.
    const begun = [...entries.values()].filter(({ taskId }) => names.has(taskId));
    const views = await atATime.map(begun, (entry) => this.#view(entry.taskId, entry));
    const viewOf = new Map(begun.map(({ taskId }, at) => [taskId, views[at]]));
    const inQueue = [...entries.values()].map((entry) =>
      names.has(entry.taskId)
        ? viewOf.get(entry.taskId)
        : { ...blank(entry.taskId, entry), ...doneMark(entry.ended === true) },
    );
    const listed = await atATime.map(others, (id) => this.#view(id, undefined));
    const { left } = await this.dependencies.requests.interrupted(this.dependencies.store);
    const rest = [...listed.filter((view) => view !== undefined), ...left.map(requestView)];
    const tasks = [
      ...inQueue.filter((view) => view !== undefined),
      ...rest.sort((a, b) => b.changedAt - a.changedAt),
    ];
    const other = await this.#otherWorker(tasks);
    const places = (await this.dependencies.planHosts?.places().catch(() => [])) ?? [];
    const toUnits = await this.#toUnits([...names].filter(isUnitId));
    const plans = planViews(tasks);
    const unlisted = others.filter((_, at) => listed[at] === undefined);
    const earlier = await this.#earlierWork(unlisted, plans);
    return {
      tasks,
      plans,
      modeProblems: this.dependencies.modes.problems,
      experts: this.dependencies.modes.direct
        .filter(({ slug }) => !builtInModes.has(slug))
        .map(({ slug, name, whenToUse = "" }) => ({ slug, name, description: whenToUse })),
      problems,
      ...(toUnits.length === 0 ? {} : { toUnits }),
      ...(places.length === 0 ? {} : { places }),
      ...(earlier.tasks.length === 0 ? {} : { earlier: earlier.tasks }),
      ...(earlier.files.length === 0 ? {} : { earlierFiles: earlier.files }),
      ...(holder === undefined ? {} : { holder }),
      ...(other === undefined ? {} : { other }),
    };
  }

  /** @param unlisted the folders that no task of this installation has */
  async #earlierWork(
    unlisted: readonly string[],
    plans: readonly PlanView[],
  ): Promise<EarlierWork> {
    if (unlisted.length === 0) return { tasks: [], files: [] };
    const own = plans.map(({ planId }) => planId);
    const names = [...unlisted.toSorted(), "", ...own].join("/");
    if (this.#earlier?.names !== names) {
      const { readEarlierWork } = await import("./earlierWork.js");
      const work = await readEarlierWork(unlisted, new Set(own), this.dependencies);
      this.#earlier = { names, work };
    }
    return this.#earlier.work;
  }

  /** Returns the messages that wait for agents of jobs and runs. */
  async #toUnits(ids: readonly TaskId[]): Promise<UnitMessages[]> {
    const { messages } = this.dependencies;
    const read = await atATime.map(ids, async (taskId) => {
      return { taskId, messages: await messages.list(taskId) };
    });
    return read.filter((unit) => unit.messages.length > 0);
  }

  async #otherWorker(tasks: readonly TaskView[]): Promise<LockHolder | undefined> {
    const { taskId } =
      tasks.find((task) => task.state === "running" && !this.runner.isRunning(task.taskId)) ?? {};
    return taskId === undefined ? undefined : this.dependencies.lock.holder(taskLock(taskId));
  }

  async #view(taskId: TaskId, entry: QueueEntry | undefined): Promise<TaskView | undefined> {
    const running = this.runner.isRunning(taskId);
    const known = this.#ended.get(taskId);
    if (known !== undefined) {
      if (entry === undefined && !running && (await this.#isAsRead(known))) return known.view;
      this.#ended.delete(taskId);
    }
    try {
      const found = await readTaskFiles(taskId, this.dependencies);
      const view = await this.#viewOf(taskId, entry, found, running);
      const isOver = view?.state === "done" || view?.state === "failed";
      if (isOver && view.messages === undefined) {
        this.#ended.set(taskId, { view, recordedAt: found.record?.modifiedAt ?? 0 });
      }
      return view;
    } catch (error) {
      const message = messageOf(error);
      return { ...blank(taskId, entry), state: "failed", message };
    }
  }

  /** Returns whether an ended task has neither run again nor been undone or taken back after its view was read. */
  async #isAsRead({ view, recordedAt }: EndedTask): Promise<boolean> {
    const { files } = this.dependencies;
    const { taskId, hasChanges, undone } = view;
    const record = await files.stat(recordPath(taskId)).catch(() => undefined);
    if ((record?.modifiedAt ?? 0) !== recordedAt) return false;
    if (hasChanges !== true || undone !== undefined) return true;
    return (await files.stat(`${taskFolder(taskId)}/undone.json`)) === undefined;
  }

  /** Returns `undefined` for a folder that is no task's, and for a task that was removed or taken back. */
  async #viewOf(
    taskId: TaskId,
    entry: QueueEntry | undefined,
    found: TaskFiles,
    running: boolean,
  ): Promise<TaskView | undefined> {
    const { store } = this.dependencies;
    const { names, report, question, approval, messages, undone, changedAt } = found;
    const record = found.record?.value;
    if (entry === undefined && (record === undefined || record.removed === true)) return undefined;
    const conversation = found.record?.own === true ? record?.conversation : undefined;
    const state = await this.#stateOf(taskId, found, running, entry !== undefined);
    const isOfOthers = state === "queued" && entry !== undefined && record === undefined;
    return {
      ...blank(taskId, entry),
      ...doneMark(isOfOthers && (await seemsDone(entry, this.dependencies))),
      mode: entry?.mode ?? record?.mode ?? "",
      goal: entry?.goal ?? record?.goal ?? "",
      planId: record?.planId ?? entry?.planId ?? null,
      state,
      changedAt: entry === undefined ? changedAt : 0,
      ...(conversation === undefined ? {} : { conversation }),
      ...(names.has("context.md") ? { contextPath: store.contextPath(taskId) } : {}),
      ...(names.has("report.json") ? { reportPath: store.reportPath(taskId) } : {}),
      ...(report === undefined ? {} : { message: report.message }),
      ...(approval === undefined
        ? {}
        : { message: words("Awaiting approval: {title}", { title: approval.title }) }),
      ...(report?.effort === undefined ? {} : { effort: report.effort }),
      ...(question === undefined ? {} : { question }),
      ...(messages.length === 0 ? {} : { messages }),
      ...(names.has("changes") ? { hasChanges: true } : {}),
      ...(report?.changes === undefined ? {} : { changes: report.changes }),
      ...(undone === undefined ? {} : { undone: { left: undone.left } }),
    };
  }

  async #stateOf(
    taskId: TaskId,
    found: TaskFiles,
    running: boolean,
    isQueued: boolean,
  ): Promise<TaskState> {
    const { names, record, report, question, approval } = found;
    const isForeign =
      (names.has("report.json") && report === undefined) ||
      (names.has("question.json") && question === undefined) ||
      (!isQueued && record?.own !== true && !(await this.#hasRunHere(taskId, report)));
    if (isForeign) return "foreign";
    const isAsking = question !== undefined && question.closed !== true;
    if (isAsking || this.runner.waitsForApproval(taskId)) return "needsYou";
    if (approval !== undefined && !running) return "needsYou";
    const hasBegun = !hasEnded(report) && names.has("transcript.jsonl");
    if (running || (hasBegun && (await this.#runsElsewhere(taskId)))) return "running";
    if (isQueued) return "queued";
    if (!hasEnded(report)) return "interrupted";
    return report.status === "Failed" ? "failed" : "done";
  }

  /** Returns whether a task that this installation did not make has run here. */
  async #hasRunHere(taskId: TaskId, report: Report | undefined): Promise<boolean> {
    return report !== undefined || this.dependencies.store.hasOwnTranscript(taskId);
  }

  async #runsElsewhere(taskId: TaskId): Promise<boolean> {
    return (await this.dependencies.lock.holder(taskLock(taskId))) !== undefined;
  }
}

type TaskFiles = Awaited<ReturnType<typeof readTaskFiles>>;

/** Reads the files of a task's folder that say how the task stands; a field is absent if its file is. */
async function readTaskFiles(taskId: TaskId, { files, store, messages }: TaskFolders) {
  const names = new Set((await files.readDirectory(taskFolder(taskId))).map(({ name }) => name));
  const record = names.has("task.json") ? await store.findRecord(taskId) : undefined;
  const report = names.has("report.json") ? await store.findReport(taskId) : undefined;
  return {
    names,
    record,
    report: report?.own === true ? report.value : undefined,
    /** When the newer of the two was last changed: milliseconds since the epoch. */
    changedAt: report?.modifiedAt ?? record?.modifiedAt ?? 0,
    question: names.has("question.json") ? await store.readQuestion(taskId) : undefined,
    approval: names.has("approval.json") ? await store.readApproval(taskId) : undefined,
    messages: [...names].some(isMessageFile) ? await messages.list(taskId) : [],
    undone: names.has("undone.json") ? await store.readUndone(taskId) : undefined,
  };
}

/** Returns whether a report ends its task: one that asks for clarification does not. */
function hasEnded(report: Report | undefined): report is Report {
  return report !== undefined && report.status !== "NeedsClarification";
}

function blank(taskId: TaskId, entry: QueueEntry | undefined): TaskView {
  return {
    taskId,
    mode: entry?.mode ?? "",
    goal: entry?.goal ?? `see ${entry === undefined ? taskFolder(taskId) : queuePath}`,
    planId: entry?.planId ?? null,
    ...(entry === undefined ? {} : { isQueued: true }),
    ...(entry?.autoProceed === false ? { isHeld: true } : {}),
    state: "queued",
    changedAt: 0,
  };
}

function doneMark(isSet: boolean): { readonly seemsDone?: true } {
  return isSet ? { seemsDone: true } : {};
}

/** Returns the queue's tasks by their ids, and the lines that cannot be used; both in the queue's order. */
function queueContent(lines: readonly QueueLine[]) {
  const entries = new Map<TaskId, QueueEntry>();
  const problems: QueueProblem[] = [];
  for (const line of lines) {
    if (line.kind === "task") entries.set(line.entry.taskId, line.entry);
    if (line.kind !== "problem") continue;
    problems.push({
      line: line.line,
      get reason() {
        return line.reason;
      },
      get text() {
        return line.raw.trim();
      },
    });
  }
  return { entries, problems };
}

/** Returns a request that was interrupted before it became a task, as a list shows it. */
function requestView(request: GivenRequest): TaskView {
  const { id, at, conversation } = request;
  return {
    ...blank(id, undefined),
    mode: "rooroo-navigator",
    goal: requestText(request),
    state: "interrupted",
    isRequest: true,
    changedAt: Date.parse(at) || 0,
    ...(conversation === undefined ? {} : { conversation }),
  };
}

/** Groups tasks into their plans, in the order of each plan's first task in the list. */
function planViews(tasks: readonly TaskView[]): PlanView[] {
  const byPlan = grouped(tasks, ({ planId }) => planId);
  const planners = new Map(
    tasks.flatMap((task) =>
      task.mode === "rooroo-planner" ? [[planIdOf(task.taskId), task] as const] : [],
    ),
  );
  return [...byPlan].flatMap(([planId, own]) => {
    if (planId === null) return [];
    const planner = planners.get(planId);
    // The queue's order counts for what is queued, because a person may have changed it.
    const queued = own.filter(({ isQueued }) => isQueued);
    const others = own.filter(({ isQueued }) => !isQueued);
    const ordered = [...others.sort((a, b) => (a.taskId < b.taskId ? -1 : 1)), ...queued];
    const all = planner === undefined ? ordered : [planner, ...ordered];
    return {
      planId,
      goal: planner?.goal ?? ordered[0]?.goal ?? planId,
      path: `.rooroo/plans/${planId}.md`,
      tasks: ordered.map(({ taskId }) => taskId),
      done: ordered.filter(({ state }) => state === "done").length,
      state: planState(ordered),
      ...(ordered.some(({ hasChanges }) => hasChanges) ? { hasChanges: true } : {}),
      effort: all.reduce(
        (sum, { effort }) => addUsage(sum, effort ?? noSessionUsage),
        noSessionUsage,
      ),
    };
  });
}

function planState(tasks: readonly TaskView[]): PlanState {
  const has = (...states: TaskView["state"][]): boolean =>
    tasks.some(({ state }) => states.includes(state));
  if (has("running")) return "running";
  if (has("needsYou")) return "waiting";
  if (has("failed", "interrupted")) return "halted";
  return has("queued") ? "queued" : "done";
}
