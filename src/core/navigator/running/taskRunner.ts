import type { ActivityLog, Activity } from "../../activity/activityLog.js";
import { lastMessages } from "../../agent/attempt.js";
import { type Transcript, withImages } from "../../agent/transcript.js";
import type { Approver } from "../../approvals/approver.js";
import { ChangeStore } from "../../changes/changeStore.js";
import { changeCount } from "../../changes/changeSummary.js";
import type { EventPublisher, DraftedStep } from "../../conversation/events/eventPublisher.js";
import type { QueueEntry } from "../../documents/queue.js";
import { messageOf, saidBy, UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { Mode } from "../../experts/mode.js";
import { failedReport, type Report } from "../../experts/report.js";
import { systemPrompt } from "../../experts/systemPrompt.js";
import type { ConversationId, TaskId } from "../../ids.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock, HeldLock } from "../../ports/locks.js";
import { ForeignFilesError } from "../../provenance/foreignFiles.js";
import { joined } from "../../text/joined.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Said, spoken, type Words, words } from "../../text/words.js";
import { AgentSession } from "../../work/agentSession.js";
import type { ReadAttachments } from "../attachments/readAttachments.js";
import type { QueueStore } from "../queue/queueStore.js";
import type { ActiveWork } from "../tasks/activeWork.js";
import { announce, announcements } from "../tasks/announcements.js";
import { missingResults } from "../tasks/missingResults.js";
import { isPlanMate } from "../tasks/planMates.js";
import { planIdOf, taskLock } from "../tasks/taskIds.js";
import { type TaskStore, plainContext, taskFolder, type TaskQuestion } from "../tasks/taskStore.js";
import { holdsRequest, requestSection } from "../tasks/userRequest.js";
import { withLeft } from "../worktrees/leftBehindText.js";
import { discardStep, placeSteps } from "../worktrees/placeSteps.js";
import type { PlanHosts } from "../worktrees/planHosts.js";
import { executeTask, firstMessage, planTask, resumeTask } from "./commands.js";
import { type ExpertEnd, runExpert } from "./expertRunner.js";
import { modelSteps } from "./modelSteps.js";
import { planSoFar } from "./planSoFar.js";
import { type Slot, Slots } from "./slots.js";

/** A task as it is handed to an expert. */
export interface Assignment {
  readonly taskId: TaskId;
  readonly mode: Mode;
  readonly goal: string;
  readonly contextPath: string;
  /** Whether it runs because it is the queue's next one. */
  readonly isQueued?: boolean;
  /** Whether the user asked for this one task, so that none follows it. Absent: as when it last ran. */
  readonly single?: boolean;
  /** The conversation in which it is started; a task that was started before stays in its own. */
  readonly conversation?: ConversationId | undefined;
}

/** A task's session, and the services that it works with. */
interface AtWork {
  readonly session: AgentSession;
  readonly experts: ExpertServices;
}

/** The user's answer to a task's question. */
export interface Answer {
  readonly words: string;
  /** What came with the words. */
  readonly attached: ReadAttachments;
}

export type TaskOutcome =
  | { readonly type: "reported"; readonly report: Report }
  /** The task waits for the user's answer or approval, or another process runs it. */
  | { readonly type: "waiting" }
  /** The user stopped the task, or something that is not the task's fault did; it can be resumed. */
  | { readonly type: "interrupted" };

/** What a {@link TaskRunner} uses. */
interface TaskPorts {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly active: ActiveWork;
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
  readonly planHosts?: PlanHosts | undefined;
  readonly experts: ExpertServices;
}

/**
 * Runs one task with one expert: starts it, or resumes it where its transcript ends. All results are in
 * the task's folder before anything acts on them.
 */
export class TaskRunner {
  readonly #running = new Map<string, { approvals: number }>();
  readonly #slots: Slots;
  /** Callbacks that are called, once, when a task begins to wait for an approval. */
  readonly #onWait: (() => void)[] = [];

  constructor(private readonly dependencies: TaskPorts) {
    this.#slots = new Slots(() => dependencies.experts.settings().concurrency ?? 1);
  }

  isRunning(taskId: TaskId): boolean {
    return this.#running.has(taskId);
  }

  waitsForApproval(taskId: TaskId): boolean {
    return (this.#running.get(taskId)?.approvals ?? 0) > 0;
  }

  /**
   * Runs a task, once a slot is free.
   *
   * @param answer the user's answer to the task's pending question, if this is one
   */
  run(task: Assignment, signal: AbortSignal, answer?: Answer): Promise<TaskOutcome> {
    return this.#slots.run((slot) => this.#runHere(task, signal, slot, answer));
  }

  /** Resolves when the next task begins to wait for an approval. */
  nextWait(): Promise<void> {
    return new Promise((resolve) => this.#onWait.push(resolve));
  }

  /**
   * Returns whether a message waits that is the reply to what an expert asks in conversation. Experts that ask by a
   * call need an answer instead.
   */
  async isReplied({ taskId, mode }: Pick<Assignment, "taskId" | "mode">): Promise<boolean> {
    if (mode.onPlainText !== "question") return false;
    const question = await this.dependencies.store.readQuestion(taskId);
    if (question?.callId !== null || question.closed === true) return false;
    return this.dependencies.experts.messages.inbox(taskId).hasMessages();
  }

  async #runHere(
    task: Assignment,
    signal: AbortSignal,
    slot: Slot,
    answer?: Answer,
  ): Promise<TaskOutcome> {
    signal.throwIfAborted();
    const { store, publisher } = this.dependencies;
    const { taskId, conversation } = task;
    publisher.belongs(taskId, (await store.conversationOf(taskId)) ?? conversation);
    const lock = await this.dependencies.lock.tryHold(taskLock(task.taskId));
    if ("holder" in lock) {
      publisher.about(taskId).notice(
        "warning",
        words("Task `{taskId}` already runs in {holder} (process {pid}).", {
          taskId,
          holder: lock.holder.label,
          pid: String(lock.holder.pid),
        }),
      );
      return { type: "waiting" };
    }
    this.#running.set(task.taskId, { approvals: 0 });
    try {
      return await this.dependencies.active.during(task.taskId, async () => {
        let outcome = await this.#run(task, lock.held, signal, slot, answer);
        // The user may have replied before the question was there.
        while (outcome.type === "waiting" && (await this.isReplied(task)))
          outcome = await this.#run(task, lock.held, signal, slot);
        return outcome;
      });
    } finally {
      this.#running.delete(task.taskId);
      await lock.held.release();
      this.dependencies.publisher.tasksChanged();
    }
  }

  async #run(
    task: Assignment,
    lock: HeldLock,
    signal: AbortSignal,
    slot: Slot,
    answer?: Answer,
  ): Promise<TaskOutcome> {
    const foreign = await this.dependencies.store.foreignFiles(task.taskId);
    if (foreign.length > 0) throw new ForeignFilesError(task.taskId, foreign);
    const known = await this.dependencies.store.readReport(task.taskId);
    if (known !== undefined && known.status !== "NeedsClarification" && answer === undefined) {
      return { type: "reported", report: known };
    }
    const experts = await this.#placed(task);
    const session = await this.#open(task, lock, experts);
    const { transcript } = session;
    this.#tellUnreadable(task, transcript);
    const question = await this.#openQuestion(task, transcript);
    if (question !== undefined && answer === undefined) {
      if (!(await this.isReplied(task))) {
        this.#show(task, question);
        return { type: "waiting" };
      }
      await this.#closeQuestion(task, question);
    }
    await this.#start(task, session, question, answer);
    try {
      const end = await this.#work(task, session, { experts, slot, signal });
      return await this.#settle(task, { session, experts }, end);
    } catch (error) {
      // A full disk or a bug: the task keeps what it has and can be resumed.
      const named = { taskId: task.taskId, mode: task.mode.slug };
      await this.dependencies.activity.record({
        type: "TASK_STOPPED",
        severity: "ERROR",
        taskId: task.taskId,
        details: { message: messageOf(error) },
      });
      this.dependencies.publisher.ended(named, "Stopped", saidBy(error));
      return this.#interrupted(task, "error", words("The task waits where it stopped."), []);
    }
  }

  #tellUnreadable({ taskId }: Assignment, { unreadable, path }: Transcript): void {
    if (unreadable === 0) return;
    const text = words(
      "{lines, plural, one {# line} other {# lines}} of {path} cannot be read: the expert goes on without. They stay in the file.",
      { lines: unreadable, path },
    );
    this.dependencies.publisher.about(taskId).notice("warning", text);
  }

  /** Takes back a question to which the user has replied by a message. */
  async #closeQuestion({ taskId }: Assignment, { questionId }: TaskQuestion): Promise<void> {
    await this.dependencies.store.removeQuestion(taskId);
    this.dependencies.publisher.about(taskId).publish({ type: "questionClosed", questionId });
  }

  /** Writes what the expert begins or goes on with, and tells the user that it is at work. */
  async #start(
    task: Assignment,
    session: AgentSession,
    question: TaskQuestion | undefined,
    answer: Answer | undefined,
  ): Promise<void> {
    const { store, publisher } = this.dependencies;
    const { taskId, goal } = task;
    const mode = task.mode.slug;
    await store.removeApproval(taskId);
    await store.removeUndone(taskId);
    const hasBegun = session.transcript.has("user");
    const change = hasBegun ? await this.#editedByHand(task) : undefined;
    await this.#begin(session, task);
    const record = await store.recordStart(taskId, { ...task, mode });
    if (answer !== undefined) await this.#answer(session.transcript, task, question, answer);
    if (change !== undefined) await session.tell(change);
    await this.#logStart(task, hasBegun);
    if (mode === "rooroo-planner") {
      publisher.publish({ type: "plan", planId: planIdOf(taskId), taskId, goal });
    }
    const { planId = null } = record ?? {};
    const plan = planId === null ? {} : { planId };
    publisher.publish({ type: "sessionStarted", taskId, mode, goal, ...plan });
    publisher.tasksChanged();
  }

  #logStart({ taskId, mode, isQueued }: Assignment, hasBegun: boolean): Promise<void> {
    const { activity } = this.dependencies;
    if (hasBegun) return activity.record({ type: "TASK_RESUMED", taskId });
    const source = isQueued === true ? "queued" : "direct_invocation";
    return activity.record({
      type: "TASK_DELEGATED",
      taskId,
      details: { expert: mode.slug, source },
    });
  }

  /** Has the expert work, and records how long it did. */
  async #work(
    task: Assignment,
    session: AgentSession,
    { experts, slot, signal }: { experts: ExpertServices; slot: Slot; signal: AbortSignal },
  ): Promise<ExpertEnd> {
    const { clock } = experts;
    const began = clock.now().getTime();
    const services = { ...experts, approver: this.#awayFrom(slot) };
    const { review } = (await this.dependencies.store.readRecord(task.taskId)) ?? {};
    const end = await runExpert(session, task.mode, services, signal, {
      isReview: review !== undefined,
      isMate: (other) => isPlanMate(task.taskId, other, this.dependencies),
    });
    await session.transcript.append({ type: "worked", ms: clock.now().getTime() - began });
    return end;
  }

  /** Returns an approver that frees the slot while it waits, so that other tasks can run. */
  #awayFrom(slot: Slot): Approver {
    const { approver } = this.dependencies.experts;
    return {
      request: (request, signal) => slot.away(() => approver.request(request, signal)),
    };
  }

  /**
   * Returns the services with which the task works: in the worktree of its plan, if that has one. A task that only
   * reads gets none for itself, and a review is of the user's own folder.
   */
  async #placed({ taskId, mode }: Assignment): Promise<ExpertServices> {
    const { experts, planHosts, publisher, store } = this.dependencies;
    if (planHosts === undefined) return experts;
    const { planId = null, review, parentTaskId } = (await store.readRecord(taskId)) ?? {};
    if (review !== undefined) return experts;
    const asked = await store.findRecord(parentTaskId ?? taskId);
    const isAsked = asked?.own === true ? asked.value.isolated : undefined;
    const isolate =
      (isAsked ?? experts.settings().isolation === "worktree") &&
      (planId !== null || mode.writes === "project" || typeof mode.writes === "object") &&
      !(await store.hasOwnTranscript(taskId));
    const host = await planHosts.hostOf(planId ?? planIdOf(taskId), isolate, (text) => {
      publisher.notice("warning", text);
    });
    return host === undefined ? experts : { ...experts, host, files: host.files };
  }

  #open(task: Assignment, lock: HeldLock, experts: ExpertServices): Promise<AgentSession> {
    const { taskId, mode, goal } = task;
    return AgentSession.open(
      {
        id: taskId,
        mode,
        goal,
        guard: () => lock.check(),
        isMate: (other) => isPlanMate(taskId, other, this.dependencies),
        onEvent: (event) => {
          const running = this.#running.get(taskId);
          if (running && event.type === "approvalRequested") running.approvals++;
          if (running && event.type === "approvalResolved") running.approvals--;
          this.dependencies.publisher.agent(taskId, event);
          const isListed = event.type.startsWith("approval") || event.type === "messageDelivered";
          if (isListed) this.dependencies.publisher.tasksChanged();
          if (event.type === "approvalRequested") for (const tell of this.#onWait.splice(0)) tell();
        },
        onNotice: (text, how) => {
          this.dependencies.publisher.about(taskId).ofSession(text, how);
        },
        onReportRejected: (problem) => {
          const isPlanner = mode.slug === "rooroo-planner";
          void this.dependencies.activity.record({
            type: isPlanner ? "PLAN_REPORT_INVALID" : "EXPERT_REPORT_INVALID",
            severity: "WARN",
            taskId,
            details: { expert: mode.slug, problem },
          });
        },
      },
      experts,
    );
  }

  #begin(session: AgentSession, task: Assignment): Promise<void> {
    const { experts } = this.dependencies;
    return session.begin({
      system: async ({ shell, instructions }) =>
        systemPrompt(task.mode, {
          shell,
          sandboxed: (await experts.sandboxUse.of(task.mode.slug)) !== undefined,
          assignable: experts.assignable(),
          instructions,
        }),
      user: async (environment) => ({
        content: await this.#command(task, await environment()),
        images: (await this.dependencies.store.requestOf(task.taskId))?.images ?? [],
      }),
    });
  }

  /**
   * Returns the command that begins the task, with its context. A missing `context.md` of the task's own is
   * made from its goal. Throws a {@link UserError} if another file that the queue names is missing: an
   * expert without it would not know what it is to do.
   */
  async #command(task: Assignment, environment?: string): Promise<string> {
    const command = task.mode.slug === "rooroo-planner" ? planTask(task) : executeTask(task);
    const { store } = this.dependencies;
    const isOwn = task.contextPath === store.contextPath(task.taskId);
    if (isOwn) await store.createContext(task.taskId, plainContext(task));
    const content = await store.readContext(task.contextPath);
    if (content === undefined) {
      throw new UserError(
        "contextFileMissing",
        'The context file {path} is missing, so {taskId} does not start. Create it, or correct "context_file_path" in the task\'s line of the queue.',
        { path: visibleLine(task.contextPath, 200), taskId: task.taskId },
      );
    }
    const found = await store.findRecord(task.taskId);
    const plan = found && (await planSoFar(task.taskId, found.value, this.dependencies));
    // A context that a planner or a person wrote may be without the request.
    const request = holdsRequest(content) ? undefined : await store.requestOf(task.taskId);
    const further = [
      request && requestSection(request.text),
      plan,
      goalNote(task, content),
      await missingResults(task.taskId, [task.goal, content], this.dependencies.files),
      environment,
    ];
    return firstMessage(
      command,
      { path: task.contextPath, content },
      further.filter((one) => one !== undefined),
    );
  }

  /** Returns what an expert that has begun is told when the task is no longer what it was started as. */
  async #editedByHand(task: Assignment): Promise<string | undefined> {
    const { store } = this.dependencies;
    const { taskId, mode, goal, contextPath } = task;
    const before = await store.readRecord(taskId);
    if (before === undefined) return undefined;
    const { contextPath: named = store.contextPath(taskId) } = before;
    const isSameMode = before.mode === mode.slug;
    if (isSameMode && before.goal === goal && named === contextPath) return undefined;
    const role = isSameMode ? "" : ` You are ${mode.slug} from here on.\n\n${mode.instructions}`;
    return `The user has changed this task.${role}\n\n${await this.#command(task)}`;
  }

  /** Returns the pending question, unless the transcript shows that it was answered before a crash. */
  async #openQuestion(task: Assignment, transcript: Transcript): Promise<TaskQuestion | undefined> {
    const question = await this.dependencies.store.readQuestion(task.taskId);
    if (question === undefined) return undefined;
    const answered =
      question.callId === null
        ? transcript.messages.at(-1)?.role === "user"
        : !transcript.pendingCalls.some(({ call }) => call.id === question.callId);
    if (!answered) return question;
    await this.dependencies.store.removeQuestion(task.taskId);
    return undefined;
  }

  async #answer(
    transcript: Transcript,
    task: Assignment,
    question: TaskQuestion | undefined,
    { words, attached }: Answer,
  ): Promise<void> {
    const { texts, images } = attached;
    const told = [words, ...texts].join("\n\n");
    if (question !== undefined) {
      // First, so that a process that ends here asks again and loses nothing.
      const { questionId, text } = question;
      await this.dependencies.store.recordAnswer(task.taskId, {
        questionId,
        question: text,
        answer: words,
      });
    }
    let isResult = false;
    for (const { call } of transcript.pendingCalls) {
      // Only the question itself, or a report that a crash left unconfirmed, can be pending here.
      const asked = call.id === question?.callId;
      isResult ||= asked;
      const content = asked ? told : received;
      await transcript.append({ type: "result", callId: call.id, ok: true, content });
    }
    if (!isResult) {
      const content = resumeTask(task, told);
      await transcript.append({ type: "user", content, person: true, ...withImages(images) });
    } else if (images.length > 0) {
      // A tool's result cannot hold images.
      const content = "The images that came with the answer:";
      await transcript.append({ type: "user", content, person: true, ...withImages(images) });
    }
    await this.dependencies.store.removeQuestion(task.taskId);
    if (question !== undefined) {
      this.dependencies.publisher.about(task.taskId).publish({
        type: "answered",
        questionId: question.questionId,
        text: words,
      });
    }
  }

  async #settle(task: Assignment, at: AtWork, end: ExpertEnd): Promise<TaskOutcome> {
    const { session, experts } = at;
    const named = await this.#named(task, experts);
    switch (end.type) {
      case "reported":
        return this.#report(task, at, end.report, {
          confirm: () => session.confirm(end.callId, received),
        });
      case "asks":
        this.#show(task, await this.#ask(task, end.callId, end.question, end.suggestions));
        this.dependencies.publisher.waits(named, "answer");
        return { type: "waiting" };
      case "waitsForApproval":
        await this.dependencies.store.writeApproval(task.taskId, end.action.title);
        this.dependencies.publisher.waits(
          named,
          "approval",
          words("Awaiting approval: {title}", { title: end.action.title }),
        );
        return { type: "waiting" };
      case "stopped":
        await this.dependencies.activity.record({ type: "TASK_STOPPED", taskId: task.taskId });
        this.dependencies.publisher.ended(named, "Stopped", words("Stopped."));
        return this.#interrupted(task, "info", words("The task waits where it stopped."), []);
      case "exhausted":
        return this.#reportFailure(task, at, end.message);
      case "unexpectedStatus": {
        const text = await this.#unexpectedStatus(task, end);
        this.dependencies.publisher.ended(named, "Stopped", text);
        const { taskId } = task;
        await this.dependencies.activity.record({ type: "AWAITING_USER_COMMAND", taskId });
        return this.#interrupted(task, "error", words("The task waits where it stopped."), []);
      }
      case "modelFailed":
        await this.dependencies.activity.record({
          type: "TASK_DELEGATION_FAILED",
          severity: "ERROR",
          taskId: task.taskId,
          details: { message: spoken(end.message) },
        });
        this.dependencies.publisher.ended(named, "Stopped", end.message);
        return this.#interrupted(
          task,
          "error",
          words("No answer: the task is paused."),
          modelSteps(end.code),
        );
    }
  }

  /** Logs a status that experts do not report with, and returns what is told of it. */
  async #unexpectedStatus(
    { taskId, mode }: Assignment,
    { status, message }: Extract<ExpertEnd, { type: "unexpectedStatus" }>,
  ): Promise<Words> {
    await this.dependencies.activity.record({
      type: "EXPERT_UNEXPECTED_STATUS",
      severity: "WARN",
      taskId,
      details: { expert: mode.slug, status, message },
    });
    const named = { taskId, expert: mode.slug };
    await announce(this.dependencies, announcements.statusUnexpected(named, status, message));
    return words("Unexpected status: `{status}`. {message}", { status, message });
  }

  /** Returns the task with how much it has changed, which is nothing if the log of changes cannot be read. */
  async #named({ taskId, mode }: Assignment, { files, clock, signer }: ExpertServices) {
    const store = new ChangeStore(files, clock, signer, taskFolder(taskId));
    const changes = await changeCount(store).catch(() => undefined);
    return { taskId, mode: mode.slug, changedFiles: changes?.files ?? 0, changes };
  }

  #interrupted(
    task: Assignment,
    level: "info" | "error",
    text: Said,
    steps: readonly DraftedStep[],
  ): TaskOutcome {
    const action = { action: "resume", taskId: task.taskId } as const;
    const resume: DraftedStep = { type: "action", label: words("Resume"), action };
    this.dependencies.publisher.about(task.taskId).notice(level, text, [...steps, resume]);
    return { type: "interrupted" };
  }

  /** Reports that the task has failed, with what its expert said last. */
  #reportFailure(task: Assignment, at: AtWork, message: Said): Promise<TaskOutcome> {
    const lastSaid = lastMessages(at.session.transcript.messages) || null;
    return this.#report(task, at, failedReport(spoken(message), lastSaid), { said: message });
  }

  /** Writes the report to disk before the transcript confirms it, and before anything acts on it. */
  async #report(
    task: Assignment,
    { session: { transcript }, experts }: AtWork,
    report: Report,
    { confirm, said = report.message }: { confirm?: () => Promise<void>; said?: Said },
  ): Promise<TaskOutcome> {
    const question =
      report.status === "NeedsClarification"
        ? await this.#ask(task, null, report.clarification_question ?? report.message, [])
        : undefined;
    await transcript.guard();
    const named = await this.#named(task, experts);
    const left = (await experts.host.leftOf?.(taskFolder(task.taskId))) ?? [];
    const written = {
      ...report,
      effort: transcript.usage,
      ...(named.changes === undefined ? {} : { changes: named.changes }),
    };
    await this.dependencies.store.writeReport(task.taskId, withLeft(written, left));
    await confirm?.();
    await this.dependencies.activity.record(reportReceived(task.taskId, task.mode.slug, report));
    if (report.output_artifact_paths.length > 0) {
      await this.dependencies.activity.record({
        type: "TASK_ARTIFACTS_PRODUCED",
        taskId: task.taskId,
        outputs: report.output_artifact_paths,
      });
    }
    const { error_details: details, output_artifact_paths: artifacts } = report;
    const told = details?.trim() ? joined(said, `\n\n${details.trim()}`) : said;
    this.dependencies.publisher.ended(named, report.status, told, artifacts, report.findings);
    if (left.length > 0) {
      const text = words(
        "{n, plural, one {# file} other {# files}} of {folder} in the worktree did not come into your folder; the task's report says which, and why.",
        { n: left.length, folder: taskFolder(task.taskId) },
      );
      this.dependencies.publisher.about(task.taskId).notice("warning", text);
    }
    await this.#tellPlace(task, experts);
    if (question === undefined) return { type: "reported", report };
    this.#show(task, question);
    return { type: "waiting" };
  }

  /** Tells the user, after the last task of a plan in a worktree, that its changes are not in the folder yet. */
  async #tellPlace({ taskId }: Assignment, { host }: ExpertServices): Promise<void> {
    const { experts, queue, store, publisher, planHosts } = this.dependencies;
    if (host === experts.host) return;
    const { planId = null } = (await store.readRecord(taskId)) ?? {};
    const about = planId ?? planIdOf(taskId);
    // What git refuses just now is told when the plan lands.
    await planHosts?.look(about).catch((error: unknown) => {
      if (!(error instanceof UserError)) throw error;
    });
    const isOfPlan = (entry: QueueEntry) => entry.planId === planId && entry.taskId !== taskId;
    if (planId !== null && (await queue.entries()).some(isOfPlan)) return;
    const text = words(
      "These changes are in a worktree, and not in your folder yet. Look at them, then land or discard them.",
    );
    publisher.about(taskId).notice("info", text, [...placeSteps(about), discardStep(about)]);
  }

  /**
   * Writes a question to disk. It is shown only afterwards, so that the user can answer whatever they
   * see.
   */
  async #ask(
    task: Assignment,
    callId: string | null,
    text: string,
    suggestions: readonly string[],
  ): Promise<TaskQuestion> {
    const questionId = `q-${this.dependencies.experts.ids.hex(12)}`;
    const question = { questionId, callId, text, suggestions: [...suggestions] };
    await this.dependencies.store.writeQuestion(task.taskId, question);
    if (task.mode.slug === "rooroo-planner") {
      await this.dependencies.activity.record({
        type: "PLANNER_NEEDS_CLARIFICATION",
        taskId: task.taskId,
        details: { question: text },
      });
    }
    const named = { taskId: task.taskId, expert: task.mode.slug };
    await announce(
      this.dependencies,
      ...(task.mode.slug === "rooroo-planner"
        ? [
            announcements.plannerUnclear(task.taskId, text),
            announcements.plannerAsks(task.taskId, text),
          ]
        : [announcements.taskUnclear(named, text), announcements.taskAsks(named, text)]),
    );
    return question;
  }

  #show(task: Assignment, question: TaskQuestion): void {
    const { questionId, text, suggestions } = question;
    const { taskId, mode } = task;
    this.dependencies.publisher.publish({
      type: "question",
      questionId,
      taskId,
      mode: mode.slug,
      text,
      suggestions,
    });
  }
}

/** Returns what an expert is told if its goal is another one by now than its context says. */
function goalNote({ goal }: Assignment, context: string): string | undefined {
  if (!context.includes("\n## Goal\n") || context.includes(goal.trim())) return undefined;
  return "The user has changed this task since its context was written. The goal in the command counts.";
}

const received = "The report was received.";

/**
 * Returns the line of the activity log about an expert's report.
 *
 * @param expert the mode's slug
 */
export function reportReceived(taskId: TaskId, expert: string, report: Report): Activity {
  const { status, message, output_artifact_paths: outputs } = report;
  return {
    type: "EXPERT_REPORT_RECEIVED",
    severity: status === "Failed" ? "ERROR" : "INFO",
    taskId,
    details: { expert, status, message },
    outputs,
  };
}
