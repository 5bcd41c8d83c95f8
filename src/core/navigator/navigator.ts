import { ActivityLog } from "../activity/activityLog.js";
import type { ConversationEvent, NextStep } from "../conversation/events.js";
import { taskIdPattern } from "../documents/queue.js";
import { messageOf, ModelError, type ModelErrorCode, UserError } from "../errors.js";
import type { ExpertWorld } from "../experts/expertRunner.js";
import { Modes } from "../experts/modes.js";
import type { Lock } from "../ports.js";
import { workspaceTools } from "../tools/workspaceTools.js";
import { Narrator } from "./narrator.js";
import type { Outcome } from "./outcome.js";
import type { Overview } from "./overview.js";
import { OverviewReader } from "./overviewReader.js";
import { PlanInstaller } from "./planInstaller.js";
import { QueueRunner } from "./queueRunner.js";
import { QueueStore } from "./queueStore.js";
import { Recovery } from "./recovery.js";
import { parseSaid } from "./said.js";
import { newTaskId } from "./taskIds.js";
import { type Assignment, type TaskOutcome, TaskRunner } from "./taskRunner.js";
import { TaskStore } from "./taskStore.js";
import { type Decision, triage } from "./triage.js";

export interface NavigatorWorld extends Omit<ExpertWorld, "tools" | "assignable"> {
  readonly lock: Lock;
  /** Gets every event, passing ones too, in order. */
  emit(event: ConversationEvent): void;
}

/** Lines of the conversation that triage is shown. */
const remembered = 6;

/**
 * Hears what a person wants, decides by triage what kind of request it is, and sees it through:
 * phases 1 to 4 of the Rooroo protocol. Ids, files, queue, log and report checks are code; a model is
 * asked for the triage and by the experts, for nothing else.
 */
export class Navigator {
  readonly #narrator: Narrator;
  readonly #activity: ActivityLog;
  readonly #store: TaskStore;
  readonly #modes: Modes;
  readonly #queue: QueueStore;
  readonly #runner: TaskRunner;
  readonly #drainer: QueueRunner;
  readonly #installer: PlanInstaller;
  readonly #overviewReader: OverviewReader;
  readonly #recent: { who: "user" | "navigator"; text: string }[] = [];
  /** The brainstorm that what is said goes to. */
  #talkingTo: string | undefined;
  #stopping = new AbortController();
  readonly #running = new Set<Promise<Outcome>>();

  constructor(private readonly world: NavigatorWorld) {
    this.#narrator = new Narrator(world.clock, world.ids, (event) => {
      this.#remember(event);
      world.emit(event);
    });
    this.#activity = new ActivityLog(world.files, world.clock, (error) => {
      this.#narrator.notice(
        "warning",
        `The activity log could not be written: ${messageOf(error)}`,
      );
    });
    this.#store = new TaskStore(world.files, world.clock);
    this.#modes = new Modes(world.files);
    this.#queue = new QueueStore(world.files, world.lock, (slug) => this.#modes.all.has(slug));
    const experts = {
      ...world,
      tools: workspaceTools,
      assignable: () => this.#modes.assignable,
      settings: () => world.settings(),
    };
    this.#runner = new TaskRunner(experts, this.#store, world.lock, this.#narrator, this.#activity);
    this.#drainer = new QueueRunner(
      this.#queue,
      this.#runner,
      this.#store,
      this.#modes,
      world.lock,
      this.#narrator,
      this.#activity,
    );
    this.#installer = new PlanInstaller(world.files, this.#store, this.#queue);
    this.#overviewReader = new OverviewReader(
      world.files,
      world.lock,
      this.#store,
      this.#queue,
      this.#runner,
    );
  }

  /** Something runs here that {@link stop} would stop. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** The slug of the expert that a plain message goes to, while a brainstorm is on. */
  get talkingTo(): string | null {
    return this.#talkingTo === undefined ? null : "rooroo-idea-sparker";
  }

  /** Takes anything that a person says: a request, an answer, a plain command. */
  say(text: string): Promise<Outcome> {
    return this.#do(async (signal) => {
      const said = parseSaid(text);
      if (said.type !== "nothing") this.#narrator.user(text.trim());
      switch (said.type) {
        case "nothing":
          this.#narrator.notice("info", acknowledged);
          return { status: "done" };
        case "proceed":
          return this.#drainer.drain({ one: said.one }, signal);
        case "resume":
          return this.#resume(said.taskId, signal);
        case "leave":
          this.leaveBrainstorm();
          this.#narrator.notice("info", acknowledged);
          return { status: "done" };
        case "route":
          return this.#carryOut({ ...said.decision, reason: "asked for" }, signal);
        case "request":
          return this.#talkingTo === undefined
            ? this.#triage(said.text, signal)
            : this.#answer(this.#talkingTo, said.text, signal);
      }
    });
  }

  proceed(options: { one?: boolean } = {}): Promise<Outcome> {
    return this.#do((signal) => this.#drainer.drain({ one: options.one ?? false }, signal));
  }

  /** Answers a task's question; the same expert goes on with it (R-ROO-19). */
  answer(taskId: string, text: string): Promise<Outcome> {
    return this.#do((signal) => this.#answer(taskId, text, signal));
  }

  /** Goes on with a task that was interrupted, from where its transcript ends. */
  resume(taskId: string): Promise<Outcome> {
    return this.#do((signal) => this.#resume(taskId, signal));
  }

  async removeFromQueue(taskId: string): Promise<void> {
    if (this.#runner.isRunning(taskId)) {
      throw new UserError(`Task ${taskId} runs now. Stop it first.`);
    }
    await this.#queue.remove(taskId);
    await this.#activity.record({ type: "TASK_ABORTED", taskId, details: { removed: true } });
    this.#narrator.tasksChanged();
  }

  /** Ends what runs; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopping.abort(new UserError("Stopped."));
    this.#stopping = new AbortController();
    await Promise.allSettled(this.#running);
  }

  async overview(): Promise<Overview> {
    await this.#modes.refresh();
    return this.#overviewReader.read();
  }

  /**
   * Settles what a crash left behind, from the files alone.
   *
   * @param isShown whether the conversation shows the question with this id
   */
  async recover(isShown: (questionId: string) => boolean): Promise<void> {
    await this.#modes.refresh();
    const recovery = new Recovery(
      this.world.files,
      this.world.lock,
      this.#store,
      this.#queue,
      this.#installer,
      this.#narrator,
      this.#activity,
    );
    this.#talkingTo = await recovery.run(isShown);
  }

  /** What was said before this process began, oldest first; triage sees the end of it. */
  recall(events: readonly ConversationEvent[]): void {
    for (const event of events) this.#remember(event);
  }

  /** What is said next is a request again; the brainstorm's question can still be answered. */
  leaveBrainstorm(): void {
    this.#talkingTo = undefined;
  }

  /** Runs something that {@link stop} can end; whatever goes wrong is told, not thrown. */
  #do(work: (signal: AbortSignal) => Promise<Outcome>): Promise<Outcome> {
    const { signal } = this.#stopping;
    const running = this.#modes
      .refresh()
      .then(() => work(signal))
      .catch((error: unknown): Outcome => {
        if (signal.aborted) this.#narrator.notice("info", "Stopped.");
        else this.#narrator.notice("error", messageOf(error), stepsFor(error));
        return { status: "failed" };
      });
    this.#running.add(running);
    this.#narrator.tasksChanged();
    return running.finally(() => {
      this.#running.delete(running);
      this.#narrator.tasksChanged();
    });
  }

  async #triage(request: string, signal: AbortSignal): Promise<Outcome> {
    const root = await this.world.files.readDirectory("");
    const result = await triage(
      {
        request,
        recent: this.#recent.slice(0, -1),
        queued: (await this.#queue.entries()).length,
        topLevel: root
          .filter(({ name }) => name !== ".git" && name !== ".rooroo")
          .slice(0, 40)
          .map(({ name, kind }) => (kind === "folder" ? `${name}/` : name)),
      },
      this.world.model,
      signal,
    );
    if (!result.ok) {
      this.#narrator.notice(
        "error",
        `The model ${this.world.model.name} could not say what kind of request this is (${result.reason}). Say it yourself:`,
        [
          { type: "say", label: "Plan It", text: `/plan ${request}` },
          { type: "say", label: "Do It Now", text: `/do ${request}` },
          { type: "say", label: "Just Answer", text: `/ask ${request}` },
        ],
      );
      return { status: "failed" };
    }
    if (result.usage !== undefined) {
      this.#narrator.agent("", { type: "usage", usage: result.usage });
    }
    await this.#activity.record({ type: "TRIAGE_DECIDED", details: { ...result.decision } });
    return this.#carryOut(result.decision, signal);
  }

  #carryOut(decision: Decision, signal: AbortSignal): Promise<Outcome> {
    switch (decision.route) {
      case "brainstorm":
        return this.#brainstorm(decision, signal);
      case "proceed":
        return this.#drainer.drain({ one: false }, signal);
      case "plan":
        return this.#plan(decision, signal);
      case "direct":
        return this.#direct(decision, signal);
      case "queue":
        return this.#enqueue(decision, signal);
      case "acknowledge":
        this.#narrator.notice("info", decision.reply === "" ? acknowledged : decision.reply);
        return Promise.resolve({ status: "done" });
      case "clarify":
        this.#narrator.tell({
          type: "question",
          questionId: `q-${this.world.ids.hex(12)}`,
          taskId: null,
          mode: "rooroo-navigator",
          text: decision.question,
          suggestions: [],
        });
        return Promise.resolve({ status: "waiting" });
    }
  }

  async #brainstorm(request: Request, signal: AbortSignal): Promise<Outcome> {
    const task = await this.#newTask("IDEA", "rooroo-idea-sparker", request);
    this.#narrator.notice("info", "Switching to rooroo-idea-sparker...");
    this.#talkingTo = task.taskId;
    return this.#run(task, signal);
  }

  async #plan(request: Request, signal: AbortSignal): Promise<Outcome> {
    const task = await this.#newTask("TASK", "rooroo-planner", request);
    const { taskId } = task;
    this.#narrator.notice(
      "info",
      `Request requires planning. ID: \`${taskId}\`. Consulting \`rooroo-planner\`...`,
    );
    await this.#activity.record({ type: "PLAN_REQUEST_INITIATED", taskId });
    return this.#run(task, signal);
  }

  async #direct(request: Request & { expert: string }, signal: AbortSignal): Promise<Outcome> {
    const task = await this.#newTask("TASK", request.expert, request);
    const { taskId } = task;
    this.#narrator.notice(
      "info",
      `Understood. Initiating task \`${taskId}\` directly with \`${request.expert}\`...`,
    );
    await this.#activity.record({
      type: "TASK_DELEGATED",
      taskId,
      details: { expert: request.expert, source: "direct_invocation" },
    });
    return this.#run(task, signal);
  }

  async #enqueue(request: Request & { expert: string }, signal: AbortSignal): Promise<Outcome> {
    const { taskId, contextPath } = await this.#newTask("TASK", request.expert, request);
    this.#narrator.notice(
      "info",
      `Task \`${taskId}\` for \`${request.expert}\` will be added to the queue.`,
    );
    await this.#queue.putAtHead([
      {
        taskId,
        parentTaskId: null,
        mode: request.expert,
        contextPath,
        goal: request.goal,
        planId: null,
        autoProceed: true,
      },
    ]);
    await this.#activity.record({ type: "TASK_QUEUED", taskId });
    this.#narrator.tasksChanged();
    return this.#drainer.drain({ one: false }, signal);
  }

  async #newTask(kind: "TASK" | "IDEA", slug: string, request: Request): Promise<Assignment> {
    const mode = this.#modes.all.get(slug);
    if (mode === undefined) throw new UserError(`There is no expert ${slug}.`);
    const taskId = newTaskId(kind, this.world.clock, this.world.ids);
    const context = request.context === "" ? "" : `\n## Context\n\n${request.context}\n`;
    await this.#store.create(
      { taskId, parentTaskId: null, planId: null, mode: slug, goal: request.goal },
      `# ${taskId}\n\n## Goal\n\n${request.goal}\n${context}`,
    );
    return { taskId, mode, goal: request.goal, contextPath: this.#store.contextPath(taskId) };
  }

  async #answer(taskId: string, text: string, signal: AbortSignal): Promise<Outcome> {
    checkTaskId(taskId);
    if ((await this.#store.readQuestion(taskId)) === undefined) {
      throw new UserError(`Task ${taskId} has no open question.`);
    }
    return this.#run(await this.#assigned(taskId), signal, text);
  }

  async #resume(taskId: string, signal: AbortSignal): Promise<Outcome> {
    return this.#run(await this.#assigned(taskId), signal);
  }

  /** A task that was made before, perhaps before a restart. */
  async #assigned(taskId: string): Promise<Assignment> {
    checkTaskId(taskId);
    const record = await this.#store.readRecord(taskId);
    const mode = record === undefined ? undefined : this.#modes.all.get(record.mode);
    if (record === undefined || mode === undefined) {
      throw new UserError(`There is no task ${taskId} here.`);
    }
    return { taskId, mode, goal: record.goal, contextPath: this.#store.contextPath(taskId) };
  }

  async #run(task: Assignment, signal: AbortSignal, answer?: string): Promise<Outcome> {
    const outcome = await this.#runner.run(task, signal, answer);
    return this.#follow(task, outcome, signal);
  }

  /** What a task's end sets off (phase 3). */
  async #follow(task: Assignment, outcome: TaskOutcome, signal: AbortSignal): Promise<Outcome> {
    if (outcome.type === "reported" && task.taskId === this.#talkingTo) this.#talkingTo = undefined;
    if (outcome.type === "interrupted" && outcome.modelError !== undefined) {
      const resume = { type: "say", label: "Resume", text: `/resume ${task.taskId}` } as const;
      const steps = [...stepsForModel(outcome.modelError), resume];
      this.#narrator.notice("error", "The model did not answer, so the task waits.", steps);
    }
    const queued = (await this.#queue.entries()).some(({ taskId }) => taskId === task.taskId);
    if (queued) {
      const halted = await this.#drainer.settle(task.taskId, outcome);
      return halted ?? this.#goOn(signal);
    }
    if (outcome.type === "waiting") return { status: "waiting" };
    if (outcome.type === "interrupted") return { status: "failed" };
    const { report } = outcome;
    if (task.mode.slug === "rooroo-planner") return this.#followPlan(task, outcome.report, signal);
    return { status: report.status === "Failed" ? "failed" : "done" };
  }

  /** R-ROO-10, R-ROO-11. */
  async #followPlan(
    task: Assignment,
    report: Extract<TaskOutcome, { type: "reported" }>["report"],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { taskId } = task;
    if (report.status === "Done") {
      const count = report.queue_tasks_json_lines.length;
      this.#narrator.notice("info", `Adding ${count} planned tasks to queue...`);
      const ids = await this.#installer.install(taskId, task.goal, report);
      await this.#activity.record({ type: "PLANNER_SUCCESS", taskId, details: { tasks: ids } });
      this.#narrator.tasksChanged();
      return this.#drainer.drain({ one: false }, signal);
    }
    if (report.status !== "Advice") return { status: "failed" };
    await this.#activity.record({ type: "PLANNER_ADVICE_RECEIVED", taskId });
    const advice = report.advice_details;
    const mode = advice?.suggested_mode ?? "";
    if (advice === null || !["rooroo-developer", "rooroo-analyzer"].includes(mode)) {
      this.#narrator.notice("info", `Planner advises: ${report.message}`);
      return { status: "waiting" };
    }
    this.#narrator.notice("info", `Planner advises: ${report.message}`);
    const context = `Advice of the planner (\`${taskId}\`): ${report.message}`;
    return this.#direct({ expert: mode, goal: advice.refined_goal, context }, signal);
  }

  /** After a queued task that was answered or resumed: the chain goes on if there is more. */
  async #goOn(signal: AbortSignal): Promise<Outcome> {
    const left = (await this.#queue.entries()).length;
    return left === 0 ? { status: "done" } : this.#drainer.drain({ one: false }, signal);
  }

  #remember(event: ConversationEvent): void {
    if (event.type === "user") this.#recent.push({ who: "user", text: event.text.slice(0, 500) });
    else if (event.type === "question" || event.type === "taskEnded") {
      const text = event.type === "question" ? event.text : `${event.taskId}: ${event.message}`;
      this.#recent.push({ who: "navigator", text: text.slice(0, 300) });
    }
    this.#recent.splice(0, this.#recent.length - remembered);
  }
}

interface Request {
  readonly goal: string;
  readonly context: string;
}

/** What a person or a page sends becomes a folder's name. */
function checkTaskId(taskId: string): void {
  if (!taskIdPattern.test(taskId)) throw new UserError(`"${taskId}" is not a task's id.`);
}

const acknowledged = "Acknowledged. Ready for your next command.";

function stepsFor(error: unknown): NextStep[] {
  return error instanceof ModelError ? stepsForModel(error.code) : [];
}

function stepsForModel(code: ModelErrorCode): NextStep[] {
  switch (code) {
    case "unauthorised":
      return [{ type: "command", label: "Set API Key…", command: "setApiKey" }];
    case "unconfigured":
    case "notFound":
    case "contextTooLong":
      return [{ type: "command", label: "Select Model…", command: "selectModel" }];
    case "unreachable":
    case "badRequest":
      return [{ type: "command", label: "Open Settings", command: "openSettings" }];
    case "rateLimited":
    case "server":
    case "brokenResponse":
      return [];
  }
}
