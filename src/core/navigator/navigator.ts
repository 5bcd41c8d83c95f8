import { AskedCompactions } from "../agent/context/askedCompactions.js";
import type { Permissions } from "../approvals/permissions.js";
import type { EventPublisher, DraftedStep } from "../conversation/events/eventPublisher.js";
import type { ConversationEvent } from "../conversation/events/events.js";
import type { Attachment } from "../conversation/input/attachment.js";
import { mostAttachments } from "../conversation/input/mostAttachments.js";
import {
  badCommandWords,
  inputText,
  parseInput,
  type UserInput,
  withAttachments,
  withIsolation,
} from "../conversation/input/parseInput.js";
import type { UserAction } from "../conversation/input/userAction.js";
import { movesItems } from "../conversation/state/reduceRestored.js";
import { earlierConversation } from "../conversation/store/conversationFile.js";
import { messageOf, ModelError, saidBy, UserError } from "../errors.js";
import type { ConversationId, TaskId } from "../ids.js";
import { ForeignFilesError } from "../provenance/foreignFiles.js";
import { formatSize } from "../text/textFile.js";
import { type Words, words } from "../text/words.js";
import { stoppedByUser, type Stopped, stopWork, untilStopped } from "../work/stop.js";
import { WorkRegistry } from "../work/workRegistry.js";
import { shownAttachments } from "./attachments/attachmentProblem.js";
import { nothingAttached } from "./attachments/readAttachments.js";
import { typedMentions } from "./attachments/typedMentions.js";
import type { NavigatorDependencies } from "./navigatorDependencies.js";
import { compactText, tasksToCompact } from "./overview/compact.js";
import type { Overview } from "./overview/overview.js";
import { OverviewReader } from "./overview/overviewReader.js";
import { PlanEditor } from "./queue/planEditor.js";
import { PlanInstaller } from "./queue/planInstaller.js";
import { Adoption, adoptedWords } from "./recovery/adoption.js";
import { type CheckpointParts, Checkpoints } from "./recovery/checkpoints.js";
import { Recovery, type IsShown } from "./recovery/recovery.js";
import { ends, FollowUp, type Work } from "./requests/followUp.js";
import type { BegunRequest, Given, GivenRequest } from "./requests/givenRequests.js";
import { QueueEdits } from "./requests/queueEdits.js";
import { acknowledged, Routes } from "./requests/routes.js";
import { TypedCommands } from "./requests/typedCommands.js";
import { modelSteps } from "./running/modelSteps.js";
import { type Drain, QueueRunner } from "./running/queueRunner.js";
import { TaskRunner } from "./running/taskRunner.js";
import { announce, announcements } from "./tasks/announcements.js";
import { proceed } from "./tasks/nextSteps.js";
import type { Outcome } from "./tasks/outcome.js";
import type { Requester } from "./tasks/requester.js";
import { isUnitId, newTaskId } from "./tasks/taskIds.js";
import { tellExpert } from "./tasks/tellExpert.js";
import { WaitingMessages } from "./tasks/waitingMessages.js";
import type { PlanWorktrees } from "./worktrees/planWorktrees.js";

/** Where a request comes from. */
interface Origin {
  readonly conversation?: ConversationId | undefined;
  readonly taskId?: TaskId;
  readonly requester?: Requester | undefined;
}

/** Decides what is to be done. The requests that it begins come to their end with the work. */
type Decide = (signal: AbortSignal, held: BegunRequest[]) => Promise<Work>;

/** How a request is carried out. */
interface SayOptions {
  /** The slug of the expert to which it goes. Absent: triage decides. */
  readonly expert?: string | undefined;
  /** Whether its plan works in a worktree. Absent: the settings say. */
  readonly isolated?: boolean | undefined;
  /** Who follows it on its own. */
  readonly requester?: Requester | undefined;
  /** What {@link Navigator.accept} has returned for it. Absent: it is written down now. */
  readonly accepted?: BegunRequest | undefined;
}

/** What the Navigator keeps of each conversation. */
interface Talk {
  readonly routes: Routes;
  /** The id of the brainstorm's task, to which plain user input goes. */
  partner: TaskId | undefined;
}

/**
 * Takes user input, decides by triage what kind of request it is, and carries it out: phases 1 to 4 of
 * the Rooroo protocol. Ids, files, queue, log and report checks are code; a model is asked for the
 * triage and by the experts, for nothing else.
 */
export class Navigator {
  readonly #dependencies: NavigatorDependencies;
  readonly #runner: TaskRunner;
  readonly #queueRunner: QueueRunner;
  readonly #installer: PlanInstaller;
  /** Edits of the queue and its plans by a person. */
  readonly queue: QueueEdits;
  /** The commands of this workspace that can be typed. */
  readonly commands: TypedCommands;
  /** The messages that experts at work have not been given yet. */
  readonly messages: WaitingMessages;
  readonly #followUp: FollowUp;
  readonly #talks = new Map<ConversationId | undefined, Talk>();
  readonly #overviewReader: OverviewReader;
  readonly #recovery: Recovery;
  readonly #adoption: Adoption;
  /** Topics of notices that the conversation has already, so that foreign files are reported once. */
  readonly #noticed = new Set<string>();
  readonly #running = new WorkRegistry();
  /** Aborted by a stop: ends the wait for the process before. */
  #waiting = new AbortController();

  constructor(dependencies: NavigatorDependencies) {
    this.#dependencies = dependencies;
    dependencies.publisher.listen((event, conversation) => {
      this.#hear(event, conversation);
    });
    this.#runner = new TaskRunner(this.#dependencies);
    this.#installer = new PlanInstaller(this.#dependencies);
    const { redactor } = dependencies.experts;
    const planEditor = new PlanEditor(dependencies, this.#runner);
    this.queue = new QueueEdits({ ...dependencies, redactor }, planEditor, this.#runner);
    this.commands = new TypedCommands(dependencies.files, dependencies.experts);
    this.messages = new WaitingMessages(dependencies, (text, conversation) =>
      this.act({ action: "request", text }, conversation),
    );
    this.#queueRunner = new QueueRunner(this.#dependencies, this.#runner, this.#installer);
    this.#recovery = new Recovery(this.#dependencies, this.#installer);
    this.#followUp = new FollowUp(this.#dependencies, this.#queueRunner, this.#installer);
    const { files, lock, experts } = this.#dependencies;
    this.#adoption = new Adoption({ files, lock, signer: experts.signer, clock: experts.clock });
    const { messages } = experts;
    this.#overviewReader = new OverviewReader({ ...this.#dependencies, messages }, this.#runner);
  }

  /** Returns what lands and discards plans in worktrees; `undefined`: there can be none here. */
  plans(): Promise<PlanWorktrees> | undefined {
    return this.#dependencies.planHosts?.worktrees();
  }

  /** The permissions beyond single calls. */
  get permissions(): Pick<Permissions, "list"> {
    return this.#dependencies.experts.permissions;
  }

  /** Whether work runs here that {@link stop} would end. */
  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Returns the slug of the expert to which plain user input goes during a brainstorm; otherwise `null`. */
  talkingTo(conversation?: ConversationId): string | null {
    return this.#talk(conversation).partner === undefined ? null : "rooroo-idea-sparker";
  }

  /**
   * Takes typed input: a request, an answer or a command, which may be the workspace's own.
   *
   * @param conversation where it is said; absent: in the one that is shown
   * @param attachments what came with it, besides the files that the text names by `@`
   * @param options `requester`: the same holds for {@link act} and {@link answer}
   */
  say(
    text: string,
    conversation?: ConversationId,
    attachments: readonly Attachment[] = [],
    { expert, isolated, requester, accepted }: SayOptions = {},
  ): Promise<Outcome> {
    const given = this.#clean<Given>({ kind: "say", text, attachments, expert, isolated });
    return this.#request(given, { conversation, requester }, accepted);
  }

  /**
   * Writes down what a person asks for, before anything else is done for it, and returns what {@link say}, a run or a job is
   * given then. Text that asks for nothing new is not written down.
   */
  async accept(asked: Given, conversation?: ConversationId): Promise<BegunRequest | undefined> {
    const given = this.#clean(asked);
    if (!isNew(given)) return undefined;
    return this.#dependencies.requests.begin(this.#newRequest(given, conversation));
  }

  /** Removes keys: what is pasted is stored in files and sent to models, too. */
  #clean<T>(given: T): T {
    return this.#dependencies.experts.redactor.each(given);
  }

  #newRequest(given: Given, conversation: ConversationId | undefined): GivenRequest {
    const { clock, ids } = this.#dependencies.experts;
    const id = newTaskId("REQUEST", clock, ids);
    const answers = given.kind === "answer" ? { answers: given.taskId } : {};
    const where = conversation === undefined ? {} : { conversation };
    return { id, at: clock.now().toISOString(), ...where, given, ...answers };
  }

  /** Writes a request down and carries it out. */
  #request(given: Given, origin: Origin, accepted?: BegunRequest): Promise<Outcome> {
    return this.#do(async (signal, held) => {
      const request = this.#newRequest(given, origin.conversation);
      const begun =
        accepted ?? (isNew(given) ? await this.#dependencies.requests.begin(request) : undefined);
      if (begun !== undefined) held.push(begun);
      return this.#perform(given, origin.conversation, signal, held);
    }, origin);
  }

  /** Decides on what a person has asked for, the first time or again. */
  async #perform(
    given: Given,
    conversation: ConversationId | undefined,
    signal: AbortSignal,
    held: BegunRequest[],
  ): Promise<Work> {
    switch (given.kind) {
      case "say":
        return this.#said(given, conversation, signal, held);
      case "act":
        return this.#acted(given.action, conversation, signal, held);
      case "answer": {
        const { taskId, text, attachments } = given;
        const { routes } = this.#talk(await this.#dependencies.store.conversationOf(taskId));
        const attached = await routes.read(attachments.slice(0, mostAttachments), signal);
        return routes.answers.answerTask(taskId, { words: text, attached, begun: held[0] });
      }
      case "run":
      case "job":
        return this.#talk(conversation).routes.begin(given, signal, held[0]);
    }
  }

  async #said(
    { text, attachments, expert, isolated }: Extract<Given, { kind: "say" }>,
    conversation: ConversationId | undefined,
    signal: AbortSignal,
    held: BegunRequest[],
  ): Promise<Work> {
    const { experts } = this.#dependencies;
    const publisher = this.#dependencies.publisher.in(conversation);
    const typed = text.trim();
    const given = parseInput(typed);
    if (given.action === "nothing") {
      // It would be dropped without a word.
      if (attachments.length > 0) {
        throw new UserError("requestWithoutWords", "Say what is to be done with what is attached.");
      }
      return this.#take(given, signal, conversation, held);
    }
    const {
      shown = typed,
      input,
      attached = [],
    } = given.action === "badCommand"
      ? await this.commands.expanded(given, typed)
      : { input: given };
    refuseTooLong(shown);
    const { files } = experts.host;
    const named = await typedMentions(typed, files, experts.serverContent);
    const all = [...attached, ...attachments, ...named].slice(0, mostAttachments);
    const isFree = input.action === "request" && this.talkingTo(conversation) === null;
    const chosen = isFree ? expert : undefined;
    publisher.user(shown, await shownAttachments(all, files), chosen);
    const meant = chosen === undefined ? input : { ...input, expert: chosen };
    const whole = withIsolation(withAttachments(meant, all), isolated);
    return this.#take(whole, signal, conversation, held);
  }

  /** Carries out what a button stands for. The conversation shows it as what a person would type for it. */
  act(action: UserAction, conversation?: ConversationId, requester?: Requester): Promise<Outcome> {
    const given = this.#clean<Given>({ kind: "act", action });
    return this.#request(given, { conversation, requester });
  }

  async #acted(
    action: UserAction,
    conversation: ConversationId | undefined,
    signal: AbortSignal,
    held: BegunRequest[],
  ): Promise<Work> {
    const { publisher, experts } = this.#dependencies;
    const attached = "attachments" in action ? action.attachments : undefined;
    const shown = await shownAttachments(attached ?? [], experts.host.files);
    const expert = action.action === "request" ? action.expert : undefined;
    publisher.in(conversation).user(inputText(action), shown, expert);
    return this.#take(action, signal, conversation, held);
  }

  /** Does the same as the typed word, without showing it. */
  proceed(
    { one = false, done }: Partial<Pick<Drain, "one" | "done">> = {},
    conversation?: ConversationId,
  ): Promise<Outcome> {
    return this.#do(
      (signal, held) => this.#take({ action: "proceed", one, done }, signal, conversation, held),
      { conversation },
    );
  }

  /** Answers a task's question; the same expert continues the task (R-ROO-19). */
  answer(
    taskId: TaskId,
    text: string,
    requester?: Requester,
    attachments: readonly Attachment[] = [],
  ): Promise<Outcome> {
    const given = this.#clean<Given>({ kind: "answer", taskId, text, attachments });
    return this.#request(given, { taskId, requester });
  }

  /**
   * Leaves the user's message for the expert that works on a task, in whichever process: it is told before its next
   * turn, and a task that waits when it is resumed. The message answers no question and allows nothing, except in a
   * brainstorm, where it is the reply. If the task has ended meanwhile, the message becomes a request. An agent of a
   * job or run is told in the same way; if it has ended, the next one is.
   *
   * @throws a `UserError` if there is no such task
   */
  async tell(taskId: TaskId, text: string, attachments: readonly Attachment[] = []): Promise<void> {
    const { host, serverContent } = this.#dependencies.experts;
    const named = await typedMentions(text, host.files, serverContent);
    const all = [...attachments, ...named].slice(0, mostAttachments);
    const conversation = await this.#dependencies.store.conversationOf(taskId);
    const { routes } = this.#talk(conversation);
    const { texts, images } = await routes.read(all, new AbortController().signal);
    const attached = all.length === 0 ? {} : { attached: texts, images };
    const told = await tellExpert(taskId, { text, ...attached }, this.#dependencies);
    this.#dependencies.publisher.tasksChanged();
    if (told === "ended") {
      const request = withAttachments({ action: "request", text: text.trim() }, all);
      await this.act(request, conversation);
      return;
    }
    // The message may have come after the expert had looked for one, and asked.
    if (isUnitId(taskId) || this.#runner.isRunning(taskId)) return;
    const task = await routes.answers.assigned(taskId);
    if (await this.#runner.isReplied(task)) await this.resume(taskId);
  }

  /** Resumes a task that was interrupted or failed, from where its transcript ends. */
  resume(taskId: TaskId): Promise<Outcome> {
    return this.#do((signal, held) => this.#resume(taskId, undefined, signal, held), { taskId });
  }

  /**
   * Adopts what this installation did not write, after the user's confirmation.
   *
   * @param taskId one task; `null`: everything
   */
  adopt(taskId: TaskId | null): Promise<Outcome> {
    return this.#do(() => this.#adopt(taskId));
  }

  /** Adds a task for one expert to the end of the queue without running it; returns its id. */
  async enqueue(task: { goal: string; expert: string }): Promise<string> {
    await this.#dependencies.modes.refresh();
    const taskId = await this.#talk(undefined).routes.add(
      this.#dependencies.experts.redactor.each(task),
    );
    this.#dependencies.publisher.tasksChanged();
    return taskId;
  }

  /** Returns what restores files and a conversation to before one of its messages. */
  checkpoints(
    conversation: ConversationId,
    given: Pick<CheckpointParts, "changes" | "conversations" | "mayWrite">,
  ): Checkpoints {
    const { files, lock, store, queue, publisher, experts } = this.#dependencies;
    const { clock, ids, signer } = experts;
    const publish: CheckpointParts["publish"] = (event, where) => {
      publisher.publish(event, where);
    };
    const parts = { files, lock, store, queue, clock, ids, signer, publish, ...given };
    return new Checkpoints(parts, conversation);
  }

  /** Returns whether this or another process works on the queue. */
  isQueueAtWork(): Promise<boolean> {
    return this.#queueRunner.isAtWork();
  }

  /** Stops one command, by the id of the call that started it. Its expert is told and continues. */
  stopCommand(callId: string): void {
    this.#dependencies.experts.commandStops.get(callId)?.();
  }

  /**
   * Stops all tasks of the workspace, in whichever process they run, and waits up to 30 seconds for them to
   * end. Does nothing if none runs here.
   */
  async stop(): Promise<Stopped> {
    const { busy } = this;
    const endsHere = this.stopOwn(stoppedByUser());
    if (!busy) return { found: 0, left: 0 };
    const { files, experts, publisher } = this.#dependencies;
    const { clock, ids } = experts;
    const atWork = async () =>
      Math.max(this.#running.size, (await this.#recovery.tasksAtWork()).length);
    const stopped = await stopWork(tasksWork, atWork, { files, clock, ids }, endsHere);
    if (stopped.left > 0) {
      const { left } = stopped;
      publisher.notice(
        "warning",
        words(
          "{left, plural, one {# task has} other {# tasks have}} been told to stop and not ended yet.",
          { left },
        ),
      );
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
    this.#dependencies.publisher.mute();
    this.#dependencies.active.keep();
    this.#dependencies.requests.keep();
    await this.stopOwn(new UserError("processEnds", "The process ends."));
  }

  async overview(): Promise<Overview> {
    await this.#dependencies.modes.refresh();
    return this.#overviewReader.read();
  }

  /**
   * Recovers from a crash, from the files alone.
   *
   * @param isShown whether a question's conversation shows it
   * @param options `goOn`: interrupted work is resumed by itself, without waiting for it;
   *   `foreignMessages`: how many messages of the conversation this installation did not write
   */
  async recover(
    isShown: IsShown,
    { goOn, foreignMessages = 0 }: { goOn: boolean; foreignMessages?: number } = { goOn: false },
  ): Promise<void> {
    await this.#dependencies.modes.refresh();
    const recovered = await this.#recovery.run(isShown, goOn);
    const { brainstorms, queue, seenLines, tasks, lockedElsewhere } = recovered;
    for (const taskId of brainstorms.toReversed()) {
      const conversation = await this.#dependencies.store.conversationOf(taskId);
      this.#talk(conversation).partner ??= taskId;
      // An earlier version knew of one conversation only.
      if (conversation === undefined) this.#talk(earlierConversation).partner ??= taskId;
    }
    this.#tellForeign(recovered.foreign.length, foreignMessages);
    if (!goOn) return;
    if (lockedElsewhere.length > 0) void this.#recoverWhenFree(lockedElsewhere, isShown);
    for (const taskId of tasks) void this.resume(taskId);
    if (queue) await this.#goOnWithQueue(seenLines);
  }

  #tellForeign(tasks: number, messages: number): void {
    const topic = `foreign: ${tasks} tasks, ${messages} messages`;
    if (tasks + messages === 0 || this.#noticed.has(topic)) return;
    this.#noticed.add(topic);
    const adopt: DraftedStep = {
      type: "action",
      label: words("Adopt"),
      action: { action: "adopt", taskId: null },
    };
    this.#dependencies.publisher.notice("warning", foreignWords(tasks, messages), [adopt], topic);
  }

  /** Adopts what this installation did not write, and tells the user what that was. */
  async #adopt(taskId: TaskId | null, conversation?: ConversationId): Promise<Work> {
    const publisher = this.#dependencies.publisher.in(conversation);
    const adopted = await this.#adoption.adopt(taskId ?? undefined);
    publisher.tasksChanged();
    publisher.notice(
      "info",
      adoptedWords(adopted),
      adopted.messages === 0
        ? []
        : [
            {
              type: "command",
              label: words("Show Earlier Messages"),
              command: "showEarlierMessages",
            },
          ],
    );
    return ends("done");
  }

  /**
   * Resumes the queue, unless it has tasks that were not added here and that the user had not been told
   * of.
   */
  async #goOnWithQueue(seenLines: readonly string[]): Promise<void> {
    const { queue, store, publisher } = this.#dependencies;
    const [head] = await queue.entries();
    if (head === undefined) return;
    if (!(await this.#queueRunner.hasUnseen(seenLines))) {
      const record = await store.readRecord(head.taskId).catch(() => undefined);
      const { single = false, conversation } = record ?? {};
      const drain: Drain = { one: single, isContinued: true, begins: "continue", conversation };
      void this.#do(() => Promise.resolve({ type: "queue", ...drain }));
      return;
    }
    publisher.notice(
      "warning",
      words(
        "The queue was being worked on, and has tasks by now that were not added here. It goes on when you say so.",
      ),
      [proceed],
    );
  }

  /** Recovers again when the locks are free: the previous process may still be ending its work. */
  async #recoverWhenFree(locks: readonly string[], isShown: IsShown): Promise<void> {
    const { signal } = this.#waiting;
    try {
      await this.#recovery.untilFree(locks, signal);
      await this.recover(isShown, { goOn: true });
    } catch (error) {
      if (!signal.aborted) this.#dependencies.publisher.notice("error", saidBy(error));
    }
  }

  /** Takes a conversation from before this process began, oldest first; triage sees the end of it. */
  recall(events: readonly ConversationEvent[], conversation?: ConversationId): void {
    const { routes } = this.#talk(conversation);
    // What has happened there meanwhile is among the events.
    routes.heard.forget();
    const last = events.findLast(movesItems);
    // Another process may have restored something meanwhile.
    if (last !== undefined) this.#leaveTakenBack(last, conversation);
    for (const event of events) {
      routes.heard.remember(event);
      if (event.type === "notice" && event.topic !== undefined) this.#noticed.add(event.topic);
    }
  }

  /** Ends the brainstorm: the next user input is a request again. Its question can still be answered. */
  leaveBrainstorm(conversation?: ConversationId): void {
    this.#talk(conversation).partner = undefined;
  }

  #talk(conversation: ConversationId | undefined): Talk {
    const known = this.#talks.get(conversation);
    if (known !== undefined) return known;
    const dependencies = {
      ...this.#dependencies,
      publisher: this.#dependencies.publisher.in(conversation),
    };
    const talk: Talk = {
      routes: new Routes(dependencies, conversation, (taskId) => {
        talk.partner = taskId;
      }),
      partner: undefined,
    };
    this.#talks.set(conversation, talk);
    return talk;
  }

  /** Ends the brainstorm for good: its question does not wait any more, after a restart either. */
  async #closeBrainstorm(conversation: ConversationId | undefined): Promise<void> {
    const { partner } = this.#talk(conversation);
    this.leaveBrainstorm(conversation);
    if (partner === undefined) return;
    const { store, publisher } = this.#dependencies;
    const question = await store.readQuestion(partner);
    if (question === undefined) return;
    await store.writeQuestion(partner, { ...question, closed: true });
    const { questionId } = question;
    publisher.in(conversation).publish({ type: "questionClosed", questionId });
  }

  #hear(event: ConversationEvent, conversation: ConversationId | undefined): void {
    this.#talk(conversation).routes.heard.remember(event);
    this.#leaveTakenBack(event, conversation);
    if (event.type !== "sessionEnded" || !(event.end === "Done" || event.end === "Failed")) return;
    for (const talk of this.#talks.values()) {
      if (talk.partner === event.taskId) talk.partner = undefined;
    }
  }

  /** Ends the brainstorm if the event tells that its task was taken back. */
  #leaveTakenBack(event: ConversationEvent, conversation: ConversationId | undefined): void {
    if (event.type !== "restored" || event.scope === "files") return;
    const { partner } = this.#talk(conversation);
    const gone = [...event.unfinished, ...event.returning];
    if (gone.some(({ taskId }) => taskId === partner)) this.leaveBrainstorm(conversation);
  }

  /**
   * Decides on what the user wants and does it, and all that follows from it. {@link stop} ends it. Errors are
   * shown as notices, not thrown.
   *
   * @param origin where the user wants it, or the task that it is about, in whose conversation it then is
   */
  #do(decide: Decide, { conversation, taskId, requester }: Origin = {}): Promise<Outcome> {
    const { publisher } = this.#dependencies;
    const tell = () =>
      taskId === undefined ? publisher.in(conversation) : publisher.about(taskId);
    const running = this.#running.run(tasksWork, (stopping) => {
      const signal = requester ? AbortSignal.any([stopping, requester.signal]) : stopping;
      return this.#orTold(decide, signal, tell, requester);
    });
    publisher.tasksChanged();
    return running.finally(() => {
      publisher.tasksChanged();
    });
  }

  async #orTold(
    decide: Decide,
    stopping: AbortSignal,
    tell: () => EventPublisher,
    requester: Requester | undefined,
  ): Promise<Outcome> {
    const { modes, files, experts, activity } = this.#dependencies;
    const { clock } = experts;
    return untilStopped(tasksWork, { files, clock }, stopping, async (signal) => {
      const held: BegunRequest[] = [];
      try {
        await modes.refresh();
        return await this.#carryOut(await decide(signal, held), signal, requester, held);
      } catch (error) {
        const steps = error instanceof ModelError ? modelSteps(error.code) : adoptStep(error);
        if (signal.aborted) tell().notice("info", words("Stopped."));
        else {
          tell().notice("error", saidBy(error), steps);
          await activity.record({
            type: "SYSTEM_HALT",
            severity: "CRITICAL",
            details: { message: messageOf(error) },
          });
        }
        return { status: "failed" };
      } finally {
        // One whose file stays is shown as interrupted.
        for (const begun of held) await begun.end().catch(() => undefined);
      }
    });
  }

  /** Carries out the work, and whatever follows from it, to the end. */
  async #carryOut(
    first: Work,
    signal: AbortSignal,
    requester: Requester | undefined,
    held: BegunRequest[],
  ): Promise<Outcome> {
    let work = first;
    for (;;) {
      switch (work.type) {
        case "decision":
          work = await this.#talk(work.conversation).routes.take(work);
          break;
        case "task": {
          const { task, answer } = work;
          requester?.began(task.taskId);
          const outcome = await this.#runner.run(task, signal, answer);
          work = await this.#followUp.after(task, outcome, signal);
          break;
        }
        case "action":
          // As with its button: what goes on is found without the words that have chosen it.
          if (goesOn.has(work.action.action)) await work.begun?.end();
          work = await this.#take(work.action, signal, work.conversation, held);
          break;
        case "queue":
          return this.#queueRunner.drain({ ...work, requester }, signal);
        case "end":
          return work.outcome;
      }
    }
  }

  /** Decides what to do about user input, typed or chosen. */
  async #take(
    input: UserInput,
    signal: AbortSignal,
    conversation: ConversationId | undefined,
    held: BegunRequest[],
  ): Promise<Work> {
    const { routes, partner } = this.#talk(conversation);
    const [begun] = held;
    switch (input.action) {
      case "leaveBrainstorm":
        await this.#closeBrainstorm(conversation);
        return this.#acknowledge(conversation);
      case "nothing":
        return this.#acknowledge(conversation);
      case "proceed":
        return { type: "queue", one: input.one, done: input.done, begins: "proceed", conversation };
      case "resume":
        return this.#resume(input.taskId, conversation, signal, held);
      case "adopt":
        return this.#adopt(input.taskId, conversation);
      case "compact":
        return this.#compact(input.keep ?? "", conversation);
      case "request": {
        if (partner === undefined || input.isNew) return routes.judge(input, signal, begun);
        const { text, attachments = [] } = input;
        const attached = await routes.read(attachments, signal);
        return routes.answers.answerTask(partner, { words: text, attached, begun });
      }
      case "answer": {
        const { about, text, attachments = [] } = input;
        const attached = await routes.read(attachments, signal);
        return routes.answer(about, { words: text, attached, begun }, signal);
      }
      case "badCommand":
        throw new UserError("commandUnknown", "{problem}", {
          problem: badCommandWords(input),
        });
      case "plan":
        if (input.from !== undefined) await this.queue.supersede(input.from, conversation);
        return routes.carryOut(input, signal, begun);
      case "brainstorm":
      case "doTask":
      case "queueTask":
      case "createJob":
      case "runJob":
      case "startRun":
      case "review":
        return routes.carryOut(input, signal, begun);
    }
  }

  /** Has the sessions compacted that are at work in the conversation, else the one that can be resumed, and says so. */
  async #compact(keep: string, conversation: ConversationId | undefined): Promise<Work> {
    const { files, experts, publisher } = this.#dependencies;
    const { tasks } = await this.#overviewReader.read();
    const targets = tasksToCompact(
      tasks.filter((task) => task.conversation === conversation),
      (taskId) => this.#runner.isRunning(taskId),
    );
    const asked = new AskedCompactions({ files, signer: experts.signer });
    for (const { taskId } of targets) await asked.ask(taskId, keep);
    publisher.in(conversation).notice("info", compactText(targets));
    return ends("done");
  }

  async #acknowledge(conversation: ConversationId | undefined): Promise<Work> {
    const publisher = this.#dependencies.publisher.in(conversation);
    await announce({ ...this.#dependencies, publisher }, announcements.acknowledged());
    publisher.notice("info", acknowledged);
    return ends("done");
  }

  async #resume(
    taskId: TaskId,
    conversation: ConversationId | undefined,
    signal: AbortSignal,
    held: BegunRequest[],
  ): Promise<Work> {
    const { requests } = this.#dependencies;
    const request = await requests.find(taskId);
    if (request !== undefined) {
      held.push(await requests.begin(request));
      return this.#perform(request.given, request.conversation ?? conversation, signal, held);
    }
    const task = await this.#talk(conversation).routes.answers.assigned(taskId);
    const report = await this.#dependencies.store.readReport(taskId);
    if (report?.status !== "Failed") return { type: "task", task };
    const words = "Try again; the last attempt failed.";
    return { type: "task", task, answer: { words, attached: nothingAttached } };
  }
}

/** What goes on with work that is there already: nothing of it is lost with the request. */
const goesOn: ReadonlySet<UserInput["action"]> = new Set([
  "nothing",
  "proceed",
  "resume",
  "adopt",
  "leaveBrainstorm",
  "compact",
]);

/** Returns whether a request is for something new, which must be written down. */
function isNew(given: Given): boolean {
  if (given.kind !== "say" && given.kind !== "act") return true;
  const input = given.kind === "say" ? parseInput(given.text.trim()) : given.action;
  return !goesOn.has(input.action);
}

/** The name by which all tasks of a workspace are ordered to stop. */
const tasksWork = "tasks";

/** The most bytes of a request: it stands in the files of its task, which are read up to a size only. */
const longestRequest = 500_000;

/** @throws {UserError} if the request would leave a task whose files cannot be read again */
function refuseTooLong(text: string): void {
  const size = new TextEncoder().encode(text).length;
  if (size <= longestRequest) return;
  throw new UserError(
    "requestTooLong",
    "This is {size} long, and a request can have {most}. Put it into a file, and name the file in the request.",
    { size: formatSize(size), most: formatSize(longestRequest) },
  );
}

function adoptStep(error: unknown): DraftedStep[] {
  if (!(error instanceof ForeignFilesError)) return [];
  const action = { action: "adopt", taskId: error.taskId } as const;
  return [{ type: "action", label: words("Adopt Task"), action }];
}

/** Returns what a person is told of state that this installation did not write. */
function foreignWords(tasks: number, messages: number): Words {
  const found =
    messages === 0
      ? words("{tasks, plural, one {# task} other {# tasks}}", { tasks })
      : tasks === 0
        ? words("{messages, plural, one {# message} other {# messages}}", { messages })
        : words(
            "{tasks, plural, one {# task} other {# tasks}} and {messages, plural, one {# message} other {# messages}}",
            { tasks, messages },
          );
  return tasks + messages === 1
    ? words(
        "This folder has {found} that this installation of Rooroo did not write: it came with the folder, or an earlier version wrote it without a signature. Nothing of it is shown as said, resumed or carried out. If it is yours, adopt it: then reports and questions count, and each call that was waiting is asked about before it runs.",
        { found },
      )
    : words(
        "This folder has {found} that this installation of Rooroo did not write: they came with the folder, or an earlier version wrote them without a signature. Nothing of them is shown as said, resumed or carried out. If they are yours, adopt them: then reports and questions count, and each call that was waiting is asked about before it runs.",
        { found },
      );
}
