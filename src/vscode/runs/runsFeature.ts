import * as vscode from "vscode";
import type { Signal } from "../../core/runs/decideRun.js";
import { UserError } from "../../core/errors.js";
import type { Conversation } from "../panel/conversation.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { RowTree } from "../work/rowTree.js";
import { RunCards } from "./runCards.js";
import { runCommands } from "./runCommands.js";
import { RunDocuments } from "./runDocuments.js";
import { RunDriver, type RunMark } from "./runDriver.js";
import { RunList } from "./runList.js";
import { type RunNode, runRows } from "./runRows.js";
import { runTreeItem } from "./runTreeItem.js";
import type { Settings } from "../settings/settings.js";

export interface RunsFeatureOptions {
  readonly workspace: CurrentWorkspace;
  readonly conversation: Conversation;
  readonly settings: Settings;
  readonly mark: RunMark;
  readonly isChatShown: () => boolean;
  readonly tree: RowTree<RunNode>;
  readonly log: vscode.LogOutputChannel;
}

/** Everything that a window does with runs; loaded only where there are any. */
export class RunsFeature implements vscode.Disposable {
  readonly list: RunList;
  readonly driver: RunDriver;
  readonly commands: ReturnType<typeof runCommands>;
  readonly draw = runTreeItem;
  private readonly cards: RunCards;
  private readonly subscriptions: { dispose(): unknown }[];

  constructor(private readonly parts: RunsFeatureOptions) {
    const { workspace, conversation, settings, mark, tree, log, isChatShown } = parts;
    this.list = new RunList(workspace, log);
    this.driver = new RunDriver(workspace, this.list, mark, isChatShown);
    this.commands = runCommands({ workspace, tree, driver: this.driver });
    this.cards = new RunCards(this.list, workspace, conversation);
    const documents = new RunDocuments(workspace, this.list);
    const changing = settings.onDidChange(this.list.refresh);
    this.subscriptions = [this.list, this.cards, this.driver, documents, changing];
  }

  /** Shows the runs, and resumes those that were interrupted. */
  open(): void {
    const { workspace, tree } = this.parts;
    const { session } = workspace;
    if (session === undefined) return;
    this.subscriptions.push(
      this.list.onDidChange((overview) => {
        tree.show(runRows(overview));
      }),
      session.onRunMessage((message) => {
        this.cards.hear(message);
      }),
    );
    this.list.watch();
    void this.driver.resume();
  }

  /** Answers a proposal as shown. Throws a {@link UserError} if the run now waits for a different one. */
  async answer(runId: string, proposalId: string, answer: Signal): Promise<void> {
    const runs = await this.parts.workspace.require().runs();
    const run = (await runs.overview()).runs.find((one) => one.runId === runId);
    if (run?.proposal?.id !== proposalId) {
      this.list.refresh();
      throw new UserError(vscode.l10n.t("The run does not ask this any more."));
    }
    await this.driver.decide(runId, answer);
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }
}
