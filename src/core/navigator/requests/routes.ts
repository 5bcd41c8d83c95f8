import type { ActivityLog } from "../../activity/activityLog.js";
import type { EventPublisher, DraftedStep } from "../../conversation/events/eventPublisher.js";
import type { Attachment } from "../../conversation/input/attachment.js";
import {
  type UserInput,
  withAttachments,
  withIsolation,
} from "../../conversation/input/parseInput.js";
import type { ReviewedChanges } from "../../conversation/input/reviewedChanges.js";
import type { UserAction } from "../../conversation/input/userAction.js";
import { type QueueEntry, taskIdPattern } from "../../documents/queue.js";
import { UserError } from "../../errors.js";
import { topLevel } from "../../experts/environment.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import { expertWords } from "../../experts/expertWords.js";
import type { Modes } from "../../experts/modes.js";
import { changesNotRead, visibleChanges } from "../../experts/visibleChanges.js";
import { withOrWithoutTools } from "../../experts/withOrWithoutTools.js";
import type { ConversationId, TaskId } from "../../ids.js";
import { KeptImages } from "../../images/keptImages.js";
import type { FileSystem } from "../../ports/files.js";
import { joined } from "../../text/joined.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Said, type Words, words } from "../../text/words.js";
import { noToolCalling } from "../../work/agentSession.js";
import type { RequestedWork } from "../../work/requestedWork.js";
import { type ReadAttachments, readAttachments } from "../attachments/readAttachments.js";
import type { QueueStore } from "../queue/queueStore.js";
import type { Assignment } from "../running/taskRunner.js";
import { announce, announcements } from "../tasks/announcements.js";
import { doNow } from "../tasks/nextSteps.js";
import { newTaskId } from "../tasks/taskIds.js";
import { taskOutcomeText } from "../tasks/taskOutcome.js";
import { type TaskStore, type AskedFor, recorded } from "../tasks/taskStore.js";
import { contextText, userRequest } from "../tasks/userRequest.js";
import { Answers, imagesLeft, type Reply } from "./answers.js";
import { ends, type Work } from "./followUp.js";
import type { BegunRequest } from "./givenRequests.js";
import { HeardConversation } from "./heardConversation.js";
import { isQuestion, type Matter } from "./openMatters.js";
import { reviewContext, reviewGoal } from "./reviewTask.js";
import { type Decision, triage, type TriageInput, type TriageResult } from "./triage.js";
import type { WorkServices } from "./workServices.js";

export const acknowledged = words("All right. What should be done next?");

/** User input that says which route to take. */
type ChosenRoute = Extract<
  UserInput,
  {
    action:
      | ("plan" | "brainstorm" | "doTask" | "review" | "queueTask")
      | ("createJob" | "runJob" | "startRun");
  }
>;

/** A request that becomes a task. */
interface Request {
  readonly goal: string;
  readonly context: string;
  /** What the user asked for. Absent: it is not known any more. */
  readonly request: AskedFor | undefined;
  /** Whether the work is done in a worktree. Absent: the settings say. */
  readonly isolated?: boolean | undefined;
  /** The request as it was written down. */
  readonly begun?: BegunRequest | undefined;
}

/** What is known of a request beside its goal. */
type Told = Pick<Request, "request" | "isolated" | "begun">;

/** A request that the user has put into words, as their input says it. */
interface Given {
  readonly goal: string;
  readonly from?: string | undefined;
  readonly attachments?: readonly Attachment[] | undefined;
  readonly isolated?: boolean | undefined;
}

/** What {@link Routes} use. */
interface RoutePorts {
  readonly files: FileSystem;
  readonly store: TaskStore;
  readonly queue: QueueStore;
  readonly modes: Modes;
  /** Tells in the conversation whose requests these are. */
  readonly publisher: EventPublisher;
  readonly activity: ActivityLog;
  readonly experts: ExpertServices;
  readonly works: WorkServices;
}

/** Phase 1: Classifies the requests of one conversation, and creates their tasks. */
export class Routes {
  /** What has been heard of the conversation. */
  readonly heard = new HeardConversation();
  /** What waits in the conversation for the user's words. */
  readonly answers: Answers;

  constructor(
    private readonly dependencies: RoutePorts,
    /** The conversation whose requests these are; `undefined`: the one that is shown. */
    private readonly conversation: ConversationId | undefined,
    /** Called with the id of the brainstorm's task, to which the next user input goes. */
    private readonly onBrainstorm: (taskId: TaskId) => void,
  ) {
    this.answers = new Answers(dependencies, conversation, onBrainstorm);
  }

  /**
   * Takes words to what waits for them, or else finds out what kind of request they are: by a model, unless that is beyond
   * doubt or the user has chosen an expert.
   */
  async judge(
    input: Extract<UserInput, { action: "request" }>,
    signal: AbortSignal,
    begun?: BegunRequest,
  ): Promise<Work> {
    const { text, attachments = [], isolated, expert, isNew } = input;
    const { experts, publisher, activity, queue } = this.dependencies;
    const waiting = isNew ? [] : await this.#waiting();
    const whole = this.heard.whole(text);
    const answer = whole?.isReply === true ? undefined : this.answers.plain(text, waiting);
    const chosen = expert === undefined ? undefined : chosenAction(input, expert);
    if (answer === undefined && chosen !== undefined && !waiting.some(isQuestion)) {
      return this.carryOut(chosen, signal, begun);
    }
    const asked = whole?.text ?? text;
    const attached = whole?.attached ?? attachments;
    const read = await this.read(attached, signal);
    if (answer !== undefined) {
      const reply = { words: answer.words, attached: read, begun };
      return this.answers.answer(answer.question, reply, signal);
    }
    const request = await userRequest(asked, experts.host, read);
    const result = await this.#triage(
      {
        request,
        experts: this.dependencies.modes.direct,
        recent: this.heard.recent,
        queued: (await queue.entries()).length,
        waiting,
        topLevel: (await topLevel(experts.host)).slice(0, 40),
      },
      signal,
    );
    for (const usage of result.usages) publisher.agent("", { type: "usage", usage });
    for (const parts of result.refused) publisher.agent("", { ...parts, messageId: "triage" });
    if (!result.ok) {
      const step = (label: Said, route: UserAction): DraftedStep => {
        const action = withIsolation(withAttachments(route, attached), isolated);
        return { type: "action", label, action };
      };
      publisher.notice(
        "error",
        words(
          "The model {model} could not say what kind of request this is ({reason}). Say it yourself:",
          { model: experts.model.name, reason: result.reason },
        ),
        [
          step(words("Try Again"), { action: "request", text: asked }),
          step(words("Plan It"), { action: "plan", goal: asked }),
          step(words("Do It Now"), doNow("rooroo-developer", asked)),
          step(words("Just Answer"), doNow("rooroo-analyzer", asked)),
        ],
      );
      return ends("failed");
    }
    const { decision } = result;
    await activity.record({ type: "TRIAGE_DECIDED", details: detailsOf(decision) });
    const reply = { words: text, attached: read, begun };
    if (decision.route === "answer") return this.answers.answer(decision.about, reply, signal);
    if (decision.route === "decide") {
      return this.answers.decide(decision.about, decision.choice, reply, signal);
    }
    if (decision.route === "unsure") return this.answers.askWhich(waiting, input);
    if (chosen !== undefined) return this.carryOut(chosen, signal, begun);
    const { conversation } = this;
    return { type: "decision", decision, request, conversation, isolated, begun };
  }

  #waiting(): Promise<Matter[]> {
    const { open, recent } = this.heard;
    return this.answers.waiting(open, recent.length > 0);
  }

  /**
   * Answers what the id names: a task that asks, or the question of a job or run.
   *
   * @throws {UserError} if it asks nothing
   */
  answer(about: string, reply: Reply, signal: AbortSignal): Promise<Work> {
    return this.answers.answerAbout(about, this.heard.open, reply, signal);
  }

  /** Reads what is attached to a request. */
  async read(attachments: readonly Attachment[], signal: AbortSignal): Promise<ReadAttachments> {
    const { experts, files, publisher } = this.dependencies;
    const places = {
      host: experts.host,
      images: new KeptImages(files),
      content: experts.serverContent,
      taskOutcome: (taskId: TaskId) => taskOutcomeText(taskId, this.dependencies),
    };
    const read = await readAttachments(attachments, places, signal);
    for (const problem of read.problems) publisher.notice("warning", problem);
    return read;
  }

  #triage(input: TriageInput, signal: AbortSignal): Promise<TriageResult> {
    const { experts, publisher } = this.dependencies;
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
  async carryOut(input: ChosenRoute, signal: AbortSignal, begun?: BegunRequest): Promise<Work> {
    switch (input.action) {
      case "plan":
        return this.#plan({
          ...(await this.#given(input, signal)),
          begun,
          planWaits: input.waits,
        });
      case "brainstorm":
        return this.#brainstorm({ ...(await this.#given(input, signal)), begun });
      case "doTask":
        return this.#direct({
          ...(await this.#given(input, signal)),
          begun,
          expert: this.#directExpert(input.expert),
        });
      case "review":
        return this.#review(input.changes, signal, begun);
      case "queueTask":
        return this.#enqueue({
          ...(await this.#given(input, signal)),
          begun,
          expert: "rooroo-developer",
        });
      case "createJob":
        return this.#createJob({
          name: input.name,
          goal: await this.#withAttached(input.goal, input.attachments, signal),
        });
      case "runJob":
        return this.begin({ kind: "job", job: { name: input.name } }, signal, begun);
      case "startRun": {
        const request = await this.#withAttached(input.request, input.attachments, signal);
        return this.begin({ kind: "run", run: { request, isSimple: false } }, signal, begun);
      }
    }
  }

  /**
   * Has the analyzer review changes. They are read once, when the task is made.
   *
   * @throws {UserError} if git does not answer
   */
  async #review(what: ReviewedChanges, signal: AbortSignal, begun?: BegunRequest): Promise<Work> {
    const { experts, publisher } = this.dependencies;
    const found = await visibleChanges(experts.host, what);
    signal.throwIfAborted();
    if (!found.ok) throw changesNotRead(found.why);
    const { files, leftOut } = found;
    if (leftOut.length > 0) {
      const names = leftOut.map((path) => `\`${visibleLine(path, 200)}\``).join(", ");
      publisher.notice(
        "info",
        words("Not reviewed, because hidden or possibly secret: {names}.", { names }),
      );
    }
    if (files.length === 0) {
      publisher.notice("info", words("There are no changes to review."));
      return ends("done");
    }
    const goal = reviewGoal(what);
    return this.#direct({
      goal,
      context: reviewContext(found),
      request: undefined,
      begun,
      expert: "rooroo-analyzer",
      review: what,
    });
  }

  /** Returns the request that the user has put into words, or that goes on with another task's. */
  async #given(
    { goal, from, attachments = [], isolated }: Given,
    signal: AbortSignal,
  ): Promise<Request> {
    const { store, experts } = this.dependencies;
    const earlier = from !== undefined && taskIdPattern.test(from) ? from : undefined;
    const request = earlier === undefined ? undefined : await store.requestOf(earlier);
    const context =
      earlier === undefined
        ? ""
        : `An earlier attempt (\`${earlier}\`) ended so:\n\n${await taskOutcomeText(earlier, this.dependencies)}`;
    const attached = await this.read(attachments, signal);
    return {
      goal,
      context,
      request: request ?? (await userRequest(goal, experts.host, attached)),
      isolated,
    };
  }

  /** Returns the words for a document that is all that an agent is told: with what is attached to them. */
  async #withAttached(
    given: string,
    attachments: readonly Attachment[] = [],
    signal: AbortSignal,
  ): Promise<string> {
    const { texts, images } = await this.read(attachments, signal);
    if (images.length > 0) {
      this.dependencies.publisher.notice("warning", imagesLeft(images.length));
    }
    return [given, ...texts].join("\n\n");
  }

  /** Returns the expert if a person can give it a task at once. */
  #directExpert(slug: string): string {
    const known = this.dependencies.modes.direct.map((mode) => mode.slug);
    if (known.includes(slug)) return slug;
    throw unknownExpert(slug, known);
  }

  /** Creates, queues or offers what was decided. */
  async take(given: Extract<Work, { type: "decision" }>): Promise<Work> {
    const { decision, request, isolated, begun } = given;
    const told = { request, isolated, begun };
    switch (decision.route) {
      case "brainstorm":
        return this.#brainstorm({ ...decision, ...told });
      case "proceed":
        return { type: "queue", one: false, begins: "proceed", conversation: this.conversation };
      case "plan":
        return this.#plan({ ...decision, ...told });
      case "direct":
        return this.#direct({ ...decision, ...told });
      case "queue":
        return this.#enqueue({ ...decision, ...told });
      case "job":
        return this.#offerJob(decision, told);
      case "run":
        return this.#offerRun(decision.goal, told);
      case "acknowledge":
        await announce(this.dependencies, announcements.acknowledged());
        this.dependencies.publisher.notice("info", decision.reply || acknowledged);
        return ends("done");
      case "clarify":
        await this.#clarify(decision.question);
        return ends("waiting");
    }
  }

  /**
   * Creates a job's file. The user confirms the job, and says more in its file, before any of it runs.
   */
  async #createJob(job: { name: string; goal: string }): Promise<Work> {
    const path = await this.#jobs().create(job);
    this.dependencies.publisher.notice(
      "info",
      words("The job is in `{path}`. Say there all that counts, then run it.", { path }),
      [{ type: "action", label: words("Run It"), action: { action: "runJob", name: job.name } }],
    );
    return ends("done");
  }

  /** Begins long work that the person has asked for. */
  async begin(work: RequestedWork, signal: AbortSignal, begun?: BegunRequest): Promise<Work> {
    const outcome =
      work.kind === "job"
        ? await this.#jobs().begin(work, signal, this.conversation, begun)
        : await this.#runs().begin(work, signal, this.conversation, begun);
    return { type: "end", outcome };
  }

  async #offerRun(goal: string, told: Told): Promise<Work> {
    const { publisher, works } = this.dependencies;
    if (works.run === undefined) return this.#plan({ goal, context: "", ...told });
    const plan = this.#planInstead(goal, told);
    publisher.notice(
      "info",
      joined(
        words(
          "This is work on documents. As a **run** it goes through phases, from an analysis of your material to the outputs; you confirm first what it is to hold to:",
        ),
        `\n\n${indented(goal.split("\n"))}`,
      ),
      [
        {
          type: "action",
          label: words("Start the Run"),
          action: { action: "startRun", request: goal },
        },
        { type: "action", label: words("Plan It Now"), action: plan },
      ],
    );
    return ends("waiting");
  }

  #jobs(): NonNullable<WorkServices["job"]> {
    const { job } = this.dependencies.works;
    if (job === undefined) throw new UserError("jobsUnavailable", "Jobs are not available here.");
    return job;
  }

  #runs(): NonNullable<WorkServices["run"]> {
    const { run } = this.dependencies.works;
    if (run === undefined) throw new UserError("runsUnavailable", "Runs are not available here.");
    return run;
  }

  async #offerJob(job: { name: string; goal: string }, told: Told): Promise<Work> {
    const { publisher, works } = this.dependencies;
    const { name, goal } = job;
    if (works.job === undefined) return this.#plan({ goal, context: "", ...told });
    const plan = this.#planInstead(goal, told);
    const draft = ["---", `name: ${name}`, "---", "", ...goal.split("\n")];
    publisher.notice(
      "info",
      joined(
        words(
          "This is long work. As a **job** it is done task by task, without you, and survives restarts; what it needs to know stands in a file:",
        ),
        `\n\n${indented(draft)}`,
      ),
      [
        {
          type: "action",
          label: words("Make the Job"),
          action: { action: "createJob", name, goal },
        },
        { type: "action", label: words("Plan It Now"), action: plan },
      ],
    );
    return ends("waiting");
  }

  /** Returns the plan that is offered beside a job or a run. The images go with it; a job or run is told without them. */
  #planInstead(goal: string, { request, isolated }: Told): UserAction {
    const images = request?.images ?? [];
    if (images.length > 0) {
      this.dependencies.publisher.notice("warning", imagesLeft(images.length));
    }
    const attached = images.map((image) => ({ kind: "image" as const, ...image }));
    return withIsolation(withAttachments({ action: "plan", goal }, attached), isolated);
  }

  /** Adds a task to the end of the queue without running it, and returns its id. */
  async add(task: { goal: string; expert: string }): Promise<string> {
    const { queue, activity, modes, experts } = this.dependencies;
    const known = modes.assignable.map(({ slug }) => slug);
    if (!known.includes(task.expert)) throw unknownExpert(task.expert, known);
    const request = await userRequest(task.goal, experts.host);
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
    await announce(this.dependencies, announcements.brainstormBegins());
    this.dependencies.publisher.notice("info", isOnIt(task.mode.slug));
    this.onBrainstorm(task.taskId);
    return { type: "task", task };
  }

  async #plan(request: Request & { planWaits?: true | undefined }): Promise<Work> {
    const task = await this.#newTask("TASK", "rooroo-planner", request);
    const { taskId } = task;
    await announce(this.dependencies, announcements.planRequested(taskId));
    this.dependencies.publisher.told(isOnIt(task.mode.slug));
    await this.dependencies.activity.record({ type: "PLAN_REQUEST_INITIATED", taskId });
    return { type: "task", task };
  }

  async #direct(request: Request & { expert: string; review?: ReviewedChanges }): Promise<Work> {
    const task = await this.#newTask("TASK", request.expert, request);
    const { taskId } = task;
    const { expert } = request;
    await announce(this.dependencies, announcements.directTaskBegins({ taskId, expert }));
    this.dependencies.publisher.notice("info", isOnIt(expert));
    return { type: "task", task };
  }

  async #enqueue(request: Request & { expert: string }): Promise<Work> {
    const { publisher, activity, queue } = this.dependencies;
    const entry = await this.#newEntry(request);
    const { taskId } = entry;
    const { expert } = request;
    await announce(
      this.dependencies,
      announcements.taskToBeQueued({ taskId, expert }),
      announcements.taskAdded(taskId),
    );
    publisher.notice(
      "info",
      words("Added to the queue, for the {expert}.", { expert: expertWords(expert) }),
    );
    await queue.putAtHead([entry]);
    await activity.record({ type: "TASK_QUEUED", taskId });
    publisher.tasksChanged();
    return { type: "queue", one: false, conversation: this.conversation };
  }

  async #clarify(question: string): Promise<void> {
    await announce(this.dependencies, announcements.requestUnclear(question));
    this.dependencies.publisher.publish({
      type: "question",
      questionId: `q-${this.dependencies.experts.ids.hex(12)}`,
      taskId: null,
      mode: "rooroo-navigator",
      text: question,
      suggestions: [],
    });
  }

  async #newTask(
    kind: "TASK" | "IDEA",
    slug: string,
    request: Request & { planWaits?: true | undefined; review?: ReviewedChanges },
  ): Promise<Assignment> {
    const { modes, store, experts, publisher } = this.dependencies;
    const mode = modes.all.get(slug);
    if (mode === undefined) {
      throw unknownExpert(
        slug,
        modes.assignable.map((one) => one.slug),
      );
    }
    const taskId = newTaskId(kind, experts.clock, experts.ids);
    const { goal, context, request: asked, planWaits, review, isolated } = request;
    const { conversation } = this;
    publisher.belongs(taskId, conversation);
    await request.begun?.becomes(taskId);
    await store.create(
      {
        taskId,
        parentTaskId: null,
        planId: null,
        mode: slug,
        goal,
        ...recorded(asked),
        ...(planWaits && { planWaits }),
        ...(isolated === undefined ? {} : { isolated }),
        ...(review && { review }),
        ...(conversation === undefined ? {} : { conversation }),
      },
      contextText({ taskId, goal, context, request: asked?.text }),
    );
    return { taskId, mode, goal, contextPath: store.contextPath(taskId), conversation };
  }
}

/** Returns what a request becomes for which the user has chosen the expert; a plan that was chosen waits. */
function chosenAction(
  { text, attachments = [], isolated }: Extract<UserInput, { action: "request" }>,
  expert: string,
): ChosenRoute {
  const action: ChosenRoute =
    expert === "rooroo-planner"
      ? { action: "plan", goal: text, waits: true }
      : { action: "doTask", expert, goal: text };
  return withIsolation(withAttachments(action, attachments), isolated);
}

/** Returns a decision as the activity log has it. */
function detailsOf(decision: Decision): Readonly<Record<string, unknown>> {
  return "about" in decision ? { ...decision, about: decision.about.id } : { ...decision };
}

function unknownExpert(expert: string, known: readonly string[]): UserError {
  return new UserError(
    "expertUnknownAmong",
    "There is no expert {expert}. Choose one of: {experts}.",
    { expert, experts: known.join(", ") },
  );
}

function isOnIt(expert: string): Words {
  return words("{expert} is on it.", { expert: expertWords(expert) });
}

function indented(lines: readonly string[]): string {
  return lines.map((line) => `    ${line}`).join("\n");
}
