import type { DialectChoice } from "../../core/agent/dialects/dialect.js";
import type { Approver } from "../../core/approvals/approver.js";
import type { ConversationEvent } from "../../core/conversation/events.js";
import type { CommandRules } from "../../core/commands/commandRules.js";
import { ConversationJournal } from "../../core/conversation/journal.js";
import { UserError } from "../../core/errors.js";
import type { SandboxSettings } from "../../core/experts/expertSettings.js";
import type { JobEvent } from "../../core/jobs/jobWorld.js";
import { type JobEnd, type JobRun, outerLoop } from "../../core/jobs/work/outerLoop.js";
import { plainSession, type SessionOutcome } from "../../core/navigator/plainSession.js";
import type { RunLayout } from "../../core/runs/runLayout.js";
import { RunStore } from "../../core/runs/runStore.js";
import type { RunEvent } from "../../core/runs/runWorld.js";
import { type RunAction, takeUp, type TakenUp } from "../../core/runs/takeUp.js";
import { tellOfRun } from "../../core/runs/tellOfRun.js";
import { createParts } from "../../core/navigator/createParts.js";
import type { Parts } from "../../core/navigator/parts.js";
import type { RunService } from "../../core/navigator/runService.js";
import { EventPublisher } from "../../core/conversation/eventPublisher.js";
import { Navigator } from "../../core/navigator/navigator.js";
import type { NavigatorWorld } from "../../core/navigator/world.js";
import type { Redactor } from "../../core/redactor.js";
import type { SpendLimits } from "../../core/spending/spending.js";
import { BashParser } from "../../node/shell/bashParser.js";
import { LateCharts } from "../../node/charts/lateCharts.js";
import { createSearch } from "../../node/search/createSearch.js";
import { GrantFile } from "../../node/user/grantFile.js";
import { LateWeb } from "../../node/web/lateWeb.js";
import { ModelWindows } from "../../node/model/modelWindows.js";
import type { OpenAiOptions } from "../../node/model/openAiOptions.js";
import { OpenAiModel } from "../../node/model/openAiModel.js";
import { ProcessShell } from "../../node/shell/processShell.js";
import { sandboxPlaces } from "../../node/sandbox/sandboxPlaces.js";
import { TimedPatterns } from "../../node/search/timedPatterns.js";
import { SearchService } from "../../node/web/searchService.js";
import { UsageFile } from "../../node/user/usageFile.js";
import { userFolder } from "../../node/user/userFolder.js";
import { newJobFile } from "../../core/jobs/documents/jobFolder.js";
import { tellOfJob } from "../../core/jobs/tellOfJob.js";
import { runJob } from "../commands/runJob.js";
import type { machine } from "./machine.js";
import type { Options } from "./options.js";
import type { WebSettings } from "./webSettings.js";

/** The limits; the defaults of the editor's settings are the same. */
const limits = { turns: 60, failuresInARow: 6, sameCalls: 5 };

interface SessionParts {
  readonly root: string;
  readonly machine: ReturnType<typeof machine>;
  readonly model: OpenAiOptions;
  readonly approve: Options["approve"];
  /** Spending limits. Default: none. */
  readonly spend?: SpendLimits;
  /** Rules that allow and deny commands. Default: none. */
  readonly commands?: CommandRules;
  /** The sandbox settings. Default: the sandbox is used if the machine has one. */
  readonly sandbox?: SandboxSettings;
  readonly concurrency: number;
  readonly dialect?: DialectChoice;
  readonly record?: boolean;
  /** The size of the model's context window. Default: as its server reports it. */
  readonly contextTokens?: number;
  readonly approver: Approver;
  /** Starts a run. Absent: runs are not available here. */
  readonly startRun?: RunService["start"];
  /** What experts may reach on the web. Default: public addresses, and no search. */
  readonly web?: WebSettings;
  /** Redacts the keys that are in use. */
  readonly redactor: Redactor;
  show(event: ConversationEvent): void;
  /** Called when the conversation's file cannot be written. */
  onJournalError(error: unknown): void;
}

/** Runs a Navigator, and records its conversation so that the editor's panel can show it later. */
export class Session {
  readonly navigator: Navigator;
  private readonly journal: ConversationJournal;
  private readonly world: NavigatorWorld;
  private readonly stopping = new AbortController();
  /** Topics of the notices recorded before {@link start}; while it runs, these are not recorded again. */
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

  /** Runs one turn of a session with a plain agent. It is not recorded in the conversation's file. */
  agent(text: string, session: string | undefined): Promise<SessionOutcome> {
    return plainSession(
      this.apart(),
      { text: this.parts.redactor.text(text), session },
      this.stopping.signal,
    );
  }

  /** Runs a job. It is recorded in the job's log, not in the conversation's file. */
  async job(run: JobRun): Promise<JobEnd> {
    const { experts, files, lock, publisher } = this.apart();
    const tell = (event: JobEvent): void => {
      tellOfJob(event, publisher);
    };
    await this.world.shell.endLeftBehind();
    const end = await outerLoop(run, { experts, files, lock, tell }, this.stopping.signal);
    publisher.notice(end.code === 0 ? "info" : "warning", end.reason);
    return end;
  }

  /** Carries out an action on runs. It is recorded in the runs' tables, not in the conversation's file. */
  async run(action: RunAction, layout: RunLayout): Promise<TakenUp> {
    const { experts, files, lock, publisher } = this.apart();
    const said: RunEvent[] = [];
    const tell = (event: RunEvent): void => {
      if (event.type === "said") said.push(event);
      tellOfRun(event, publisher);
    };
    await this.world.shell.endLeftBehind();
    const store = new RunStore(files, lock, layout);
    const taken = this.parts.redactor.each(action);
    const end = await takeUp(taken, store, { experts, files, lock, tell }, this.stopping.signal);
    const isTold = said.length > 0 && (end.runId === undefined || end.status === "done");
    if (!isTold) publisher.notice(end.status === "done" ? "info" : "warning", end.reason);
    return end;
  }

  /** Returns dependencies whose events are shown but not recorded in the conversation's file. */
  private apart(): Parts {
    const { clock, ids, redactor } = this.world;
    const show = (event: ConversationEvent): void => {
      this.parts.show(event);
    };
    const publisher = new EventPublisher(clock, ids, show, redactor);
    return createParts(this.world, publisher);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new UserError("Stopped by the user"));
    await this.navigator.stop();
  }

  /**
   * Recovers after a crash, and gives the recorded conversation to the Navigator.
   *
   * @param about the task that this command resumes anyway, so that its reminder is left out
   */
  async start(about?: string): Promise<void> {
    const { events, foreign } = await this.journal.load();
    const shown = new Set(
      events.flatMap((event) => (event.type === "question" ? [event.questionId] : [])),
    );
    this.before = new Set(
      events.flatMap((event) =>
        event.type === "notice" && event.topic !== undefined ? [event.topic] : [],
      ),
    );
    this.navigator.recall(events);
    this.about = about;
    await this.navigator.recover((questionId) => shown.has(questionId), {
      goOn: false,
      foreignMessages: foreign,
    });
    this.before = this.about = undefined;
    // On the command line, `ask` always makes a request; a brainstorm is continued with `answer`.
    this.navigator.leaveBrainstorm();
  }

  /** Resolves when all events so far are in the conversation's file, or could not be written. */
  flush(): Promise<void> {
    return this.journal.flush();
  }

  private emit(event: ConversationEvent): void {
    if (event.type === "notice") {
      const isReminder = event.steps.some(
        (step) =>
          step.type === "action" &&
          step.action.action === "resume" &&
          step.action.taskId === this.about,
      );
      if (isReminder) return;
    }
    const known =
      event.type === "notice" &&
      event.topic !== undefined &&
      this.before?.has(event.topic) === true;
    if (!known) this.journal.append(event);
    this.parts.show(event);
  }
}
