import * as vscode from "vscode";
import type { TaskChanges } from "../../core/changes/taskChanges.js";
import type { ConversationEvent } from "../../core/conversation/events.js";
import { ConversationJournal } from "../../core/conversation/journal.js";
import { UserError } from "../../core/errors.js";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import type { Jobs } from "../../core/jobs/jobs.js";
import type { Runs } from "../../core/runs/runs.js";
import type { Navigator } from "../../core/navigator/navigator.js";
import { whileAtRest } from "../../core/navigator/whileAtRest.js";
import type { NavigatorDependencies } from "../../core/navigator/navigatorDependencies.js";
import type { NavigatorServices } from "../../core/navigator/navigatorServices.js";
import type { Overview } from "../../core/navigator/overview.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { Lock } from "../../core/ports/locks.js";
import { errorText } from "../errors/errorText.js";
import type { Conversation } from "./conversation.js";
import type { ResumableWork } from "./resumableWork.js";
import type { Resumable } from "./resumeStore.js";
import type { WorkRequests } from "./workRequests.js";
import type { RunId, TaskId } from "../../core/ids.js";

/** The services of the machine that a session needs from the start. */
export type SessionServices = Pick<
  NavigatorServices,
  "files" | "signer" | "documents" | "lock" | "clock" | "ids"
>;

/** The runtime of a session. It is most of the product, and loaded when it is first needed. */
export interface SessionRuntime {
  readonly navigator: Navigator;
  /** The dependencies that jobs and runs share with the Navigator: their work counts as its own. */
  readonly dependencies: Pick<NavigatorDependencies, "experts" | "files" | "lock" | "publisher">;
  /** Creates the jobs, which share the Navigator's experts and report to its conversation. */
  jobs(): Promise<Jobs>;
  /**
   * Creates the runs, in the same way as {@link jobs}.
   *
   * @param say called with each message of a run to the user; cards show it
   */
  runs(say: (runId: RunId, text: string) => void): Promise<Runs>;
}

/** Loads a session's runtime. */
export interface SessionLoader {
  /** Creates the runtime. */
  runtime(options: Pick<NavigatorServices, "emit" | "jobs" | "runs">): Promise<SessionRuntime>;
  /** Returns the changes of tasks, as the files have them at this moment. */
  changes(): Promise<TaskChanges>;
}

/** A message that a run addresses to the user. */
export interface RunMessage {
  readonly runId: RunId;
  /** Markdown. */
  readonly text: string;
}

/** The name under which it is recorded that tasks are under way; which ones, their own files tell. */
const tasks = { name: "tasks" };

const nothing: Overview = { tasks: [], problems: [], modeProblems: [], plans: [] };

/**
 * A Navigator at work in one folder: events are kept in the journal, shown in the conversation and
 * passed on to lists. Nothing is read or run before {@link start}.
 */
export class WorkspaceSession implements vscode.Disposable {
  private readonly journal: ConversationJournal;
  private readonly tasksChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeTasks = this.tasksChanged.event;
  private readonly didStart = new vscode.EventEmitter<void>();
  readonly onDidStart = this.didStart.event;
  private readonly jobsChanged = new vscode.EventEmitter<ConversationEvent>();
  /** Fires for events of jobs; of their agents' events only for token usage. */
  readonly onDidChangeJobs = this.jobsChanged.event;
  private readonly runsChanged = new vscode.EventEmitter<ConversationEvent>();
  /** Fires for events of runs; of their agents' events only for token usage. */
  readonly onDidChangeRuns = this.runsChanged.event;
  private readonly runSaid = new vscode.EventEmitter<RunMessage>();
  readonly onRunMessage = this.runSaid.event;
  private started: Promise<void> | undefined;
  private restored = false;
  private loadingJobs: Promise<Jobs> | undefined;
  private loadingRuns: Promise<Runs> | undefined;
  private loading: Promise<SessionRuntime> | undefined;
  /** The Navigator, once it is loaded. */
  private loaded: Navigator | undefined;
  /** Whether another process worked here when the overview was last read. */
  private following = false;
  private wasBusy = false;

  constructor(
    readonly folder: vscode.Uri,
    private readonly services: SessionServices,
    private readonly loader: SessionLoader,
    /** Receives the jobs and runs that the Navigator wants to begin. */
    private readonly requests: WorkRequests,
    private readonly conversation: Conversation,
    private readonly log: vscode.LogOutputChannel,
    /** Has an entry while the Navigator is busy. */
    private readonly work: ResumableWork<Resumable>,
    /** The id of this process. */
    private readonly pid: number,
  ) {
    this.journal = new ConversationJournal(services.files, services.signer, (error) => {
      this.notice(
        "warning",
        vscode.l10n.t("The conversation cannot be saved: {0}", errorText(error)),
      );
    });
  }

  /** Returns the session's runtime; loaded at the first call, because an unused workspace needs none. */
  runtime(): Promise<SessionRuntime> {
    return (this.loading ??= this.load());
  }

  private async load(): Promise<SessionRuntime> {
    const runtime = await this.loader.runtime({
      emit: (event) => {
        this.emit(event);
      },
      jobs: {
        create: async (job) => (await this.jobs()).create({ ...job, dirs: [] }),
        run: (name) => {
          this.requests.requestJob(name);
          return Promise.resolve({ status: "done" });
        },
      },
      runs: {
        start: (request) => {
          this.requests.requestRun(request);
          return Promise.resolve({ status: "done" });
        },
      },
    });
    this.loaded = runtime.navigator;
    return runtime;
  }

  async navigator(): Promise<Navigator> {
    return (await this.runtime()).navigator;
  }

  /** Loaded at the first call. */
  jobs(): Promise<Jobs> {
    return (this.loadingJobs ??= this.loadJobs());
  }

  private async loadJobs(): Promise<Jobs> {
    return (await this.runtime()).jobs();
  }

  /** Loaded at the first call. */
  runs(): Promise<Runs> {
    return (this.loadingRuns ??= this.loadRuns());
  }

  private async loadRuns(): Promise<Runs> {
    return (await this.runtime()).runs((runId, text) => {
      this.runSaid.fire({ runId, text });
    });
  }

  /** Returns the jobs, as their files and locks have them now, whichever process runs them. */
  async jobOverviews(): Promise<readonly JobOverview[]> {
    const entries = await this.services.files.readDirectory(".jixo");
    if (!entries.some(({ name }) => /\.(job|task)\.md$/.test(name))) return [];
    return (await this.jobs()).overviews();
  }

  /** Returns whether something runs here that can be stopped. */
  busy(): boolean {
    return this.loaded?.busy ?? false;
  }

  /** The slug of the expert that receives plain messages during a brainstorm; `null` otherwise. */
  get talkingTo(): string | null {
    return this.loaded?.talkingTo ?? null;
  }

  get files(): FileSystem {
    return this.services.files;
  }

  get lock(): Lock {
    return this.services.lock;
  }

  /** Returns the changes of tasks, as the files have them at this moment. */
  changes(): Promise<TaskChanges> {
    return this.loader.changes();
  }

  /** Runs `work` on the results of tasks, while no process works on these tasks. */
  whileAtRest<T>(taskIds: readonly TaskId[], work: () => Promise<T>): Promise<T> {
    return whileAtRest(taskIds, this.services.lock, work);
  }

  /**
   * Shows the conversation so far, and recovers work that a crash interrupted. Runs once; never
   * rejects.
   */
  start(): Promise<void> {
    return (this.started ??= this.restore().then(() => {
      this.restored = true;
      this.didStart.fire();
    }));
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
   */
  async run(work: (navigator: Navigator) => Promise<unknown>): Promise<void> {
    try {
      await this.start();
      await work(await this.navigator());
    } catch (error) {
      this.tellError(error);
    }
  }

  /** Returns the tasks from the files, and updates the conversation while another process works. */
  async overview(): Promise<Overview> {
    if (this.loading === undefined && !(await this.has(".rooroo", ".roomodes"))) return nothing;
    const overview = await (await this.navigator()).overview();
    await this.follow(overview);
    return overview;
  }

  /** Reloads the conversation while another process works on the queue or a task, and once afterwards. */
  private async follow({ holder, other }: Overview): Promise<void> {
    if (this.started === undefined || this.busy()) return;
    const elsewhere = [holder, other].some((one) => one !== undefined && one.pid !== this.pid);
    const ended = this.following && !elsewhere;
    this.following = elsewhere;
    if (!elsewhere && !ended) return;
    await this.showConversation();
    if (ended && !this.busy()) this.conversation.settle();
  }

  /** Shows the conversation from its file. Returns `false`, with nothing changed, while work runs here. */
  async showConversation(): Promise<boolean> {
    await this.journal.flush();
    const { events } = await this.journal.load();
    // Work that began here while the file was read is shown as it happens, and would be removed.
    if (this.busy()) return false;
    this.conversation.replace(events);
    return true;
  }

  /** Stops everything that runs, including the processes of commands, and waits for the journal. */
  async stop(): Promise<void> {
    await (await this.loading)?.navigator.stop();
    await this.journal.flush();
  }

  /**
   * Interrupts everything that runs, for a window that closes or reloads; {@link start} resumes it in
   * the next window. The session must not be used afterwards.
   */
  async suspend(): Promise<void> {
    this.work.dispose();
    const [runtime, jobs, runs] = await Promise.all([
      this.loading,
      this.loadingJobs,
      this.loadingRuns,
    ]);
    const closed = new UserError("windowClosed", "The window was closed or loaded anew");
    // The Navigator is suspended first, so that it reports nothing of what the others stop.
    await Promise.all([runtime?.navigator.suspend(), jobs?.stopOwn(closed), runs?.stopOwn(closed)]);
    await this.journal.flush();
  }

  dispose(): void {
    this.tasksChanged.dispose();
    this.jobsChanged.dispose();
    this.runsChanged.dispose();
    this.runSaid.dispose();
    this.didStart.dispose();
  }

  private emit(event: ConversationEvent): void {
    this.journal.append(event);
    if (event.work !== undefined && (event.type !== "agent" || event.event.type === "usage")) {
      const changed = { job: this.jobsChanged, run: this.runsChanged }[event.work.kind];
      changed.fire(event);
    }
    if (event.type !== "tasksChanged") {
      this.conversation.add(event);
      return;
    }
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
      const { events, foreign } = await this.journal.load();
      this.conversation.add(...events);
      const navigator = await this.navigator();
      navigator.recall(events);
      const goOn = await this.work.isRecorded(tasks.name);
      const { holder, other } = await navigator.overview();
      // Work of another process continues, unless that process is only the previous window, about to end.
      if (goOn || (holder === undefined && other === undefined)) this.conversation.settle();
      await navigator.recover((questionId) => this.isShown(questionId), {
        goOn,
        foreignMessages: foreign,
      });
    } catch (error) {
      this.tellError(error);
    }
  }

  private async has(...paths: readonly string[]): Promise<boolean> {
    const found = await Promise.all(paths.map((path) => this.services.files.stat(path)));
    return found.some((entry) => entry !== undefined);
  }

  private isShown(questionId: string): boolean {
    return this.conversation.state.positions.has(questionId);
  }

  private tellError(error: unknown): void {
    if (error instanceof UserError) {
      this.notice("error", errorText(error));
      return;
    }
    this.log.error(error instanceof Error ? error : String(error));
    this.notice(
      "error",
      vscode.l10n.t(
        "Something went wrong in Rooroo itself: {0}. The output channel “Rooroo” has the details.",
        errorText(error),
      ),
    );
  }

  /** Shows a notice in the conversation. */
  notice(level: "info" | "warning" | "error", text: string): void {
    const id = `n-${this.services.ids.hex(12)}`;
    this.tell({ type: "notice", id, level, text, steps: [] });
  }

  /** Adds an event of this window to the conversation, with the current time. */
  tell(event: WithoutTime<ConversationEvent>): void {
    this.emit({ at: this.services.clock.now().toISOString(), ...event });
  }
}

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;
