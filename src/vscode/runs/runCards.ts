import * as vscode from "vscode";
import { itemById } from "../../core/conversation/conversationState.js";
import type { ProposalAnswer } from "../../core/conversation/events.js";
import type { Item } from "../../core/conversation/items.js";
import type { RunOverview } from "../../core/runs/runOverview.js";
import type { Conversation } from "../panel/conversation.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { RunList } from "./runList.js";
import type { RunMessage, WorkspaceSession } from "../workspace/workspaceSession.js";

/**
 * Keeps the runs' cards in the conversation in line with the files: shows a proposal that waits, closes
 * one that was answered elsewhere, and tells how a run ended that was asked about here.
 */
export class RunCards implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  /** The latest message that each run addressed to the user, by run id. */
  private readonly said = new Map<string, string>();

  constructor(
    list: RunList,
    private readonly workspace: CurrentWorkspace,
    private readonly conversation: Conversation,
  ) {
    this.subscription = list.onDidChange(({ runs }) => {
      const { session } = this.workspace;
      // Before the session has started, the earlier conversation is not known.
      if (session?.isStarted !== true) return;
      this.close(runs, session);
      for (const run of runs) {
        this.showProposal(run, session);
        this.showReport(run, session);
      }
    });
  }

  hear({ runId, text }: RunMessage): void {
    this.said.set(runId, text);
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private showProposal({ runId, proposal }: RunOverview, session: WorkspaceSession): void {
    if (proposal === null) return;
    const { id, content } = proposal;
    const shown = itemById(this.conversation.state, id);
    if (shown?.kind === "proposal") {
      const keys = Object.keys(content) as (keyof typeof content)[];
      const isSame = keys.every(
        (key) => JSON.stringify(shown[key]) === JSON.stringify(content[key]),
      );
      if (isSame || shown.answer !== undefined) return;
    }
    // The message continues with the document, which the card shows part by part.
    const [words = ""] = (this.said.get(runId) ?? "").split(/^# /m);
    this.said.delete(runId);
    session.tell({ type: "proposal", proposalId: id, intro: words.trim(), ...content });
  }

  private close(runs: readonly RunOverview[], session: WorkspaceSession): void {
    for (const item of [...this.conversation.state.items]) {
      if (item.kind !== "proposal" || item.answer !== undefined) continue;
      const run = runs.find(({ runId }) => runId === item.runId);
      const answer = run === undefined ? (["cancelled", ""] as const) : answerTo(item, run);
      if (answer === undefined) continue;
      const [given, words] = answer;
      session.tell({ type: "proposalAnswered", proposalId: item.id, answer: given, words });
    }
  }

  private showReport(run: RunOverview, session: WorkspaceSession): void {
    const { runId, report, status, state, outputs } = run;
    const { items, positions } = this.conversation.state;
    const id = `report:${runId}`;
    if (report === null || positions.has(id)) return;
    const isKnown = items.some((item) => item.kind === "proposal" && item.runId === runId);
    if (!isKnown) return;
    const label = vscode.l10n.t("Open Outputs");
    const open = { type: "command", command: "openRunOutputs", label, about: runId } as const;
    session.tell({
      type: "notice",
      id,
      text: report.text,
      level: status === "FAILED" && state !== "cancelled" ? "warning" : "info",
      steps: outputs.length === 0 ? [] : [open],
    });
  }
}

/** Returns how a proposal was answered; `undefined` while it waits, or if that cannot be known. */
function answerTo(
  item: Extract<Item, { kind: "proposal" }>,
  { status, changes, state }: RunOverview,
): readonly [answer: ProposalAnswer, words: string] | undefined {
  const number = Number(/:(\d+)$/.exec(item.id)?.[1]);
  const words = changes[number - 1];
  if (words !== undefined) return ["changed", words];
  if (state === "cancelled") return ["cancelled", ""];
  const isAnswered = ["PENDING", "COMPLETED", "FAILED"].includes(status);
  return isAnswered ? ["confirmed", ""] : undefined;
}
