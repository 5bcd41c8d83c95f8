import type { ConversationEvent } from "../conversation/events.js";
import type { UserInput } from "../conversation/parseInput.js";
import { doNow } from "./nextSteps.js";
import type { QueueEntry } from "../documents/queue.js";
import { UserError } from "../errors.js";
import { withOrWithoutTools } from "../experts/withOrWithoutTools.js";
import type { FollowUp } from "./followUp.js";
import type { JobService } from "./jobService.js";
import type { Outcome } from "./outcome.js";
import type { Parts } from "./parts.js";
import type { QueueRunner } from "./queueRunner.js";
import { newTaskId } from "./taskIds.js";
import type { Assignment } from "./taskRunner.js";
import { type Decision, triage, type TriageInput, type TriageResult } from "./triage.js";
import { noToolCalling } from "../work/agentSession.js";

/** The number of recent lines of the conversation that are kept for triage. */
const remembered = 6;

export const acknowledged = "Acknowledged. Ready for your next command.";

/** User input that says which route to take. */
type ChosenRoute = Exclude<
  UserInput,
  { action: "nothing" | "request" | "proceed" | "resume" | "adopt" | "leaveBrainstorm" }
>;

interface Request {
  readonly goal: string;
  readonly context: string;
}

/** Phase 1: Classifies a request, and creates and starts its task. */
export class Routes {
  readonly #recent: { who: "user" | "navigator"; text: string }[] = [];

  constructor(
    private readonly parts: Parts,
    private readonly followUp: FollowUp,
    private readonly drainer: QueueRunner,
    /** Called with the id of the brainstorm's task, to which the next user input goes. */
    private readonly onBrainstorm: (taskId: string) => void,
  ) {}

  /** Keeps the events that triage needs to understand the next request. */
  remember(event: ConversationEvent): void {
    if (event.type === "user") this.#recent.push({ who: "user", text: event.text.slice(0, 500) });
    else if (event.type === "question" || event.type === "taskEnded") {
      const text = event.type === "question" ? event.text : `${event.taskId}: ${event.message}`;
      this.#recent.push({ who: "navigator", text: text.slice(0, 300) });
    }
    this.#recent.splice(0, this.#recent.length - remembered);
  }

  async judge(request: string, signal: AbortSignal): Promise<Outcome> {
    const { experts, publisher, activity, queue } = this.parts;
    const root = await experts.files.readDirectory("");
    const result = await this.#triage(
      {
        request,
        recent: this.#recent.slice(0, -1),
        queued: (await queue.entries()).length,
        topLevel: root
          .filter(({ name }) => name !== ".git" && name !== ".rooroo")
          .slice(0, 40)
          .map(({ name, kind }) => (kind === "folder" ? `${name}/` : name)),
      },
      signal,
    );
    if (!result.ok) {
      publisher.notice(
        "error",
        `The model ${experts.model.name} could not say what kind of request this is (${result.reason}). Say it yourself:`,
        [
          { type: "action", label: "Plan It", action: { action: "plan", goal: request } },
          { type: "action", label: "Do It Now", action: doNow("rooroo-developer", request) },
          { type: "action", label: "Just Answer", action: doNow("rooroo-analyzer", request) },
        ],
      );
      return { status: "failed" };
    }
    if (result.usage !== undefined) publisher.agent("", { type: "usage", usage: result.usage });
    await activity.record({ type: "TRIAGE_DECIDED", details: { ...result.decision } });
    return this.take(result.decision, signal);
  }

  #triage(input: TriageInput, signal: AbortSignal): Promise<TriageResult> {
    const { experts, publisher } = this.parts;
    return withOrWithoutTools(
      "rooroo-navigator",
      experts.model,
      experts,
      (without) => triage(input, experts.model, signal, without),
      (name) => {
        publisher.notice("info", noToolCalling(name));
      },
    );
  }

  /** Carries out what the user chose, so no model is asked. */
  carryOut(input: ChosenRoute, signal: AbortSignal): Promise<Outcome> {
    switch (input.action) {
      case "plan":
        return this.#plan({ goal: input.goal, context: "" }, signal);
      case "brainstorm":
        return this.#brainstorm({ goal: input.goal, context: "" }, signal);
      case "doTask":
        return this.#direct({ goal: input.goal, context: "", expert: input.expert }, signal);
      case "queueTask": {
        const expert = "rooroo-developer";
        return this.#enqueue({ goal: input.goal, context: "", expert }, signal);
      }
      case "createJob":
        return this.#createJob(input);
      case "runJob":
        return this.#jobService().run(input.name, signal);
      case "startRun":
        return this.#startRun(input.request, signal);
      case "jobOrRun":
        return this.#askJobOrRun(input.name);
    }
  }

  take(decision: Decision, signal: AbortSignal): Promise<Outcome> {
    switch (decision.route) {
      case "brainstorm":
        return this.#brainstorm(decision, signal);
      case "proceed":
        return this.drainer.drain({ one: false }, signal);
      case "plan":
        return this.#plan(decision, signal);
      case "direct":
        return this.#direct(decision, signal);
      case "queue":
        return this.#enqueue(decision, signal);
      case "job":
        return this.#offerJob(decision, signal);
      case "run":
        return this.#offerRun(decision.goal, signal);
      case "acknowledge":
        this.parts.publisher.notice("info", decision.reply || acknowledged);
        return Promise.resolve({ status: "done" });
      case "clarify":
        this.#clarify(decision.question);
        return Promise.resolve({ status: "waiting" });
    }
  }

  /**
   * Creates a job's file. The user confirms the job, and says more in its file, before any of it runs.
   */
  async #createJob(job: { name: string; goal: string }): Promise<Outcome> {
    const path = await this.#jobService().create(job);
    this.parts.publisher.notice(
      "info",
      `The job is in \`${path}\`. Say there all that counts, then run it.`,
      [{ type: "action", label: "Run It", action: { action: "runJob", name: job.name } }],
    );
    return { status: "done" };
  }

  #startRun(request: string, signal: AbortSignal): Promise<Outcome> {
    const { runs } = this.parts;
    if (runs === undefined) throw new UserError("Runs are not available here.");
    return runs.start(request, signal);
  }

  /** Asks what `/run NAME` means, because it ran a job in earlier versions. */
  #askJobOrRun(name: string): Promise<Outcome> {
    this.parts.publisher.notice(
      "info",
      `\`/run\` starts a run, which writes documents, and needs more than one word to say what about. A job is run with \`/job ${name}\`.`,
      [
        { type: "action", label: "Run the Job", action: { action: "runJob", name } },
        { type: "action", label: "Start a Run", action: { action: "startRun", request: name } },
      ],
    );
    return Promise.resolve({ status: "waiting" });
  }

  #offerRun(goal: string, signal: AbortSignal): Promise<Outcome> {
    const { publisher, runs } = this.parts;
    if (runs === undefined) return this.#plan({ goal, context: "" }, signal);
    publisher.notice(
      "info",
      `This is work on documents. As a **run** it goes through phases, from an analysis of your material to the outputs; you confirm first what it is to hold to:\n\n${goal
        .split("\n")
        .map((line) => `    ${line}`)
        .join("\n")}`,
      [
        { type: "action", label: "Start the Run", action: { action: "startRun", request: goal } },
        { type: "action", label: "Plan It Now", action: { action: "plan", goal } },
      ],
    );
    return Promise.resolve({ status: "waiting" });
  }

  #jobService(): JobService {
    const { jobs } = this.parts;
    if (jobs === undefined) throw new UserError("Jobs are not available here.");
    return jobs;
  }

  #offerJob(job: { name: string; goal: string }, signal: AbortSignal): Promise<Outcome> {
    const { publisher, jobs } = this.parts;
    if (jobs === undefined) return this.#plan({ goal: job.goal, context: "" }, signal);
    const { name, goal } = job;
    const draft = ["---", `name: ${name}`, "---", "", ...goal.split("\n")];
    publisher.notice(
      "info",
      `This is long work. As a **job** it is done task by task, without you, and survives restarts; what it needs to know stands in a file:\n\n${draft.map((line) => `    ${line}`).join("\n")}`,
      [
        { type: "action", label: "Make the Job", action: { action: "createJob", name, goal } },
        { type: "action", label: "Plan It Now", action: { action: "plan", goal } },
      ],
    );
    return Promise.resolve({ status: "waiting" });
  }

  /**
   * Runs the task that the planner advised. If the queue has entries, the task is part of a larger flow
   * and goes to the head of the queue.
   */
  async takeAdvice(request: Request & { expert: string }, signal: AbortSignal): Promise<Outcome> {
    const waiting = (await this.parts.queue.entries()).length > 0;
    return waiting ? this.#enqueue(request, signal) : this.#direct(request, signal);
  }

  /** Adds a task to the end of the queue without running it, and returns its id. */
  async add(task: { goal: string; expert: string }): Promise<string> {
    const { queue, activity, modes } = this.parts;
    const known = modes.assignable.map(({ slug }) => slug);
    if (!known.includes(task.expert)) {
      throw new UserError(`There is no expert ${task.expert}. Choose one of: ${known.join(", ")}.`);
    }
    const entry = await this.#newEntry({ ...task, context: "" });
    await queue.append(entry);
    await activity.record({ type: "TASK_QUEUED", taskId: entry.taskId });
    return entry.taskId;
  }

  async #newEntry(request: Request & { expert: string }): Promise<QueueEntry> {
    const { taskId, contextPath, goal } = await this.#newTask("TASK", request.expert, request);
    const fixed = { parentTaskId: null, planId: null, autoProceed: true };
    return { taskId, mode: request.expert, contextPath, goal, ...fixed };
  }

  async #brainstorm(request: Request, signal: AbortSignal): Promise<Outcome> {
    const task = await this.#newTask("IDEA", "rooroo-idea-sparker", request);
    this.parts.publisher.notice("info", "Switching to rooroo-idea-sparker...");
    this.onBrainstorm(task.taskId);
    return this.followUp.run(task, signal);
  }

  async #plan(request: Request, signal: AbortSignal): Promise<Outcome> {
    const task = await this.#newTask("TASK", "rooroo-planner", request);
    const { taskId } = task;
    this.parts.publisher.notice(
      "info",
      `Request requires planning. ID: \`${taskId}\`. Consulting \`rooroo-planner\`...`,
    );
    await this.parts.activity.record({ type: "PLAN_REQUEST_INITIATED", taskId });
    return this.followUp.run(task, signal);
  }

  async #direct(request: Request & { expert: string }, signal: AbortSignal): Promise<Outcome> {
    const task = await this.#newTask("TASK", request.expert, request);
    const { taskId } = task;
    this.parts.publisher.notice(
      "info",
      `Understood. Initiating task \`${taskId}\` directly with \`${request.expert}\`...`,
    );
    await this.parts.activity.record({
      type: "TASK_DELEGATED",
      taskId,
      details: { expert: request.expert, source: "direct_invocation" },
    });
    return this.followUp.run(task, signal);
  }

  async #enqueue(request: Request & { expert: string }, signal: AbortSignal): Promise<Outcome> {
    const { publisher, activity, queue } = this.parts;
    const entry = await this.#newEntry(request);
    const { taskId } = entry;
    publisher.notice(
      "info",
      `Task \`${taskId}\` for \`${request.expert}\` will be added to the queue.`,
    );
    await queue.putAtHead([entry]);
    await activity.record({ type: "TASK_QUEUED", taskId });
    publisher.tasksChanged();
    return this.drainer.drain({ one: false }, signal);
  }

  #clarify(question: string): void {
    this.parts.publisher.publish({
      type: "question",
      questionId: `q-${this.parts.experts.ids.hex(12)}`,
      taskId: null,
      mode: "rooroo-navigator",
      text: question,
      suggestions: [],
    });
  }

  async #newTask(kind: "TASK" | "IDEA", slug: string, request: Request): Promise<Assignment> {
    const { modes, store, experts } = this.parts;
    const mode = modes.all.get(slug);
    if (mode === undefined) throw new UserError(`There is no expert ${slug}.`);
    const taskId = newTaskId(kind, experts.clock, experts.ids);
    const context = request.context === "" ? "" : `\n## Context\n\n${request.context}\n`;
    await store.create(
      { taskId, parentTaskId: null, planId: null, mode: slug, goal: request.goal },
      `# ${taskId}\n\n## Goal\n\n${request.goal}\n${context}`,
    );
    return { taskId, mode, goal: request.goal, contextPath: store.contextPath(taskId) };
  }
}
