import type { Permissions } from "../approvals/permissions.js";
import type { ConversationEvent, NextStep } from "../conversation/events.js";
import { inputText, parseInput, type UserInput } from "../conversation/parseInput.js";
import type { UserAction } from "../conversation/userAction.js";
import { taskIdPattern } from "../documents/queue.js";
import { messageOf, ModelError, UserError } from "../errors.js";
import { ends, FollowUp, type Work } from "./followUp.js";
import { modelSteps } from "./modelSteps.js";
import type { Outcome } from "./outcome.js";
import type { Overview } from "./overview.js";
import { OverviewReader } from "./overviewReader.js";
import type { NavigatorDependencies } from "./navigatorDependencies.js";
import { PlanInstaller } from "./planInstaller.js";
import { proceed } from "./offers.js";
import { type Drain, QueueRunner } from "./queueRunner.js";
import { Recovery } from "./recovery.js";
import { acknowledged, Routes } from "./routes.js";
import { Adoption, adoptedWords } from "./adoption.js";
import { ForeignFilesError } from "../provenance/foreignFiles.js";
import { type Assignment, TaskRunner } from "./taskRunner.js";
import { stoppedByUser, type Stopped, stopWork, untilStopped } from "../work/stop.js";
import { WorkRegistry } from "../work/workRegistry.js";
import type { TaskId } from "../ids.js";
import { countText } from "../text/countText.js";

/**
 * Takes user input, decides by triage what kind of request it is, and carries it out: phases 1 to 4 of
 * the Rooroo protocol. Ids, files, queue, log and report checks are code; a model is asked for the
 * triage and by the experts, for nothing else.
 */
export class Navigator {
  readonly #parts: NavigatorDependencies;
  readonly #runner: TaskRunner;
  readonly #queueRunner: QueueRunner;
  readonly #installer: PlanInstaller;
  readonly #followUp: FollowUp;
  readonly #routes: Routes;
  readonly #overviewReader: OverviewReader;
  readonly #recovery: Recovery;
  readonly #adoption: Adoption;
  /** Topics of notices that the conversation has already, so that foreign files are reported once. */
  readonly #noticed = new Set<string>();
  /** The id of the brainstorm's task, to which plain user input goes. */
  #talkingTo: string | undefined;
  readonly #running = new WorkRegistry();
  /** Aborted by a stop: ends the wait for the process before. */
  #waiting = new AbortController();

  constructor(parts: NavigatorDependencies) {
    this.#parts = parts;
    parts.publisher.listen((event) => {
      this.#hear(event);
    });
    this.#runner = new TaskRunner(this.#parts);
    this.#installer = new PlanInstaller(this.#parts);
    this.#queueRunner = new QueueRunner(this.#parts, this.#runner, this.#installer);
    this.#recovery = new Recovery(this.#parts, this.#installer);
    this.#followUp = new FollowUp(this.#parts, this.#queueRunner, this.#installer);
    this.#routes = new Routes(this.#parts, (taskId) => {
      this.#talkingTo = taskId;
    });
    const { files, lock, experts } = this.#parts;
    this.#adoption = new Adoption({ files, lock, signer: experts.signer, clock: experts.clock });
    this.#overviewReader = new OverviewReader(this.#parts, this.#runner);
  }

  /** The permissions beyond single calls. */
  get permissions(): Pick<Permissions, "list"> {
    return this.#parts.experts.permissions;
  }

  /** Whether work runs here that {@link stop} would end. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** The slug of the expert to which plain user input goes during a brainstorm; otherwise `null`. */
  get talkingTo(): string | null {
    return this.#talkingTo === undefined ? null : "rooroo-idea-sparker";
  }

  /** Takes typed input: a request, an answer or a plain command. */
  say(text: string): Promise<Outcome> {
    return this.#do((signal) => {
      const { publisher, experts } = this.#parts;
      // Pasted text is stored in files and sent to models, too, so keys are removed from it.
      const clean = experts.redactor.text(text);
      const input = parseInput(clean);
      if (input.action !== "nothing") publisher.user(clean.trim());
      return this.#take(input, signal);
    });
  }

  /** Carries out what a button stands for. The conversation shows it as what a person would type for it. */
  act(action: UserAction): Promise<Outcome> {
    return this.#do((signal) => {
      const clean = this.#parts.experts.redactor.each(action);
      this.#parts.publisher.user(inputText(clean));
      return this.#take(clean, signal);
    });
  }

  /** Does the same as the typed word, without showing it. */
  proceed({ one = false }: { one?: boolean } = {}): Promise<Outcome> {
    return this.#do((signal) => this.#take({ action: "proceed", one }, signal));
  }

  /** Answers a task's question; the same expert continues the task (R-ROO-19). */
  answer(taskId: TaskId, text: string): Promise<Outcome> {
    return this.#do(() => this.#answer(taskId, text));
  }

  /** Resumes a task that was interrupted or failed, from where its transcript ends. */
  resume(taskId: TaskId): Promise<Outcome> {
    return this.#do((signal) => this.#take({ action: "resume", taskId }, signal));
  }

  /**
   * Adopts what this installation did not write, after the user's confirmation.
   *
   * @param taskId one task; `null`: everything
   */
  adopt(taskId: TaskId | null): Promise<Outcome> {
    return this.#do((signal) => this.#take({ action: "adopt", taskId }, signal));
  }

  /** Adds a task for one expert to the end of the queue without running it; returns its id. */
  async enqueue(task: { goal: string; expert: string }): Promise<string> {
    await this.#parts.modes.refresh();
    const taskId = await this.#routes.add(this.#parts.experts.redactor.each(task));
    this.#parts.publisher.tasksChanged();
    return taskId;
  }

  /** @param before the id of the task before which it is put; `null`: to the end */
  async moveInQueue(taskId: TaskId, before: string | null): Promise<void> {
    await this.#parts.queue.move(taskId, before);
    this.#parts.publisher.tasksChanged();
  }

  async removeFromQueue(taskId: TaskId): Promise<void> {
    if (this.#runner.isRunning(taskId)) {
      throw new UserError("taskAlreadyRunning", "Task {taskId} is running. Stop it first.", {
        taskId,
      });
    }
    await this.#parts.queue.remove(taskId);
    await this.#parts.activity.record({
      type: "TASK_ABORTED",
      taskId,
      details: { removedFromQueue: true },
    });
    this.#parts.publisher.tasksChanged();
  }

  /** Stops one command, by the id of the call that started it. Its expert is told and continues. */
  stopCommand(callId: string): void {
    this.#parts.experts.commandStops.get(callId)?.();
  }

  /**
   * Stops all tasks of the workspace, in whichever process they run, and waits up to 30 seconds for them to
   * end. Does nothing if none runs here.
   */
  async stop(): Promise<Stopped> {
    const { busy } = this;
    const endsHere = this.stopOwn(stoppedByUser());
    if (!busy) return { found: 0, left: 0 };
    const { files, experts, publisher } = this.#parts;
    const { clock, ids } = experts;
    const atWork = async () =>
      Math.max(this.#running.size, (await this.#recovery.tasksAtWork()).length);
    const stopped = await stopWork(tasksWork, atWork, { files, clock, ids }, endsHere);
    if (stopped.left > 0) {
      const tasks = `${countText(stopped.left, "task")} ${stopped.left === 1 ? "has" : "have"}`;
      publisher.notice("warning", `${tasks} been told to stop and not ended yet.`);
    }
    return stopped;
  }

  /** Stops all work of this process, before the process itself ends; resolves when none runs any more. */
  async stopOwn(reason: UserError): Promise<void> {
    this.#waiting.abort(reason);
    this.#waiting = new AbortController();
    await this.#running.stopAll(reason);
  }

  /**
   * Interrupts all running work because the process is about to end. No process of a command outlives
   * it, and the next process resumes the work as after a crash. This object must not be used afterwards.
   */
  async suspend(): Promise<void> {
    this.#parts.publisher.mute();
    this.#parts.active.keep();
    await this.stopOwn(new UserError("processEnds", "The process ends."));
  }

  async overview(): Promise<Overview> {
    await this.#parts.modes.refresh();
    return this.#overviewReader.read();
  }

  /**
   * Recovers from a crash, from the files alone.
   *
   * @param isShown whether the conversation shows the question with this id
   * @param options `goOn`: interrupted work is resumed by itself, without waiting for it;
   *   `foreignMessages`: how many messages of the conversation this installation did not write
   */
  async recover(
    isShown: (questionId: string) => boolean,
    { goOn, foreignMessages = 0 }: { goOn: boolean; foreignMessages?: number } = { goOn: false },
  ): Promise<void> {
    await this.#parts.modes.refresh();
    const recovered = await this.#recovery.run(isShown, goOn);
    const { brainstorm, queue, seenLines, tasks, heldElsewhere } = recovered;
    this.#talkingTo ??= brainstorm;
    this.#tellForeign(recovered.foreign.length, foreignMessages);
    if (!goOn) return;
    if (heldElsewhere.length > 0) void this.#recoverWhenFree(heldElsewhere, isShown);
    for (const taskId of tasks) void this.resume(taskId);
    if (queue) await this.#goOnWithQueue(seenLines);
  }

  #tellForeign(tasks: number, messages: number): void {
    const found = [
      ...(tasks === 0 ? [] : [countText(tasks, "task")]),
      ...(messages === 0 ? [] : [countText(messages, "message")]),
    ];
    const topic = `foreign: ${tasks} tasks, ${messages} messages`;
    if (found.length === 0 || this.#noticed.has(topic)) return;
    this.#noticed.add(topic);
    const [they, them, are] = tasks + messages === 1 ? ["it", "it", "is"] : ["they", "them", "are"];
    const text = `This folder has ${found.join(" and ")} that this installation of Rooroo did not write: ${they} came with the folder, or an earlier version wrote ${them} without a signature. Nothing of ${them} is shown as said, resumed or carried out. If ${they} ${are} yours, adopt ${them}: then reports and questions count, and each call that was waiting is asked about before it runs.`;
    const adopt: NextStep = {
      type: "action",
      label: "Adopt",
      action: { action: "adopt", taskId: null },
    };
    this.#parts.publisher.notice("warning", text, [adopt], topic);
  }

  /** Adopts what this installation did not write, and tells the user what that was. */
  async #adopt(taskId: TaskId | null): Promise<Work> {
    const { publisher } = this.#parts;
    const adopted = await this.#adoption.adopt(taskId ?? undefined);
    publisher.tasksChanged();
    publisher.notice(
      "info",
      adoptedWords(adopted),
      adopted.messages === 0
        ? []
        : [{ type: "command", label: "Show Earlier Messages", command: "showEarlierMessages" }],
    );
    return ends("done");
  }

  /**
   * Resumes the queue, unless it has tasks that were not added here and that the user had not been told
   * of.
   */
  async #goOnWithQueue(seenLines: readonly string[]): Promise<void> {
    const { queue, store, publisher } = this.#parts;
    const [head] = await queue.entries();
    if (head === undefined) return;
    if (!(await this.#queueRunner.hasUnseen(seenLines))) {
      const record = await store.readRecord(head.taskId).catch(() => undefined);
      const drain: Drain = { one: record?.single === true, isContinued: true };
      void this.#do(() => Promise.resolve({ type: "queue", ...drain }));
      return;
    }
    publisher.notice(
      "warning",
      "The queue was being worked on, and has tasks by now that were not added here. It goes on when you say so.",
      [proceed],
    );
  }

  /** Recovers again when the locks are free: the previous process may still be ending its work. */
  async #recoverWhenFree(
    locks: readonly string[],
    isShown: (questionId: string) => boolean,
  ): Promise<void> {
    const { signal } = this.#waiting;
    try {
      await this.#recovery.untilFree(locks, signal);
      await this.recover(isShown, { goOn: true });
    } catch (error) {
      if (!signal.aborted) this.#parts.publisher.notice("error", messageOf(error));
    }
  }

  /** Takes the conversation from before this process began, oldest first; triage sees the end of it. */
  recall(events: readonly ConversationEvent[]): void {
    for (const event of events) {
      this.#routes.remember(event);
      if (event.type === "notice" && event.topic !== undefined) this.#noticed.add(event.topic);
    }
  }

  /** Ends the brainstorm: the next user input is a request again. Its question can still be answered. */
  leaveBrainstorm(): void {
    this.#talkingTo = undefined;
  }

  #hear(event: ConversationEvent): void {
    this.#routes.remember(event);
    const over = event.type === "taskEnded" && (event.end === "Done" || event.end === "Failed");
    if (over && event.taskId === this.#talkingTo) this.leaveBrainstorm();
  }

  /**
   * Decides on what the user wants and does it, and all that follows from it. {@link stop} ends it. Errors are
   * shown as notices, not thrown.
   */
  #do(decide: (signal: AbortSignal) => Promise<Work>): Promise<Outcome> {
    const { publisher } = this.#parts;
    const running = this.#running.run(tasksWork, (signal) => this.#orTold(decide, signal));
    publisher.tasksChanged();
    return running.finally(() => {
      publisher.tasksChanged();
    });
  }

  async #orTold(
    decide: (signal: AbortSignal) => Promise<Work>,
    stopping: AbortSignal,
  ): Promise<Outcome> {
    const { publisher, modes, files, experts, activity } = this.#parts;
    const { clock } = experts;
    return untilStopped(tasksWork, { files, clock }, stopping, async (signal) => {
      try {
        await modes.refresh();
        return await this.#carryOut(await decide(signal), signal);
      } catch (error) {
        const steps = error instanceof ModelError ? modelSteps(error.code) : adoptStep(error);
        if (signal.aborted) publisher.notice("info", "Stopped.");
        else {
          publisher.notice("error", messageOf(error), steps);
          await activity.record({
            type: "SYSTEM_HALT",
            severity: "CRITICAL",
            details: { message: messageOf(error) },
          });
        }
        return { status: "failed" };
      }
    });
  }

  /** Carries out the work, and whatever follows from it, to the end. */
  async #carryOut(first: Work, signal: AbortSignal): Promise<Outcome> {
    let work = first;
    for (;;) {
      switch (work.type) {
        case "decision":
          work = await this.#routes.take(work.decision, work.request);
          break;
        case "task": {
          const { task, answer } = work;
          work = await this.#followUp.after(task, await this.#runner.run(task, signal, answer));
          break;
        }
        case "queue":
          return this.#queueRunner.drain(work, signal);
        case "end":
          return work.outcome;
      }
    }
  }

  /** Decides what to do about user input, typed or chosen. */
  async #take(input: UserInput, signal: AbortSignal): Promise<Work> {
    switch (input.action) {
      case "leaveBrainstorm":
        this.leaveBrainstorm();
        return this.#acknowledge();
      case "nothing":
        return this.#acknowledge();
      case "proceed":
        return { type: "queue", one: input.one };
      case "resume":
        return this.#resume(input.taskId);
      case "adopt":
        return this.#adopt(input.taskId);
      case "request":
        return this.#talkingTo === undefined
          ? this.#routes.judge(input.text, signal)
          : this.#answer(this.#talkingTo, input.text);
      case "plan":
      case "brainstorm":
      case "doTask":
      case "queueTask":
      case "createJob":
      case "runJob":
      case "startRun":
      case "jobOrRun":
        return this.#routes.carryOut(input, signal);
    }
  }

  #acknowledge(): Work {
    this.#parts.publisher.notice("info", acknowledged);
    return ends("done");
  }

  async #answer(taskId: TaskId, given: string): Promise<Work> {
    const answer = this.#parts.experts.redactor.text(given);
    const task = await this.#assigned(taskId);
    if ((await this.#parts.store.readQuestion(taskId)) === undefined) {
      throw new UserError("noOpenQuestion", "Task {taskId} has no open question.", { taskId });
    }
    return { type: "task", task, answer };
  }

  async #resume(taskId: TaskId): Promise<Work> {
    const task = await this.#assigned(taskId);
    const report = await this.#parts.store.readReport(taskId);
    const answer = report?.status === "Failed" ? "Try again; the last attempt failed." : undefined;
    return { type: "task", task, answer };
  }

  /**
   * Reads an existing task, perhaps from before a restart: as its line in the queue has it, which a person
   * may have edited, or else as it was last started. Checks the id first: it may come from a page, and it
   * becomes part of a path.
   */
  async #assigned(taskId: TaskId): Promise<Assignment> {
    const { store, modes, queue } = this.#parts;
    const record = taskIdPattern.test(taskId) ? await store.readRecord(taskId) : undefined;
    const entry = (await queue.entries()).find((queued) => queued.taskId === taskId);
    const mode = modes.all.get(entry?.mode ?? record?.mode ?? "");
    if (record === undefined || mode === undefined) {
      throw new UserError("taskUnknown", "There is no task {taskId} here.", { taskId });
    }
    return {
      taskId,
      mode,
      goal: entry?.goal ?? record.goal,
      contextPath: entry?.contextPath ?? record.contextPath ?? store.contextPath(taskId),
    };
  }
}

/** The name by which all tasks of a workspace are ordered to stop. */
const tasksWork = "tasks";

function adoptStep(error: unknown): NextStep[] {
  if (!(error instanceof ForeignFilesError)) return [];
  const action = { action: "adopt", taskId: error.taskId } as const;
  return [{ type: "action", label: "Adopt Task", action }];
}
