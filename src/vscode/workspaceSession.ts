import * as vscode from "vscode";
import type { TaskChanges } from "../core/changes/taskChanges.js";
import type { ConversationEvent } from "../core/conversation/events.js";
import { ConversationJournal } from "../core/conversation/journal.js";
import { messageOf, UserError } from "../core/errors.js";
import type { JobOverview } from "../core/jobs/jobOverview.js";
import type { Jobs } from "../core/jobs/jobs.js";
import type { JobEvent } from "../core/jobs/jobWorld.js";
import type { Runs } from "../core/runs/runs.js";
import type { RunEvent } from "../core/runs/runWorld.js";
import type { Navigator } from "../core/navigator/navigator.js";
import { whileAtRest } from "../core/navigator/whileAtRest.js";
import type { NavigatorWorld } from "../core/navigator/world.js";
import type { Overview } from "../core/navigator/overview.js";
import type { FileSystem, Lock } from "../core/ports.js";
import type { Conversation } from "./conversation.js";
import type { WorkMark } from "./workMark.js";

/** What a session needs of the machine. */
export type SessionWorld = Pick<
  NavigatorWorld,
  "files" | "signer" | "documents" | "lock" | "clock" | "ids"
>;

/** What does a session's work. It is most of the product, and loaded when there is something to do. */
export interface SessionWork {
  navigator(emit: NavigatorWorld["emit"]): Navigator;
  /** What tasks have changed, as the files have it at this moment. */
  changes(): TaskChanges;
  /** Jobs, worked on with what the Navigator's experts work with, and told of where it tells. */
  jobs(navigator: Navigator, onEvent: (event: JobEvent) => void): Promise<Jobs>;
  /** As {@link jobs}. */
  runs(navigator: Navigator, onEvent: (event: RunChange) => void): Promise<Runs>;
}

/** What has happened in a run that goes on here. */
export interface RunChange {
  readonly runId: string;
  readonly event: RunEvent;
}

const nothing: Overview = { tasks: [], problems: [], modeProblems: [], plans: [] };

/**
 * A Navigator at work in one folder: what happens is kept in the journal, shown in the conversation
 * and told to lists. Nothing is read or run before {@link start}.
 */
export class WorkspaceSession implements vscode.Disposable {
  private readonly journal: ConversationJournal;
  private readonly tasksChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeTasks = this.tasksChanged.event;
  private readonly didStart = new vscode.EventEmitter<void>();
  readonly onDidStart = this.didStart.event;
  private readonly jobsChanged = new vscode.EventEmitter<JobEvent>();
  /** Not for what a model says and does meanwhile. */
  readonly onDidChangeJobs = this.jobsChanged.event;
  private readonly runsChanged = new vscode.EventEmitter<RunChange>();
  /** As {@link onDidChangeJobs}. */
  readonly onDidChangeRuns = this.runsChanged.event;
  private started: Promise<void> | undefined;
  private restored = false;
  private loadingJobs: Promise<Jobs> | undefined;
  private loadingRuns: Promise<Runs> | undefined;
  private loading: Promise<Navigator> | undefined;
  /** Once it is loaded. */
  private loaded: Navigator | undefined;
  /** Another process works here, or did so when it was last looked at. */
  private following = false;
  private wasBusy = false;

  constructor(
    readonly folder: vscode.Uri,
    private readonly world: SessionWorld,
    private readonly work: () => Promise<SessionWork>,
    private readonly conversation: Conversation,
    private readonly log: vscode.LogOutputChannel,
    /** Set while something runs, so that it goes on after a crash. */
    private readonly mark: WorkMark,
    /** This process's own. */
    private readonly pid: number,
  ) {
    this.journal = new ConversationJournal(world.files, world.signer, (error) => {
      this.notice("warning", `The conversation cannot be saved: ${messageOf(error)}`);
    });
  }

  /** Loaded when it is first asked for; a workspace in which nothing is done needs none. */
  navigator(): Promise<Navigator> {
    return (this.loading ??= this.load());
  }

  private async load(): Promise<Navigator> {
    const work = await this.work();
    this.loaded = work.navigator((event) => {
      this.emit(event);
    });
    return this.loaded;
  }

  /** Loaded when they are first asked for. */
  jobs(): Promise<Jobs> {
    return (this.loadingJobs ??= this.loadJobs());
  }

  private async loadJobs(): Promise<Jobs> {
    const work = await this.work();
    return work.jobs(await this.navigator(), (event) => {
      if (event.type !== "agent" || event.event.type === "usage") this.jobsChanged.fire(event);
    });
  }

  /** Loaded when they are first asked for. */
  runs(): Promise<Runs> {
    return (this.loadingRuns ??= this.loadRuns());
  }

  private async loadRuns(): Promise<Runs> {
    const work = await this.work();
    return work.runs(await this.navigator(), (change) => {
      const { event } = change;
      if (event.type !== "agent" || event.event.type === "usage") this.runsChanged.fire(change);
    });
  }

  /** The jobs as the files and locks have them, whichever process runs them. */
  async jobOverviews(): Promise<readonly JobOverview[]> {
    const entries = await this.world.files.readDirectory(".jixo");
    if (!entries.some(({ name }) => /\.(job|task)\.md$/.test(name))) return [];
    return (await this.jobs()).overviews();
  }

  /** Something runs here that can be stopped. */
  busy(): boolean {
    return this.loaded?.busy ?? false;
  }

  /** The slug of the expert that a plain message goes to, while a brainstorm is on. */
  get talkingTo(): string | null {
    return this.loaded?.talkingTo ?? null;
  }

  get files(): FileSystem {
    return this.world.files;
  }

  get lock(): Lock {
    return this.world.lock;
  }

  /** What tasks have changed, as the files have it at this moment. */
  async changes(): Promise<TaskChanges> {
    return (await this.work()).changes();
  }

  /** Does something to what tasks have left, while none of them works anywhere. */
  whileAtRest<T>(taskIds: readonly string[], work: () => Promise<T>): Promise<T> {
    return whileAtRest(taskIds, this.world.lock, work);
  }

  /** Shows the conversation so far and settles what a crash has left. Once; never rejects. */
  start(): Promise<void> {
    return (this.started ??= this.restore().then(() => {
      this.restored = true;
      this.didStart.fire();
    }));
  }

  /** The conversation so far is known. */
  get isStarted(): boolean {
    return this.restored;
  }

  /** Goes on, without waiting for the panel to be opened, with what a crash has cut off. */
  async startIfCutOff(): Promise<void> {
    if (await this.mark.isSet()) await this.start();
  }

  /**
   * Lets the Navigator do something. What goes wrong is told in the conversation, so that the
   * promise, which lasts as long as the work, may be left alone.
   */
  async run(work: (navigator: Navigator) => Promise<unknown>): Promise<void> {
    try {
      await this.start();
      await work(await this.navigator());
    } catch (error) {
      this.tellError(error);
    }
  }

  /** The tasks as the files have them; what another window does to them is shown as well. */
  async overview(): Promise<Overview> {
    if (this.loading === undefined && !(await this.has(".rooroo", ".roomodes"))) return nothing;
    const overview = await (await this.navigator()).overview();
    await this.follow(overview);
    return overview;
  }

  /** While another process works on the queue or a task, and once when it has ended. */
  private async follow({ holder, other }: Overview): Promise<void> {
    if (this.started === undefined || this.busy()) return;
    const elsewhere = [holder, other].some((one) => one !== undefined && one.pid !== this.pid);
    const ended = this.following && !elsewhere;
    this.following = elsewhere;
    if (!elsewhere && !ended) return;
    await this.showConversation();
    if (ended && !this.busy()) this.conversation.settle();
  }

  /** Shows the conversation as its file has it now; `false`, with nothing changed, while we work. */
  async showConversation(): Promise<boolean> {
    await this.journal.flush();
    const { events } = await this.journal.load();
    // What we began meanwhile is shown as it happens, and would be taken away.
    if (this.busy()) return false;
    this.conversation.replace(events);
    return true;
  }

  /** Ends what runs, commands' processes included, and waits for the journal. */
  async stop(): Promise<void> {
    await (await this.loading)?.stop();
    await this.journal.flush();
  }

  /**
   * Breaks off what runs, for a window that closes or is loaded anew: {@link start} goes on with it
   * there. Nothing may be done with this session afterwards.
   */
  async suspend(): Promise<void> {
    const [navigator, jobs, runs] = await Promise.all([
      ...([this.loading, this.loadingJobs, this.loadingRuns] as const),
    ]);
    // First of all the Navigator tells no more.
    await Promise.all([
      navigator?.suspend(),
      jobs?.stopOwn("The window was closed or loaded anew"),
      runs?.stopOwn(),
    ]);
    await this.journal.flush();
  }

  dispose(): void {
    this.tasksChanged.dispose();
    this.jobsChanged.dispose();
    this.runsChanged.dispose();
    this.didStart.dispose();
  }

  private emit(event: ConversationEvent): void {
    this.journal.append(event);
    if (event.type !== "tasksChanged") {
      this.conversation.add(event);
      return;
    }
    this.tasksChanged.fire();
    const busy = this.busy();
    if (busy === this.wasBusy) return;
    this.wasBusy = busy;
    this.mark.set(busy);
  }

  private async restore(): Promise<void> {
    try {
      // Looking at a workspace leaves nothing in it: where nothing was done, nothing is settled.
      if (!(await this.has(".rooroo"))) return;
      const { events, foreign } = await this.journal.load();
      this.conversation.add(...events);
      const navigator = await this.navigator();
      navigator.recall(events);
      // A file that says so is not enough: a workspace that came from elsewhere could have it.
      const goOn = await this.mark.isSet();
      const { holder, other } = await navigator.overview();
      // What runs elsewhere goes on, unless that is only the window before this one, about to end.
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
    const found = await Promise.all(paths.map((path) => this.world.files.stat(path)));
    return found.some((entry) => entry !== undefined);
  }

  private isShown(questionId: string): boolean {
    return this.conversation.state.positions.has(questionId);
  }

  private tellError(error: unknown): void {
    if (error instanceof UserError) {
      this.notice("error", error.message);
      return;
    }
    this.log.error(error instanceof Error ? error : String(error));
    this.notice(
      "error",
      vscode.l10n.t(
        "Something went wrong in Rooroo itself: {0}. The output channel “Rooroo” has the details.",
        messageOf(error),
      ),
    );
  }

  /** Says something in the conversation. */
  notice(level: "info" | "warning" | "error", text: string): void {
    const id = `n-${this.world.ids.hex(12)}`;
    this.tell({ type: "notice", id, level, text, steps: [] });
  }

  /** Adds to the conversation what this window itself has found. */
  tell(event: WithoutTime<ConversationEvent>): void {
    this.emit({ at: this.world.clock.now().toISOString(), ...event });
  }
}

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;
