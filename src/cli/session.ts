import type { DialectChoice } from "../core/agent/dialects/dialect.js";
import type { Approver } from "../core/approvals/approver.js";
import type { ConversationEvent } from "../core/conversation/events.js";
import type { CommandRules } from "../core/commands/commandRules.js";
import { ConversationJournal } from "../core/conversation/journal.js";
import { UserError } from "../core/errors.js";
import type { SandboxSettings } from "../core/experts/expertSettings.js";
import type { JobEvent } from "../core/jobs/jobWorld.js";
import { type JobEnd, type JobRun, outerLoop } from "../core/jobs/outerLoop.js";
import { plainSession, type SessionOutcome } from "../core/navigator/plainSession.js";
import type { RunLayout } from "../core/runs/runLayout.js";
import { RunStore } from "../core/runs/runStore.js";
import type { RunEvent } from "../core/runs/runWorld.js";
import { type RunAction, takeUp, type TakenUp } from "../core/runs/takeUp.js";
import { tellOfRun } from "../core/runs/tellOfRun.js";
import { createParts } from "../core/navigator/createParts.js";
import type { Parts } from "../core/navigator/parts.js";
import type { RunDesk } from "../core/navigator/runDesk.js";
import { Narrator } from "../core/conversation/narrator.js";
import { Navigator } from "../core/navigator/navigator.js";
import type { NavigatorWorld } from "../core/navigator/world.js";
import type { Redactor } from "../core/redactor.js";
import type { SpendLimits } from "../core/spending/spending.js";
import { BashParser } from "../node/bashParser.js";
import { LateCharts } from "../node/charts/lateCharts.js";
import { createSearch } from "../node/createSearch.js";
import { GrantFile } from "../node/grantFile.js";
import { LateWeb } from "../node/lateWeb.js";
import { ModelWindows } from "../node/modelWindows.js";
import type { OpenAiOptions } from "../node/openAiOptions.js";
import { OpenAiModel } from "../node/openAiModel.js";
import { ProcessShell } from "../node/processShell.js";
import { sandboxPlaces } from "../node/sandbox/sandboxPlaces.js";
import { TimedPatterns } from "../node/timedPatterns.js";
import { SearchService } from "../node/searchService.js";
import { UsageFile } from "../node/usageFile.js";
import { userFolder } from "../node/userFolder.js";
import { newJobFile } from "../core/jobs/jobFolder.js";
import { tellOfJob } from "../core/jobs/tellOfJob.js";
import { runJob } from "./runJob.js";
import type { machine } from "./machine.js";
import type { Options } from "./options.js";
import type { WebSettings } from "./webSettings.js";

/** The limits that the editor's settings have by default. */
const limits = { turns: 60, failuresInARow: 6, sameCalls: 5 };

interface SessionParts {
  readonly root: string;
  readonly machine: ReturnType<typeof machine>;
  readonly model: OpenAiOptions;
  readonly approve: Options["approve"];
  /** No limit where it is left out. */
  readonly spend?: SpendLimits;
  /** Default: none. */
  readonly commands?: CommandRules;
  /** Default: it is used where the machine has one. */
  readonly sandbox?: SandboxSettings;
  readonly concurrency: number;
  readonly dialect?: DialectChoice;
  readonly record?: boolean;
  /** Of the model's window; default: as its server says. */
  readonly contextTokens?: number;
  readonly approver: Approver;
  /** Absent where there are no runs. */
  readonly startRun?: RunDesk["start"];
  /** Default: public addresses, and no search. */
  readonly web?: WebSettings;
  /** Knows the keys that are in use. */
  readonly redactor: Redactor;
  show(event: ConversationEvent): void;
  /** The conversation's file cannot be written. */
  onJournalError(error: unknown): void;
}

/** A Navigator at work, whose conversation the editor's panel shows later. */
export class Session {
  readonly navigator: Navigator;
  private readonly journal: ConversationJournal;
  private readonly world: NavigatorWorld;
  private readonly stopping = new AbortController();
  /** What the conversation said before; reminders that it has are not written again. */
  private before: ReadonlySet<string> | undefined;
  private about: string | undefined;

  constructor(private readonly parts: SessionParts) {
    const { root, machine, approver, approve, concurrency, redactor, record = false } = parts;
    const spend = parts.spend ?? { task: {}, day: {} };
    const own = userFolder(process.env);
    const { preset, categories } = approve;
    const dialectFor = () => parts.dialect ?? "auto";
    const commands = parts.commands ?? { allow: [], deny: [] };
    const sandbox = parts.sandbox ?? { enabled: "auto", allowedHosts: [] };
    redactor.learn(parts.model.apiKey);
    this.journal = new ConversationJournal(machine.files, machine.signer, (error) => {
      parts.onJournalError(error);
    });
    const { web = { privateHosts: [] } } = parts;
    const search = web.search && new SearchService(web.search);
    const windows = new ModelWindows();
    this.world = {
      ...machine,
      approver,
      redactor,
      grantStore: new GrantFile(own, root),
      usageLog: new UsageFile(own),
      shell: new ProcessShell(root, { sandbox: sandboxPlaces(process.env) }),
      parser: new BashParser(),
      search: createSearch(root),
      patterns: new TimedPatterns(),
      web: new LateWeb(() => web),
      webSearch: () => search,
      charts: new LateCharts(),
      model: new OpenAiModel(() => Promise.resolve(parts.model), windows),
      modelNamed: (name) =>
        new OpenAiModel(() => Promise.resolve({ ...parts.model, name }), windows),
      settings: () => ({
        preset,
        categories,
        commands,
        sandbox,
        limits,
        spend,
        concurrency,
        record,
        dialectFor,
        contextTokens: parts.contextTokens ?? null,
      }),
      jobs: {
        create: (job) => newJobFile(machine.files, { ...job, dirs: [] }),
        run: async (name) => runJob({ name, runners: 1 }, this),
      },
      ...(parts.startRun && { runs: { start: parts.startRun } }),
      emit: (event) => {
        this.emit(event);
      },
    };
    this.navigator = new Navigator(this.world);
  }

  /** One turn of a session with a plain agent, of which the conversation's file has nothing. */
  agent(text: string, session: string | undefined): Promise<SessionOutcome> {
    return plainSession(
      this.apart(),
      { text: this.parts.redactor.text(text), session },
      this.stopping.signal,
    );
  }

  /** Runs a job, of which the conversation's file has nothing: its log has it. */
  async job(run: JobRun): Promise<JobEnd> {
    const { experts, files, lock, narrator } = this.apart();
    const tell = (event: JobEvent): void => {
      tellOfJob(event, narrator);
    };
    await this.world.shell.endLeftBehind();
    const end = await outerLoop(run, { experts, files, lock, tell }, this.stopping.signal);
    narrator.notice(end.code === 0 ? "info" : "warning", end.reason);
    return end;
  }

  /** Takes up what is said about runs, of which the conversation's file has nothing: their tables have it. */
  async run(action: RunAction, layout: RunLayout): Promise<TakenUp> {
    const { experts, files, lock, narrator } = this.apart();
    const said: RunEvent[] = [];
    const tell = (event: RunEvent): void => {
      if (event.type === "said") said.push(event);
      tellOfRun(event, narrator);
    };
    await this.world.shell.endLeftBehind();
    const store = new RunStore(files, lock, layout);
    const taken = this.parts.redactor.each(action);
    const end = await takeUp(taken, store, { experts, files, lock, tell }, this.stopping.signal);
    const isTold = said.length > 0 && (end.runId === undefined || end.status === "done");
    if (!isTold) narrator.notice(end.status === "done" ? "info" : "warning", end.reason);
    return end;
  }

  /** What is told by these is shown, and not kept. */
  private apart(): Parts {
    const { clock, ids, redactor } = this.world;
    const show = (event: ConversationEvent): void => {
      this.parts.show(event);
    };
    const narrator = new Narrator(clock, ids, show, redactor);
    return createParts(this.world, narrator);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new UserError("Stopped by the user"));
    await this.navigator.stop();
  }

  /**
   * Settles what a crash left behind, and learns what was said last.
   *
   * @param about the task that is gone on with anyway, of which nobody needs to be reminded
   */
  async start(about?: string): Promise<void> {
    const { events, foreign } = await this.journal.load();
    const shown = new Set(
      events.flatMap((event) => (event.type === "question" ? [event.questionId] : [])),
    );
    this.before = new Set(events.flatMap((event) => (event.type === "notice" ? [event.text] : [])));
    this.navigator.recall(events);
    this.about = about;
    await this.navigator.recover((questionId) => shown.has(questionId), {
      goOn: false,
      foreignMessages: foreign,
    });
    this.before = this.about = undefined;
    // Here a request is a request: what is said to a brainstorm is said with `answer`.
    this.navigator.leaveBrainstorm();
  }

  /** Everything that happened is in the conversation's file. */
  flush(): Promise<void> {
    return this.journal.flush();
  }

  private emit(event: ConversationEvent): void {
    if (event.type === "notice") {
      const reminder = `/resume ${this.about ?? ""}`;
      if (event.steps.some((step) => step.type === "say" && step.text === reminder)) return;
    }
    const known = event.type === "notice" && this.before?.has(event.text) === true;
    if (!known) this.journal.append(event);
    this.parts.show(event);
  }
}
