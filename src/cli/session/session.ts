import type { SettingDefault } from "../../contributions/settings.js";
import type { DialectChoice } from "../../core/agent/dialects/dialect.js";
import type { AgentLimits } from "../../core/agent/loop.js";
import type { ApprovalPreset } from "../../core/approvals/approvalRules.js";
import type { Approver } from "../../core/approvals/approver.js";
import type { CommandRules } from "../../core/commands/commandRules.js";
import { EventPublisher } from "../../core/conversation/events/eventPublisher.js";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { Attachment } from "../../core/conversation/input/attachment.js";
import type { ReviewedChanges } from "../../core/conversation/input/reviewedChanges.js";
import {
  earlierConversation,
  newConversationId,
} from "../../core/conversation/store/conversationFile.js";
import { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import { UserError } from "../../core/errors.js";
import type { SandboxSettings } from "../../core/experts/expertSettings.js";
import type { ConversationId, LongWork } from "../../core/ids.js";
import { answeredWords, answerJob } from "../../core/jobs/answerJob.js";
import { newJobFile } from "../../core/jobs/documents/jobFolder.js";
import { type JobRun, outerLoop } from "../../core/jobs/work/outerLoop.js";
import { askedModel, everyProfile, unknownProfile } from "../../core/models/askedModel.js";
import type { ModelChoice, ModelProfile } from "../../core/models/modelProfile.js";
import { waitingModel } from "../../core/models/waitingModel.js";
import { type CommitMessage, commitMessage } from "../../core/navigator/commitMessage.js";
import type { Navigator } from "../../core/navigator/navigator.js";
import type { NavigatorDependencies } from "../../core/navigator/navigatorDependencies.js";
import type { NavigatorServices } from "../../core/navigator/navigatorServices.js";
import type { Given } from "../../core/navigator/requests/givenRequests.js";
import { plainSession, type SessionOutcome } from "../../core/navigator/running/plainSession.js";
import type { Drain } from "../../core/navigator/running/queueRunner.js";
import type { Outcome } from "../../core/navigator/tasks/outcome.js";
import { setUpWorktree } from "../../core/navigator/worktrees/worktreeSetup.js";
import type { LanguageModel, ModelRequest } from "../../core/ports/model.js";
import { findLayout, type RunLayout } from "../../core/runs/documents/runLayout.js";
import { RunStore } from "../../core/runs/documents/runStore.js";
import { type RunAction, carryOutRunAction, type RunActionEnd } from "../../core/runs/runAction.js";
import type { SpendLimits } from "../../core/spending/spending.js";
import type { Redactor } from "../../core/text/redactor.js";
import type { Beginning } from "../../core/work/requestedWork.js";
import { stoppedByUser } from "../../core/work/stop.js";
import type { GoingOn, WorkAnswer } from "../../core/work/work.js";
import type { GivenServers } from "../../node/mcp/mcpTools.js";
import { ServerModels } from "../../node/model/serverModels.js";
import { userFolder } from "../../node/user/userFolder.js";
import { createDependencies } from "../../runtime/dependencies.js";
import type { LocalServices } from "../../runtime/localServices.js";
import { Runtime } from "../../runtime/runtime.js";
import { createServices, type WebSettings } from "../../runtime/services.js";
import type { Approve } from "../arguments/options.js";
import { longWorks } from "./longWorks.js";
import { keyIn } from "./models.js";

/** A task on the command line has no limit of turns, because nobody is there to resume it: its budget limits it. */
const limits: AgentLimits = { turns: Infinity };

/** The turns of a job's lifecycle, as the editor's settings have them by default. */
const jobTurns: SettingDefault<"jobs.maxTurns"> = 60;

/** A job to run. `quota` is the number of turns of one lifecycle; `undefined`: {@link jobTurns}. */
export type JobOrder = Omit<JobRun, "startedBy" | "quota" | "onRecorded"> & {
  readonly quota: number | undefined;
};

/** A request that the Navigator has written down; `undefined` if it asks for nothing new. */
type Accepted = Awaited<ReturnType<Navigator["accept"]>>;

export interface SessionOptions {
  readonly root: string;
  readonly local: LocalServices;
  readonly models: ModelChoice;
  readonly approve: Approve;
  /** Spending limits. Default: none. */
  readonly spend?: SpendLimits;
  /** Rules that allow and deny commands. Default: none. */
  readonly commands?: CommandRules;
  /** The user's own hooks: see `ExpertSettings.hooks`. Default: none. */
  readonly hooks?: unknown;
  /** The sandbox settings. Default: the sandbox is used if the machine has one. */
  readonly sandbox?: SandboxSettings;
  readonly concurrency: number;
  /** Whether plans start by themselves. Default: `auto`. */
  readonly startPlans?: "auto" | "wait";
  /** Where a plan that begins works. Default: in the folder. */
  readonly isolation?: "none" | "worktree";
  /** The user's own command that prepares a new worktree or checkout. Default: none. */
  readonly worktreeSetup?: string | undefined;
  readonly dialect?: DialectChoice;
  readonly record?: boolean;
  readonly approver: Approver;
  /**
   * Carries out an action on runs by {@link Session.run}, and tells what can follow. Absent: no run can be begun here.
   *
   * @param directory the runs' directory as the person named it; `undefined`: the usual one
   */
  readonly onRun?: (
    action: RunAction,
    directory: string | undefined,
    begun: Beginning | undefined,
  ) => Promise<Outcome>;
  /** Web access of experts. Default: public addresses, and no search. */
  readonly web?: WebSettings;
  /** MCP servers besides those of the user's list. */
  readonly mcpServers?: GivenServers | undefined;
  /** Ends the MCP servers. Absent: the process's end does. */
  readonly ended?: AbortSignal;
  /** Redacts the keys that are in use. */
  readonly redactor: Redactor;
  /** Called before each request to a model, which waits for it. */
  readonly beforeRequest?: (request: ModelRequest) => Promise<void>;
  show(event: ConversationEvent): void;
  /** Called when the conversation's file cannot be written. */
  onJournalError(error: unknown): void;
}

/** Runs a Navigator, and records its conversation so that the editor's panel can show it later. */
export class Session {
  readonly navigator: Navigator;
  private conversation: ConversationId;
  private readonly conversations: ConversationStore;
  private readonly services: NavigatorServices;
  private stopping = new AbortController();
  private isStarting = false;
  private models: ModelChoice;
  private preset: ApprovalPreset;
  /** The task whose reminder is left out while {@link start} runs. */
  private about: string | undefined;

  constructor(private readonly options: SessionOptions) {
    const {
      root,
      local,
      approver,
      approve,
      concurrency,
      startPlans,
      isolation = "none",
      redactor,
      record = false,
    } = options;
    const spend = options.spend ?? { task: {}, day: {} };
    const commands = options.commands ?? { allow: [], deny: [] };
    const sandbox = options.sandbox ?? { enabled: "auto", allowedHosts: [] };
    const { categories } = approve;
    const { models, web = { privateHosts: [] }, onRun } = options;
    this.models = models;
    this.preset = approve.preset;
    const { env } = process;
    redactor.learn(...everyProfile(models).map(({ asked }) => keyIn(env, asked)));
    this.conversations = new ConversationStore(local.files, local.signer, (error) => {
      options.onJournalError(error);
    });
    this.conversation = newConversationId(local.clock, local.ids);
    const servers = new ServerModels((profile) => Promise.resolve(keyIn(env, profile)));
    const { beforeRequest } = options;
    const modelOf = (profile: ModelProfile): LanguageModel => {
      const model = servers.of(profile);
      return beforeRequest === undefined ? model : waitingModel(model, beforeRequest);
    };
    const asked = (slug?: string): ModelProfile => {
      const chosen = askedModel(this.models, slug);
      if (chosen.asked === undefined) throw unknownProfile(chosen.profile);
      return chosen.asked;
    };
    // Another model may be chosen while the session goes on.
    const current = (): LanguageModel => modelOf(asked());
    current();
    this.services = createServices({
      root,
      local,
      approver,
      redactor,
      userData: userFolder(env),
      mcpServers: options.mcpServers,
      ended: options.ended,
      web: () => web,
      model: {
        get name() {
          return current().name;
        },
        get contextTokens() {
          return current().contextTokens;
        },
        respond: (request, signal) => current().respond(request, signal),
      },
      modelNamed: (name) => modelOf({ ...asked(), model: name }),
      modelFor: (slug) => modelOf(asked(slug)),
      settings: () => ({
        preset: this.preset,
        categories,
        commands,
        sandbox,
        hooks: options.hooks,
        limits,
        spend,
        concurrency,
        ...(startPlans && { startPlans }),
        isolation,
        worktreeSetup: options.worktreeSetup ?? "",
        record,
        dialectFor: (slug) =>
          options.dialect === undefined || options.dialect === "auto"
            ? (asked(slug).dialect ?? "auto")
            : options.dialect,
        contextTokensFor: (slug) => asked(slug).contextTokens,
      }),
      works: {
        job: {
          create: (job) => newJobFile(local.files, local.signer, { ...job, dirs: [] }),
          begin: ({ job: { until, ...job } }, _signal, _conversation, begun) => {
            const given = until === undefined ? {} : { until: new Date(until) };
            return this.job({ runners: 1, quota: undefined, ...job, ...given }, begun);
          },
        },
        ...(onRun && {
          run: {
            begin: ({ run: { request, isSimple, directory } }, _signal, _conversation, begun) =>
              onRun({ type: "start", request, isSimple }, directory, begun),
          },
        }),
        asked: {
          list: () => longWorks(local, waits),
          answer: (work, id, answer, _signal, begun) => this.answerWork(work, id, answer, begun),
        },
      },
      emit: (event, conversation) => {
        this.emit(event, conversation ?? this.conversation);
      },
    });
    this.navigator = new Runtime(this.services).navigator;
  }

  /**
   * Runs the user's setup command in the folder, if there is one.
   *
   * @throws {UserError} with what it printed, if it fails
   */
  async setUp(signal: AbortSignal): Promise<void> {
    const { worktreeSetup: command = "", sandbox } = this.options;
    if (command.trim() === "") return;
    await setUpWorktree(this.services, { command, sandbox, signal });
  }

  /** Answers one message in a plain session. It is not recorded in the conversation's file. */
  agent(text: string, session: string | undefined): Promise<SessionOutcome> {
    return plainSession(
      this.unrecorded(),
      { text: this.options.redactor.text(text), session },
      this.stopping.signal,
    );
  }

  /**
   * Runs a job that a person has named. It is recorded in the job's log, not in the conversation's file. The end codes of jobs are
   * those of the command line: 0 done, 1 failed, 2 waiting (R-JIXO-29).
   *
   * @param begun what {@link accept} has returned for it
   */
  async job({ quota = jobTurns, ...given }: JobOrder, begun?: Beginning): Promise<Outcome> {
    const { experts, files, lock, publisher, planHosts } = this.unrecorded();
    await this.services.shell.endOrphaned();
    const end = await outerLoop(
      { ...given, startedBy: "person", quota, onRecorded: async () => begun?.end() },
      { experts, files, lock, publisher, worktrees: planHosts?.forJobs },
      this.stopping.signal,
    );
    publisher.notice(end.code === 0 ? "info" : "warning", end.reason);
    return { status: (["done", "failed", "waiting"] as const)[end.code] };
  }

  /**
   * Carries out an action on runs. It is recorded in the runs' tables, not in the conversation's file.
   *
   * @param begun what {@link accept} has returned for it
   */
  async run(action: RunAction, layout: RunLayout, begun?: Beginning): Promise<RunActionEnd> {
    const { experts, files, lock, publisher } = this.unrecorded();
    const messages: string[] = [];
    const say = (text: string): void => {
      messages.push(text);
      publisher.notice("info", text);
    };
    await this.services.shell.endOrphaned();
    const store = new RunStore(files, lock, layout);
    const taken = this.options.redactor.each(action);
    const end = await carryOutRunAction(
      taken,
      store,
      { experts, files, lock, publisher, say },
      this.stopping.signal,
      begun,
    );
    const isTold = messages.length > 0 && (end.runId === undefined || end.status === "done");
    if (!isTold) publisher.notice(end.status === "done" ? "info" : "warning", end.reason);
    return end;
  }

  /** Answers a question of a job, whose runners find the answer in its file, or a proposal; then the run goes on. */
  private async answerWork(
    work: LongWork,
    id: string,
    answer: WorkAnswer,
    begun: Beginning | undefined,
  ): Promise<Outcome> {
    const { local } = this.options;
    const { kind, name } = work;
    if (answer.type === "TEXT") {
      const job = await answerJob(id, answer.text, local);
      if (job === undefined) throw notAsked(id);
      await begun?.end();
      this.unrecorded().publisher.notice("info", answeredWords(job));
      return { status: "done" };
    }
    if (answer.type === "RETRY" || answer.type === "SKIP" || answer.type === "RESUME") {
      return this.goOn(work, answer.type, begun);
    }
    const asking = (await longWorks(local, waits)).find(
      ({ ref, needs }) =>
        ref.kind === kind && ref.name === name && needs.some((one) => one.id === id),
    );
    if (asking?.ref.kind !== "run") throw notAsked(id);
    return this.decide({ type: "decide", runId: asking.ref.name, decision: answer }, begun);
  }

  /** Has a job or a run go on that nobody works on. */
  private async goOn(
    { kind, name }: LongWork,
    type: GoingOn,
    begun: Beginning | undefined,
  ): Promise<Outcome> {
    const found = (await longWorks(this.options.local)).find(
      ({ ref }) => ref.kind === kind && ref.name === name,
    );
    if (found?.stopped?.goesOn.includes(type) !== true || found.isForeign) throw notAsked(name);
    if (found.ref.kind === "job") {
      return this.job({ name: found.ref.name, runners: 1, quota: undefined }, begun);
    }
    const runId = found.ref.name;
    return this.decide(
      type === "RESUME" ? { type: "resume", runId } : { type: "decide", runId, decision: { type } },
      begun,
    );
  }

  private async decide(action: RunAction, begun: Beginning | undefined): Promise<Outcome> {
    const { local, onRun } = this.options;
    if (onRun !== undefined) return onRun(action, undefined, begun);
    const { status } = await this.run(action, await findLayout(local.files, undefined), begun);
    return { status: status === "done" || status === "failed" ? status : "waiting" };
  }

  /** Writes a message for a commit; see `commitMessage`. */
  commitMessage(): Promise<CommitMessage> {
    return commitMessage(this.unrecorded().experts, this.stopping.signal);
  }

  /** Creates dependencies whose events are shown but not recorded in the conversation's file. */
  private unrecorded(): NavigatorDependencies {
    const { clock, ids, redactor } = this.services;
    const show = (event: ConversationEvent): void => {
      this.options.show(event);
    };
    return createDependencies(this.services, new EventPublisher(clock, ids, show, redactor));
  }

  /** The models, and which of them is asked from now on. */
  get modelChoice(): ModelChoice {
    return this.models;
  }

  /** Has a profile's model asked from now on; `""` for that without a profile. It must be one of the choice's. */
  chooseProfile(profile: string): void {
    this.models = { ...this.models, profile };
  }

  /** The preset that says what may run without approval; rules for categories stay. */
  get approvals(): ApprovalPreset {
    return this.preset;
  }

  chooseApprovals(preset: ApprovalPreset): void {
    this.preset = preset;
  }

  /** Stops what runs here; resolves when it has ended. What is begun later is not stopped. */
  async stop(): Promise<void> {
    const reason = stoppedByUser();
    this.stopping.abort(reason);
    this.stopping = new AbortController();
    await this.navigator.stopOwn(reason);
  }

  /**
   * Recovers after a crash, and gives the recorded conversation to the Navigator.
   *
   * @param conversation the one to go on with; absent: a new one
   * @param about the task that this command resumes anyway, so that its reminder is left out
   */
  async start(conversation?: ConversationId, about?: string): Promise<void> {
    this.conversation = conversation ?? this.conversation;
    const { events, foreign } = await this.conversations.journal(this.conversation).load();
    this.navigator.recall(events, this.conversation);
    this.about = about;
    this.isStarting = true;
    await this.navigator.recover((questionId, where) => this.isShown(questionId, where), {
      goOn: false,
      foreignMessages: foreign,
    });
    this.isStarting = false;
    this.about = undefined;
    // On the command line, `ask` always makes a request; a brainstorm is continued with `answer`.
    this.navigator.leaveBrainstorm(this.conversation);
  }

  /** The conversation's id. */
  get id(): ConversationId {
    return this.conversation;
  }

  /**
   * Takes what the user says, in the conversation.
   *
   * @param expert the slug of the expert that is to do it; absent: triage decides
   */
  say(
    text: string,
    attachments: readonly Attachment[],
    { expert, accepted }: { readonly expert?: string; readonly accepted?: Accepted } = {},
  ): Promise<Outcome> {
    return this.navigator.say(text, this.conversation, attachments, { expert, accepted });
  }

  /**
   * Writes a request down before the session starts, so that nothing that happens then can hide it. Runs and jobs that are
   * named by a command are in no conversation.
   */
  accept(given: Given, conversation?: ConversationId): Promise<Accepted> {
    const said = given.kind === "say" ? (conversation ?? this.conversation) : undefined;
    return this.navigator.accept(given, said);
  }

  /** Has changes reviewed, in the conversation. */
  review(changes: ReviewedChanges): Promise<Outcome> {
    return this.navigator.act({ action: "review", changes }, this.conversation);
  }

  /** Works off the queue; see {@link Navigator.proceed}. */
  proceed({ one, done }: Pick<Drain, "one" | "done">): Promise<Outcome> {
    return this.navigator.proceed({ one, done }, this.conversation);
  }

  private async isShown(questionId: string, where: ConversationId | undefined): Promise<boolean> {
    const journal = this.conversations.journal(where ?? earlierConversation);
    const { events } = await journal.load();
    return events.some((event) => event.type === "question" && event.questionId === questionId);
  }

  /** Resolves when all events so far are in the conversations' files, or could not be written. */
  flush(): Promise<void> {
    return this.conversations.flush();
  }

  private emit(event: ConversationEvent, conversation: ConversationId): void {
    if (event.type === "notice") {
      const isReminder = event.steps.some(
        (step) =>
          step.type === "action" &&
          step.action.action === "resume" &&
          step.action.taskId === this.about,
      );
      if (isReminder) return;
    }
    // Reminders are given each time, and would fill the conversations.
    const isReminder = this.isStarting && event.type === "notice" && event.topic !== undefined;
    if (!isReminder) this.conversations.append(conversation, event);
    this.options.show(event);
  }
}

/** Returns whether a run may wait for a person: for an answer, or to go on as the last one. */
function waits(status: string, isNewest: boolean): boolean {
  return status === "AWAITING_CONFIRMATION" || isNewest;
}

function notAsked(id: string): UserError {
  return new UserError(
    "nothingAsked",
    "Nothing here asks {id} now. Look with rooroo status at what waits.",
    { id },
  );
}
