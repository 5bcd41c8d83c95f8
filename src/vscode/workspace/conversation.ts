import * as vscode from "vscode";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import { applyWhole } from "../../core/conversation/state/applyWhole.js";
import {
  clearConversation,
  newConversation,
  type ConversationState,
  type ItemChange,
} from "../../core/conversation/state/conversationState.js";
import { placeOf, placeOfWork } from "../../core/conversation/state/placeOf.js";
import { applyEvent } from "../../core/conversation/state/reduce.js";
import { movesItems, offerUnfinished } from "../../core/conversation/state/reduceRestored.js";
import { settle } from "../../core/conversation/state/settle.js";
import type { LoadedConversation } from "../../core/conversation/store/journal.js";
import { titleOf } from "../../core/conversation/store/titleOf.js";
import type { LongWork, ConversationId, TaskId } from "../../core/ids.js";
import { t } from "../text/words.js";

/** A conversation that panels of this window show: one state, and an event for each change to it. */
export class Conversation implements vscode.Disposable {
  readonly state: ConversationState = newConversation(t);
  private readonly changed = new vscode.EventEmitter<readonly ItemChange[]>();
  readonly onDidChange = this.changed.event;
  private readonly replaced = new vscode.EventEmitter<void>();
  /** Fires when the whole state has been replaced. */
  readonly onDidReplace = this.replaced.event;

  private readonly renamed = new vscode.EventEmitter<void>();
  readonly onDidRename = this.renamed.event;
  /** Whether only the end of its file has been read. */
  private partial = false;
  /** The title of its file; `""` while that is not known. */
  private fileTitle = "";

  constructor(readonly id: ConversationId) {}

  /** The title: its file's, else the first request; `""` if there is none yet. */
  get title(): string {
    if (this.fileTitle !== "") return this.fileTitle;
    const first = this.state.items.find((item) => item.kind === "user");
    return first?.kind === "user" ? titleOf(first.text) : "";
  }

  set title(title: string) {
    this.fileTitle = title;
    this.renamed.fire();
  }

  /** Whether its file has more, before what is here. */
  get isPartial(): boolean {
    return this.partial;
  }

  /** Whether nothing has happened in it. */
  get isEmpty(): boolean {
    return this.state.items.length === 0;
  }

  /** Returns the job or run to which an agent session belongs, as far as the conversation shows it. */
  workOf(taskId: TaskId): LongWork | undefined {
    return this.state.items.find((one) => "taskId" in one && one.taskId === taskId)?.work;
  }

  /** Returns the goal that the task was last started with. */
  goalOf(taskId: TaskId): string | undefined {
    const begun = this.state.items.findLast((one) => one.kind === "task" && one.taskId === taskId);
    return begun?.kind === "task" ? begun.goal : undefined;
  }

  /** Returns the id of the item that says most about a task now; see {@link placeOf}. */
  placeOf(taskId: TaskId): string | undefined {
    return placeOf(this.state.items, taskId);
  }

  /** Returns the id of the item that says most about a job or a run now. */
  placeOfWork(work: LongWork): string | undefined {
    return placeOfWork(this.state.items, work);
  }

  add(...events: readonly ConversationEvent[]): void {
    for (const event of events) {
      const changes = applyEvent(this.state, event);
      this.publish(changes);
      if (movesItems(event)) this.replaced.fire();
    }
  }

  /** Replaces the conversation with what was read of its file. */
  replace({ events, truncated }: LoadedConversation): void {
    clearConversation(this.state);
    for (const event of events) applyEvent(this.state, event);
    this.partial = truncated;
    this.replaced.fire();
  }

  /**
   * Adds what was not read before.
   *
   * @param events all events of its file
   */
  makeWhole(events: readonly ConversationEvent[]): void {
    applyWhole(this.state, events);
    offerUnfinished(this.state);
    this.partial = false;
    this.replaced.fire();
  }

  /**
   * Marks everything that is still shown as running as ended, for when no process works on it any more.
   *
   * @param taskId only what belongs to this agent session
   */
  settle(taskId?: TaskId): void {
    this.publish(settle(this.state, taskId));
  }

  /** Offers to finish or undo a restore that was cut off. */
  offerUnfinished(): void {
    this.publish(offerUnfinished(this.state));
  }

  dispose(): void {
    this.changed.dispose();
    this.replaced.dispose();
    this.renamed.dispose();
  }

  private publish(changes: readonly ItemChange[]): void {
    // Fires even without item changes: token sums change without one, and panels read them on this event.
    this.changed.fire(changes);
  }
}
