import type * as vscode from "vscode";
import type { ProposalAnswer } from "../../core/conversation/events/events.js";
import {
  type ConversationState,
  itemById,
} from "../../core/conversation/state/conversationState.js";
import type { Item } from "../../core/conversation/state/items.js";
import type { LongWork } from "../../core/ids.js";
import type { RunOverview, RunsOverview } from "../../core/runs/runOverview.js";
import type { Translate } from "../../core/text/translator.js";
import { type CardEvent, followCards } from "../work/followCards.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import type { RunList } from "./runList.js";

/** Keeps the runs' cards in the conversation in line with the files. */
export class RunCards implements vscode.Disposable {
  private readonly subscription: vscode.Disposable;
  private listening: vscode.Disposable | undefined;
  /** The latest message that each run addressed to the user, by run id. */
  private readonly messages = new Map<string, string>();

  constructor(list: RunList, workspace: CurrentWorkspace, t: Translate) {
    this.subscription = followCards(list, workspace, (overview, state, has) =>
      runCards(overview, state, this.messages, t, has),
    );
  }

  /** Remembers the messages of the session's runs, which introduce their proposals. */
  listen(session: WorkspaceSession): void {
    this.listening = session.works.onRunMessage(({ runId, text }) => {
      this.messages.set(runId, text);
    });
  }

  dispose(): void {
    this.listening?.dispose();
    this.subscription.dispose();
  }
}

/**
 * Returns the events that bring the runs' cards in line with the files: closes proposals that were
 * answered elsewhere, shows one that waits, and tells how a run ended that was asked about here.
 *
 * @param messages the message that each run last addressed to the user, by run id; those that are shown
 *   are removed
 * @param has returns whether the conversation has the run
 */
export function runCards(
  { runs }: RunsOverview,
  state: ConversationState,
  messages: Map<string, string>,
  t: Translate,
  has: (work: LongWork) => boolean = () => true,
): CardEvent[] {
  return [
    ...answeredCards(runs, state),
    ...runs
      .filter(({ runId }) => has({ kind: "run", name: runId }))
      .flatMap((run) => [...proposalCard(run, state, messages), ...reportCard(run, state, t)]),
  ];
}

function answeredCards(runs: readonly RunOverview[], { items }: ConversationState): CardEvent[] {
  return items.flatMap((item): CardEvent[] => {
    if (item.kind !== "proposal" || item.answer !== undefined) return [];
    const run = runs.find(({ runId }) => runId === item.runId);
    const given = run === undefined ? { answer: "cancelled" as const } : answerTo(item, run);
    if (given === undefined) return [];
    return [{ type: "proposalAnswered", proposalId: item.id, words: "", ...given }];
  });
}

/** Returns how a proposal was answered; `undefined` while it waits, or if that cannot be known. */
function answerTo(
  item: Extract<Item, { kind: "proposal" }>,
  { status, changes, state }: RunOverview,
): { answer: ProposalAnswer; words?: string } | undefined {
  const number = Number(/:(\d+)$/.exec(item.id)?.[1]);
  const words = changes[number - 1];
  if (words !== undefined) return { answer: "changed", words };
  if (state === "cancelled") return { answer: "cancelled" };
  const isAnswered = ["PENDING", "COMPLETED", "FAILED"].includes(status);
  return isAnswered ? { answer: "confirmed" } : undefined;
}

function proposalCard(
  { runId, proposal }: RunOverview,
  state: ConversationState,
  messages: Map<string, string>,
): CardEvent[] {
  if (proposal === null) return [];
  const { id, content } = proposal;
  const shown = itemById(state, id);
  if (shown?.kind === "proposal") {
    const keys = Object.keys(content) as (keyof typeof content)[];
    const isSame = keys.every((key) => JSON.stringify(shown[key]) === JSON.stringify(content[key]));
    if (isSame || shown.answer !== undefined) return [];
  }
  // The message continues with the document, which the card shows part by part.
  const [intro = ""] = (messages.get(runId) ?? "").split(/^# /m);
  messages.delete(runId);
  return [{ type: "proposal", proposalId: id, intro: intro.trim(), ...content }];
}

function reportCard(run: RunOverview, state: ConversationState, t: Translate): CardEvent[] {
  const { runId, report, status, outputs, retries } = run;
  // A run that goes on after a failure has another report in the end.
  const id = retries === 0 ? `report:${runId}` : `report:${runId}:${retries + 1}`;
  if (report === null || state.positions.has(id)) return [];
  const isKnown = state.items.some((item) => item.kind === "proposal" && item.runId === runId);
  if (!isKnown) return [];
  const step = (command: "openRunOutputs" | "retryRun" | "skipRun", label: string) =>
    ({ type: "command", command, label, about: runId }) as const;
  return [
    {
      type: "notice",
      id,
      text: report.text,
      level: status === "FAILED" && run.state !== "cancelled" ? "warning" : "info",
      steps: [
        ...(outputs.length === 0 ? [] : [step("openRunOutputs", t("Open Outputs"))]),
        ...(run.state === "failed" ? [step("retryRun", t("Try Again"))] : []),
        ...(run.canSkip ? [step("skipRun", t("Go On Without It"))] : []),
      ],
    },
  ];
}
