import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { RunId } from "../../core/ids.js";
import type { Clock } from "../../core/ports/system.js";
import type { RunDecision } from "../../core/runs/decideRun.js";
import type { RunsOverview } from "../../core/runs/runOverview.js";
import type { ChangeReview } from "../changes/changeReview.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import { t } from "../text/words.js";
import type { Notices } from "../work/notices.js";
import type { RowPages, Rows } from "../work/row.js";
import type { RowTree } from "../work/rowTree.js";
import type { WaitingSource } from "../work/waiting.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { ResumeStore } from "../workspace/resumeStore.js";
import { RunCards } from "./runCards.js";
import { type RunCommands, runCommands } from "./runCommands.js";
import { runDocuments } from "./runDocuments.js";
import { RunDriver } from "./runDriver.js";
import type { RunList } from "./runList.js";
import { runRows } from "./runRows.js";

interface RunControllerOptions {
  readonly workspace: CurrentWorkspace;
  readonly list: RunList;
  readonly tree: RowTree;
  readonly clock: Clock;
  readonly resumeStore: ResumeStore;
  readonly places: ConversationPlaces;
  readonly notices: Notices;
  readonly waiting: WaitingSource;
}

/** Everything that a window does with runs beside listing them. */
export class RunController implements vscode.Disposable {
  readonly driver: RunDriver;
  private readonly subscription: vscode.Disposable;

  constructor(private readonly options: RunControllerOptions) {
    const { workspace, list, clock, resumeStore, notices } = options;
    this.driver = new RunDriver(workspace, list, resumeStore, notices);
    const cards = new RunCards(list, workspace, t);
    if (workspace.session !== undefined) cards.listen(workspace.session);
    const documents = runDocuments(workspace, list, clock);
    this.subscription = vscode.Disposable.from(this.driver, cards, documents);
  }

  commands(review: ChangeReview): RunCommands {
    const { options, driver } = this;
    return runCommands({ ...options, driver, review, refresh: options.list.refresh });
  }

  rows(overview: RunsOverview, paging: RowPages): Rows {
    const waiting = this.options.waiting.waiting("run").map(({ name }) => name);
    const now = this.options.clock.now().getTime();
    return runRows(overview, new Set(waiting), { now, t, paging });
  }

  /** Answers a proposal as shown. Throws a {@link UserError} if the run now waits for a different one. */
  async answer(runId: RunId, proposalId: string, answer: RunDecision): Promise<void> {
    const { workspace, list } = this.options;
    const runs = await workspace.require().runs();
    const run = (await runs.overview()).runs.find((one) => one.runId === runId);
    if (run?.proposal?.id !== proposalId) {
      list.refresh();
      throw new UserError("proposalReplaced", "This proposal has been answered or replaced.");
    }
    await this.driver.decide(runId, answer);
  }

  dispose(): void {
    this.subscription.dispose();
  }
}
