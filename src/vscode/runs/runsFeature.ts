import type * as vscode from "vscode";
import type { ConversationId, RunId } from "../../core/ids.js";
import type { Outcome } from "../../core/navigator/tasks/outcome.js";
import type { Clock } from "../../core/ports/system.js";
import type { RunDecision } from "../../core/runs/decideRun.js";
import type { RunsOverview } from "../../core/runs/runOverview.js";
import type { Beginning, RequestedRun } from "../../core/work/requestedWork.js";
import type { ChangeReview } from "../changes/changeReview.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import type { Settings } from "../settings/settings.js";
import type { Notices } from "../work/notices.js";
import type { RowPages } from "../work/row.js";
import type { WaitingSource } from "../work/waiting.js";
import { WorkRows } from "../work/workRows.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { ResumeStore } from "../workspace/resumeStore.js";
import type { RunCommands } from "./runCommands.js";
import type { RunController } from "./runController.js";
import type { RunList } from "./runList.js";

interface RunsFeatureOptions {
  readonly list: RunList;
  readonly waiting: WaitingSource;
  readonly workspace: CurrentWorkspace;
  readonly settings: Settings;
  readonly pages: RowPages;
  readonly log: vscode.LogOutputChannel;
  readonly clock: Clock;
  readonly resumeStore: ResumeStore;
  readonly places: () => Promise<ConversationPlaces>;
  readonly notices: Notices;
}

/**
 * The runs in a window: their list and rows, and commands. Everything else is loaded when there are runs,
 * or when a command is called.
 */
export class RunsFeature implements vscode.Disposable {
  readonly list: RunList;
  /** The runs, as a group of the "Tasks" view. */
  readonly rows: WorkRows<RunsOverview>;
  private readonly subscriptions: { dispose(): unknown }[];
  private controller: RunController | undefined;
  private loading: Promise<RunController> | undefined;

  constructor(private readonly options: RunsFeatureOptions) {
    const { settings, list, waiting, pages } = options;
    this.list = list;
    this.rows = new WorkRows({
      list,
      redrawOn: [waiting.onDidChange],
      hasRows: ({ runs, problems }) => runs.length + problems.length > 0,
      load: async () => {
        const controller = await this.load();
        return (overview) => controller.rows(overview, pages);
      },
      needsYou: () => waiting.waiting("run").length,
      running: ({ runs }) =>
        runs.filter(({ state }) => state === "here" || state === "elsewhere").length,
    });
    this.subscriptions = [this.rows, settings.onDidChange(this.list.refresh), this.list];
  }

  get overview(): RunsOverview {
    return this.list.overview;
  }

  /** Returns the commands for runs. Throws `NotOpenError`, which explains why nothing can run here. */
  async commands(review: ChangeReview): Promise<RunCommands> {
    this.options.workspace.require();
    return (await this.load()).commands(review);
  }

  /** Starts a run in the background, shown in this conversation or else the side bar's. Throws `NotOpenError`. */
  async start(
    run: RequestedRun,
    conversation: ConversationId | undefined,
    begun: Beginning,
  ): Promise<Outcome> {
    this.options.workspace.require();
    try {
      await (await this.load()).driver.start(run, conversation, begun);
    } finally {
      await begun.end();
    }
    return { status: "done" };
  }

  /** Answers a proposal; see {@link RunController.answer}. */
  async answer(runId: RunId, proposalId: string, answer: RunDecision): Promise<void> {
    this.options.workspace.require();
    await (await this.load()).answer(runId, proposalId, answer);
  }

  /** Ends this window's part: a run that ends later counts as interrupted and stays recorded for the next window. */
  end(): void {
    this.controller?.driver.dispose();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.controller?.dispose();
  }

  private load(): Promise<RunController> {
    return (this.loading ??= this.loadController());
  }

  private async loadController(): Promise<RunController> {
    const { RunController } = await import("./runController.js");
    const { list } = this;
    this.controller = new RunController({
      ...this.options,
      places: await this.options.places(),
      list,
      tree: this.rows.tree,
    });
    // What the list already has must come to the rows, the documents and the cards, too.
    this.list.refresh();
    void this.controller.driver.resume();
    return this.controller;
  }
}
