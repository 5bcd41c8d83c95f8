import * as vscode from "vscode";
import type { TaskChanges } from "../../core/changes/taskChanges.js";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import { inLanguage } from "../../core/conversation/events/eventWords.js";
import {
  earlierConversation,
  newConversationId,
} from "../../core/conversation/store/conversationFile.js";
import { ConversationStore } from "../../core/conversation/store/conversationStore.js";
import type { LoadedConversation } from "../../core/conversation/store/journal.js";
import { WorkConversations } from "../../core/conversation/store/workConversations.js";
import { saidBy, UserError } from "../../core/errors.js";
import type { ConversationId, TaskId } from "../../core/ids.js";
import type { Navigator } from "../../core/navigator/navigator.js";
import type { NavigatorDependencies } from "../../core/navigator/navigatorDependencies.js";
import type { NavigatorServices } from "../../core/navigator/navigatorServices.js";
import type { Overview } from "../../core/navigator/overview/overview.js";
import type { Outcome } from "../../core/navigator/tasks/outcome.js";
import { whileNotRunning } from "../../core/navigator/tasks/whileNotRunning.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { Lock } from "../../core/ports/locks.js";
import type { TeamLink } from "../../core/team/teamLink.js";
import { type Said, spoken, words } from "../../core/text/words.js";
import type { Beginning, RequestedWork } from "../../core/work/requestedWork.js";
import { t } from "../text/words.js";
import type { Conversation } from "./conversation.js";
import { Conversations, type ConversationsOptions } from "./conversations.js";
import type { FollowedOthers } from "./followOthers.js";
import type { ResumableWork } from "./resumableWork.js";
import type { Resumable } from "./resumeStore.js";
import { SessionWorks, type WorkLoader } from "./sessionWorks.js";
import type { WorkRequests } from "./workRequests.js";

/** The services of the machine that a session needs from the start. */
export type SessionServices = Pick<
  NavigatorServices,
  "files" | "signer" | "lock" | "clock" | "ids"
>;

/** The plans of a session's folder that other machines work on. */
interface SessionTeam {
  /** Returns access to the team. Throws a `UserError` if there is no address, or the database cannot be used. */
  link(): Promise<TeamLink>;
  /** Asks the team how far the plans are, at once. Throws a `UserError` if that cannot be. */
  refresh(): Promise<void>;
  /** Answers the question of a task. Returns `false` if no task with this id is on another machine. */
  answer(taskId: TaskId, text: string): Promise<boolean>;
  /** Has the team forget plans that have landed or were discarded here, if it can be reached. */
  tidy(): Promise<void>;
  /** Ends what is followed, and the connection, without telling anything. */
  end(): Promise<void>;
}

/** The runtime of a session. It is most of the product, and loaded when it is first needed. */
export interface SessionRuntime extends WorkLoader {
  readonly navigator: Navigator;
  /** The plans that other machines work on. */
  readonly team: SessionTeam;
  /** Returns what is here, and what is away. */
  overview(): Promise<Overview>;
  /** The dependencies that jobs and runs share with the Navigator: their work counts as its own. */
  readonly dependencies: Pick<NavigatorDependencies, "experts" | "files" | "lock" | "publisher">;
  /** Ends the MCP servers. None is started any more. */
  end(): Promise<void>;
}

/** Loads a session's runtime. */
export interface SessionLoader {
  /** Creates the runtime. */
  runtime(
    options: Pick<NavigatorServices, "emit" | "works"> & {
      readonly conversations: Conversations;
    },
  ): Promise<SessionRuntime>;
  /** Returns the changes of tasks, as the files have them at this moment. */
  changes(): Promise<TaskChanges>;
}

/** Something that has just happened, and the conversation that shows it. */
export interface EmittedEvent {
  readonly event: ConversationEvent;
  readonly conversation: ConversationId;
}

/** The name under which it is recorded that tasks are under way; which ones, their own files tell. */
const tasks = { name: "tasks" };

const nothing: Overview = { tasks: [], problems: [], modeProblems: [], experts: [], plans: [] };

/**
 * A Navigator at work in one folder: events are kept in the journal, shown in the conversation and
 * passed on to lists. Nothing is read or run before {@link start}.
 */
export class WorkspaceSession implements vscode.Disposable {
  readonly conversations: Conversations;
  private readonly emitted = new vscode.EventEmitter<EmittedEvent>();
  /** Fires for everything that happens from now on; not for the conversation so far. */
  readonly onDidEmit = this.emitted.event;
  private readonly tasksChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeTasks = this.tasksChanged.event;
  private readonly didStart = new vscode.EventEmitter<void>();
  readonly onDidStart = this.didStart.event;
  /** The jobs and runs. */
  readonly works: SessionWorks;
  private started: Promise<void> | undefined;
  private restored = false;
  private loading: Promise<SessionRuntime> | undefined;
  /** The Navigator, once it is loaded. */
  private loaded: Navigator | undefined;
  private wasBusy = false;
  /** While the session starts: whether nothing runs that another process would go on with. */
  private atRest: Promise<boolean> | undefined;
  private foreignMessages = 0;
  private followed: Promise<FollowedOthers> | undefined;

  constructor(
    readonly folder: vscode.Uri,
    private readonly services: SessionServices,
    private readonly loader: SessionLoader,
    /** Receives the jobs and runs that the Navigator wants to begin. */
    private readonly requests: WorkRequests,
    kept: ConversationsOptions["kept"],
    private readonly log: vscode.LogOutputChannel,
    /** Has an entry while the Navigator is busy. */
    private readonly work: ResumableWork<Resumable>,
    /** The id of this process. */
    private readonly pid: number,
  ) {
    const { files, signer, clock, ids } = services;
    const store = new ConversationStore(files, signer, (error) => {
      this.notice(
        "warning",
        words("The conversation cannot be saved: {problem}", { problem: saidBy(error) }),
      );
    });
    this.works = new SessionWorks(() => this.runtime(), files);
    this.conversations = new Conversations({
      store,
      works: new WorkConversations(files, signer),
      newId: () => newConversationId(clock, ids),
      kept,
      prepare: (conversation, loaded) => this.prepare(conversation, loaded),
    });
  }

  /** Returns the session's runtime; loaded at the first call, because an unused workspace needs none. */
  runtime(): Promise<SessionRuntime> {
    return (this.loading ??= this.load());
  }

  private async load(): Promise<SessionRuntime> {
    const runtime = await this.loader.runtime({
      conversations: this.conversations,
      emit: (event, conversation) => {
        this.emit(event, conversation);
      },
      works: {
        job: {
          create: async (job) => (await this.works.jobs()).create({ ...job, dirs: [] }),
          begin: (work, _signal, conversation, given) => this.begin(work, conversation, given),
        },
        run: {
          begin: (work, _signal, conversation, given) => this.begin(work, conversation, given),
        },
        asked: {
          list: (conversation) => {
            const works = this.requests.works();
            return Promise.resolve(
              works.filter(({ ref }) => this.conversations.mayShow(ref, conversation)),
            );
          },
          answer: async (work, id, answer, _signal, begun) => {
            await this.requests.answer(work, id, answer);
            await begun?.end();
            return { status: "done" };
          },
        },
      },
    });
    this.loaded = runtime.navigator;
    return runtime;
  }

  /** Has long work begin; resolves when its own records show it, or when it could not be begun. */
  private async begin(
    work: RequestedWork,
    conversation: ConversationId | undefined,
    given: Beginning | undefined,
  ): Promise<Outcome> {
    await new Promise<void>((resolve) => {
      const begun: Beginning = {
        became: given?.became,
        becomes: async (id) => given?.becomes(id),
        leave: async () => given?.leave(),
        end: async () => {
          await given?.end();
          resolve();
        },
      };
      this.requests.request({ work, conversation, begun });
    });
    return { status: "done" };
  }

  async navigator(): Promise<Navigator> {
    return (await this.runtime()).navigator;
  }

  /** Returns whether something runs here that can be stopped. */
  busy(): boolean {
    return this.loaded?.busy ?? false;
  }

  /** Returns the slug of the expert that receives plain messages of a conversation during a brainstorm, else `null`. */
  talkingTo(conversation: ConversationId): string | null {
    return this.loaded?.talkingTo(conversation) ?? null;
  }

  get files(): FileSystem {
    return this.services.files;
  }

  /** The services with which the state of tasks is read and written. */
  get stores(): Pick<SessionServices, "files" | "clock" | "signer"> {
    return this.services;
  }

  get lock(): Lock {
    return this.services.lock;
  }

  /** Returns the changes of tasks, as the files have them at this moment. */
  changes(): Promise<TaskChanges> {
    return this.loader.changes();
  }

  /** Runs `work` on the results of tasks, while no process works on these tasks. */
  whileNotRunning<T>(taskIds: readonly TaskId[], work: () => Promise<T>): Promise<T> {
    return whileNotRunning(taskIds, this.services.lock, work);
  }

  /**
   * Shows the conversation so far, and recovers work that a crash interrupted. Runs once; never
   * rejects.
   */
  start(): Promise<void> {
    return (this.started ??= this.restore().then(() => {
      this.restored = true;
      this.followed = this.followOthers();
      this.didStart.fire();
    }));
  }

  private async followOthers(): Promise<FollowedOthers> {
    const { followOthers } = await import("./followOthers.js");
    const { folder, conversations, log, pid, tasksChanged } = this;
    const isBusy = () => this.busy();
    const showAgain = () => this.showConversation();
    const parts = { folder, conversations, log, pid, isBusy, showAgain, tasksChanged };
    return followOthers({ ...this.services, ...parts });
  }

  /** Whether the conversation so far is known. */
  get isStarted(): boolean {
    return this.restored;
  }

  /** Starts without waiting for the panel to be opened, if a crash or a reload has interrupted tasks here. */
  async resume(): Promise<void> {
    const [resume] = await this.work.interrupted({
      // Recovery itself waits for the process before, task by task.
      claim: () => Promise.resolve(() => Promise.resolve()),
      resume: () => this.start(),
    });
    await resume?.();
  }

  /**
   * Lets the Navigator do something. The promise lasts as long as the work and never rejects: errors
   * are shown in the conversation.
   *
   * @param conversation returns the one in which errors are shown; absent: the side bar's
   */
  async run(
    work: (navigator: Navigator) => Promise<unknown>,
    conversation: () => ConversationId = () => this.conversations.current.id,
  ): Promise<void> {
    try {
      await this.start();
      await work(await this.navigator());
    } catch (error) {
      this.tellError(error, conversation());
    }
  }

  /** Returns the tasks from the files, and updates the conversation while another process works. */
  async overview(): Promise<Overview> {
    if (this.loading === undefined && !(await this.has(".rooroo", ".roomodes"))) return nothing;
    const overview = await (await this.runtime()).overview();
    await (await this.followed)?.look(overview);
    return overview;
  }

  /** Shows the open conversations from their files. Returns `false` while work runs here, which is shown anyway. */
  showConversation(): Promise<boolean> {
    return this.conversations.reload(
      () => !this.busy(),
      (id, { events }) => this.loaded?.recall(events, id),
    );
  }

  /** Stops everything that runs, including the processes of commands, and waits for the journal. */
  async stop(): Promise<void> {
    await (await this.loading)?.navigator.stop();
    await this.conversations.store.flush();
  }

  /**
   * Interrupts everything that runs, for a window that closes or reloads; {@link start} resumes it in
   * the next window. The session must not be used afterwards.
   */
  async suspend(): Promise<void> {
    this.work.dispose();
    const runtime = await this.loading;
    const closed = new UserError("windowClosed", "The window was closed or loaded anew");
    // The Navigator is suspended first, so that it reports nothing of what the others stop.
    await Promise.all([
      runtime?.navigator.suspend(),
      runtime?.team.end(),
      this.works.stopOwn(closed),
    ]);
    // Some of the servers would not notice by themselves that nobody talks with them any more.
    await Promise.all([runtime?.end(), this.conversations.store.flush()]);
  }

  dispose(): void {
    void this.followed?.then((followed) => {
      followed.dispose();
    });
    this.conversations.dispose();
    this.emitted.dispose();
    this.tasksChanged.dispose();
    this.works.dispose();
    this.didStart.dispose();
  }

  /** Stores an event as it is, and tells of it in the editor's language. */
  private emit(stored: ConversationEvent, conversation?: ConversationId): void {
    const where = this.conversations.add(stored, conversation);
    const event = inLanguage(stored, t);
    this.emitted.fire({ event, conversation: where });
    this.works.tell(event);
    if (event.type !== "tasksChanged") return;
    this.tasksChanged.fire();
    const busy = this.busy();
    if (busy === this.wasBusy) return;
    this.wasBusy = busy;
    this.work.update(tasks.name, busy ? tasks : undefined);
  }

  private async restore(): Promise<void> {
    try {
      // Opening a workspace must not write to it: without `.rooroo` there is nothing to recover.
      if (!(await this.has(".rooroo"))) return;
      const goOn = this.work.isRecorded(tasks.name);
      this.atRest = this.isAtRest(goOn);
      await this.conversations.restore();
      const navigator = await this.navigator();
      await navigator.recover((questionId, id) => this.isShown(questionId, id), {
        goOn: await goOn,
        foreignMessages: this.foreignMessages,
      });
    } catch (error) {
      this.tellError(error);
    } finally {
      this.atRest = undefined;
    }
  }

  /** Returns whether no other process works here that is to go on, when the session starts. */
  private async isAtRest(goOn: Promise<boolean>): Promise<boolean> {
    const { holder, other } = await (await this.navigator()).overview();
    // Work of another process continues, unless that process is only the previous window, about to end.
    return (await goOn) || (holder === undefined && other === undefined);
  }

  /** Readies a conversation that was read from its file: for the panel, and for the Navigator's triage. */
  private async prepare(conversation: Conversation, loaded: LoadedConversation): Promise<void> {
    this.foreignMessages += loaded.foreign;
    const navigator = await this.navigator();
    navigator.recall(loaded.events, conversation.id);
    conversation.offerUnfinished();
    if (this.atRest === undefined) await this.settleEnded(conversation);
    else if (await this.atRest) conversation.settle();
  }

  /** Marks as ended what the conversation shows as running and no process works on. */
  private async settleEnded(conversation: Conversation): Promise<void> {
    const { state } = conversation;
    const shown = state.items.flatMap((item) =>
      state.live.has(item.id) && "taskId" in item && item.taskId !== null
        ? [{ taskId: item.taskId, work: item.work }]
        : [],
    );
    if (shown.length === 0) return;
    const overview = await (await this.runtime()).overview();
    const atWork = new Set(
      overview.tasks
        .filter((task) => task.state === "running" || task.state === "needsYou")
        .map(({ taskId }) => taskId),
    );
    for (const { taskId, work } of shown) {
      const isAtWork = work === undefined ? atWork.has(taskId) : await this.works.isHere(work);
      if (!isAtWork) conversation.settle(taskId);
    }
  }

  private async has(...paths: readonly string[]): Promise<boolean> {
    const found = await Promise.all(paths.map((path) => this.services.files.stat(path)));
    return found.some((entry) => entry !== undefined);
  }

  private async isShown(questionId: string, id: ConversationId | undefined): Promise<boolean> {
    const { current, store } = this.conversations;
    if (current.state.positions.has(questionId)) return true;
    const where = id ?? earlierConversation;
    if (where === current.id) return false;
    const { events } = await store.journal(where).load();
    return events.some((event) => event.type === "question" && event.questionId === questionId);
  }

  private tellError(error: unknown, conversation?: ConversationId): void {
    if (error instanceof UserError) {
      this.notice("error", saidBy(error), conversation);
      return;
    }
    this.log.error(error instanceof Error ? error : String(error));
    this.notice(
      "error",
      words(
        "Something went wrong in Rooroo itself: {problem}. The output channel “Rooroo” has the details.",
        { problem: saidBy(error) },
      ),
      conversation,
    );
  }

  /** Shows a notice in a conversation; absent: in the side bar's. */
  notice(level: "info" | "warning" | "error", said: Said, conversation?: ConversationId): void {
    const id = `n-${this.services.ids.hex(12)}`;
    const words = typeof said === "string" ? {} : { said: { text: said } };
    this.tell({ type: "notice", id, level, text: spoken(said), steps: [], ...words }, conversation);
  }

  /** Adds an event of this window to a conversation, with the current time; see {@link Conversations.add}. */
  tell(event: WithoutTime<ConversationEvent>, conversation?: ConversationId): void {
    this.emit({ at: this.services.clock.now().toISOString(), ...event }, conversation);
  }
}

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;
