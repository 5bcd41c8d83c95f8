import type { ConversationEvent } from "../conversation/events.js";
import type { UserInput } from "../conversation/parseInput.js";
import { type QueueEntry, taskIdPattern } from "../documents/queue.js";
import { topLevel } from "../experts/environment.js";
import { UserError } from "../errors.js";
import { withOrWithoutTools } from "../experts/withOrWithoutTools.js";
import { ends, type Work } from "./followUp.js";
import type { JobService } from "./jobService.js";
import type { Outcome } from "./outcome.js";
import type { NavigatorDependencies } from "./navigatorDependencies.js";
import { doNow } from "./offers.js";
import { newTaskId } from "./taskIds.js";
import type { Assignment } from "./taskRunner.js";
import { type Decision, triage, type TriageInput, type TriageResult } from "./triage.js";
import { contextText, type UserRequest, userRequest } from "./userRequest.js";
import { whatBecame } from "./whatBecame.js";
import { noToolCalling } from "../work/agentSession.js";
import type { TaskId } from "../ids.js";

/** The number of recent lines of the conversation that are kept for triage. */
const remembered = 6;

export const acknowledged = "Acknowledged. Ready for your next command.";

/** User input that says which route to take. */
type ChosenRoute = Exclude<
  UserInput,
  { action: "nothing" | "request" | "proceed" | "resume" | "adopt" | "leaveBrainstorm" }
>;

/** A request that becomes a task. */
interface Request {
  readonly goal: string;
  readonly context: string;
  /** The user's request, as in `UserRequest.text`. */
  readonly request: string | undefined;
}

/** Phase 1: Classifies a request, and creates its task. */
export class Routes {
  readonly #recent: { who: "user" | "navigator"; text: string }[] = [];
  /** The user's words of the latest request, with the Navigator's questions about it and their answers. */
  #said: string[] = [];
  /** Whether the Navigator has asked about the request, so that the next words belong to it. */
  #hasAsked = false;

  constructor(
    private readonly parts: NavigatorDependencies,
    /** Called with the id of the brainstorm's task, to which the next user input goes. */
    private readonly onBrainstorm: (taskId: TaskId) => void,
  ) {}

  /** Keeps the events that triage needs to understand the next request. */
  remember(event: ConversationEvent): void {
    if (event.type === "user") {
      this.#said = this.#hasAsked ? [...this.#said, event.text] : [event.text];
      this.#hasAsked = false;
    } else if (event.type === "question" && event.taskId === null) {
      this.#said.push(`(Asked about this: ${event.text})`);
      this.#hasAsked = true;
    }
    if (event.type === "user") this.#recent.push({ who: "user", text: event.text.slice(0, 500) });
    else if (event.type === "question" || event.type === "taskEnded") {
      const text = event.type === "question" ? event.text : `${event.taskId}: ${event.message}`;
      this.#recent.push({ who: "navigator", text: text.slice(0, 300) });
    }
    this.#recent.splice(0, this.#recent.length - remembered);
  }

  /** Lets a model classify a request. */
  async judge(text: string, signal: AbortSignal): Promise<Work> {
    const { experts, publisher, activity, queue } = this.parts;
    // The answer to a question alone would not say what it is about.
    const words = this.#said.at(-1) === text ? this.#said.join("\n\n") : text;
    const request = await userRequest(words, experts.host);
    const result = await this.#triage(
      {
        request,
        experts: this.parts.modes.direct,
        recent: this.#recent.slice(0, -1),
        queued: (await queue.entries()).length,
        topLevel: (await topLevel(experts.host)).slice(0, 40),
      },
      signal,
    );
    for (const usage of result.usages) publisher.agent("", { type: "usage", usage });
    if (!result.ok) {
      publisher.notice(
        "error",
        `The model ${experts.model.name} could not say what kind of request this is (${result.reason}). Say it yourself:`,
        [
          { type: "action", label: "Plan It", action: { action: "plan", goal: words } },
          { type: "action", label: "Do It Now", action: doNow("rooroo-developer", words) },
          { type: "action", label: "Just Answer", action: doNow("rooroo-analyzer", words) },
        ],
      );
      return ends("failed");
    }
    await activity.record({ type: "TRIAGE_DECIDED", details: { ...result.decision } });
    return { type: "decision", decision: result.decision, request };
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
  async carryOut(input: ChosenRoute, signal: AbortSignal): Promise<Work> {
    switch (input.action) {
      case "plan":
        return this.#plan(await this.#given(input));
      case "brainstorm":
        return this.#brainstorm(await this.#given(input));
      case "doTask":
        return this.#direct({
          ...(await this.#given(input)),
          expert: this.#directExpert(input.expert),
        });
      case "queueTask":
        return this.#enqueue({ ...(await this.#given(input)), expert: "rooroo-developer" });
      case "createJob":
        return this.#createJob(input);
      case "runJob":
        return { type: "end", outcome: await this.#jobService().run(input.name, signal) };
      case "startRun":
        return { type: "end", outcome: await this.#startRun(input.request, signal) };
      case "jobOrRun":
        return this.#askJobOrRun(input.name);
    }
  }

  /** Returns the request that the user has put into words, or that goes on with another task's. */
  async #given({ goal, from }: { goal: string; from?: string | undefined }): Promise<Request> {
    const { store, experts } = this.parts;
    const earlier = from !== undefined && taskIdPattern.test(from) ? from : undefined;
    const request = earlier === undefined ? undefined : await store.requestOf(earlier);
    const context =
      earlier === undefined
        ? ""
        : `An earlier attempt (\`${earlier}\`) ended so:\n\n${await whatBecame(earlier, this.parts)}`;
    return { goal, context, request: request ?? (await userRequest(goal, experts.host)).text };
  }

  /** Returns the expert if a person can give it a task at once. */
  #directExpert(slug: string): string {
    const known = this.parts.modes.direct.map((mode) => mode.slug);
    if (known.includes(slug)) return slug;
    throw unknownExpert(slug, known);
  }

  /**
   * Creates, queues or offers what was decided.
   *
   * @param request what the user asked for, if that is known
   */
  async take(decision: Decision, request: UserRequest | undefined): Promise<Work> {
    const told = { request: request?.text };
    switch (decision.route) {
      case "brainstorm":
        return this.#brainstorm({ ...decision, ...told });
      case "proceed":
        return { type: "queue", one: false };
      case "plan":
        return this.#plan({ ...decision, ...told });
      case "direct":
        return this.#direct({ ...decision, ...told });
      case "queue":
        return this.#enqueue({ ...decision, ...told });
      case "job":
        return this.#offerJob(decision);
      case "run":
        return this.#offerRun(decision.goal);
      case "acknowledge":
        this.parts.publisher.notice("info", decision.reply || acknowledged);
        return ends("done");
      case "clarify":
        this.#clarify(decision.question);
        return ends("waiting");
    }
  }

  /**
   * Creates a job's file. The user confirms the job, and says more in its file, before any of it runs.
   */
  async #createJob(job: { name: string; goal: string }): Promise<Work> {
    const path = await this.#jobService().create(job);
    this.parts.publisher.notice(
      "info",
      `The job is in \`${path}\`. Say there all that counts, then run it.`,
      [{ type: "action", label: "Run It", action: { action: "runJob", name: job.name } }],
    );
    return ends("done");
  }

  #startRun(request: string, signal: AbortSignal): Promise<Outcome> {
    const { runs } = this.parts;
    if (runs === undefined) throw new UserError("runsUnavailable", "Runs are not available here.");
    return runs.start(request, signal);
  }

  /** Asks what `/run NAME` means, because it ran a job in earlier versions. */
  #askJobOrRun(name: string): Work {
    this.parts.publisher.notice(
      "info",
      `\`/run\` starts a run, which writes documents, and needs more than one word to say what about. A job is run with \`/job ${name}\`.`,
      [
        { type: "action", label: "Run the Job", action: { action: "runJob", name } },
        { type: "action", label: "Start a Run", action: { action: "startRun", request: name } },
      ],
    );
    return ends("waiting");
  }

  async #offerRun(goal: string): Promise<Work> {
    const { publisher, runs } = this.parts;
    if (runs === undefined) return this.#plan(await this.#given({ goal }));
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
    return ends("waiting");
  }

  #jobService(): JobService {
    const { jobs } = this.parts;
    if (jobs === undefined) throw new UserError("jobsUnavailable", "Jobs are not available here.");
    return jobs;
  }

  async #offerJob(job: { name: string; goal: string }): Promise<Work> {
    const { publisher, jobs } = this.parts;
    if (jobs === undefined) return this.#plan(await this.#given(job));
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
    return ends("waiting");
  }

  /** Adds a task to the end of the queue without running it, and returns its id. */
  async add(task: { goal: string; expert: string }): Promise<string> {
    const { queue, activity, modes, experts } = this.parts;
    const known = modes.assignable.map(({ slug }) => slug);
    if (!known.includes(task.expert)) throw unknownExpert(task.expert, known);
    const { text: request } = await userRequest(task.goal, experts.host);
    const entry = await this.#newEntry({ ...task, context: "", request });
    await queue.append(entry);
    await activity.record({ type: "TASK_QUEUED", taskId: entry.taskId });
    return entry.taskId;
  }

  async #newEntry(request: Request & { expert: string }): Promise<QueueEntry> {
    const { taskId, contextPath, goal } = await this.#newTask("TASK", request.expert, request);
    const fixed = { parentTaskId: null, planId: null, autoProceed: true };
    return { taskId, mode: request.expert, contextPath, goal, ...fixed };
  }

  async #brainstorm(request: Request): Promise<Work> {
    const task = await this.#newTask("IDEA", "rooroo-idea-sparker", request);
    this.parts.publisher.notice("info", "Switching to rooroo-idea-sparker...");
    this.onBrainstorm(task.taskId);
    return { type: "task", task };
  }

  async #plan(request: Request): Promise<Work> {
    const task = await this.#newTask("TASK", "rooroo-planner", request);
    const { taskId } = task;
    this.parts.publisher.notice(
      "info",
      `Request requires planning. ID: \`${taskId}\`. Consulting \`rooroo-planner\`...`,
    );
    await this.parts.activity.record({ type: "PLAN_REQUEST_INITIATED", taskId });
    return { type: "task", task };
  }

  async #direct(request: Request & { expert: string }): Promise<Work> {
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
    return { type: "task", task };
  }

  async #enqueue(request: Request & { expert: string }): Promise<Work> {
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
    return { type: "queue", one: false };
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
    if (mode === undefined)
      throw new UserError("expertUnknown", "There is no expert {expert}.", { expert: slug });
    const taskId = newTaskId(kind, experts.clock, experts.ids);
    const { goal, context, request: asked } = request;
    await store.create(
      {
        taskId,
        parentTaskId: null,
        planId: null,
        mode: slug,
        goal,
        ...(asked === undefined ? {} : { request: asked }),
      },
      contextText({ taskId, goal, context, request: asked }),
    );
    return { taskId, mode, goal, contextPath: store.contextPath(taskId) };
  }
}

function unknownExpert(expert: string, known: readonly string[]): UserError {
  return new UserError(
    "expertUnknownAmong",
    "There is no expert {expert}. Choose one of: {experts}.",
    { expert, experts: known.join(", ") },
  );
}
