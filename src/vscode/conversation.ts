import * as vscode from "vscode";
import { newConversation } from "../core/conversation/conversationState.js";
import type { ConversationState, ItemChange } from "../core/conversation/conversationState.js";
import type { ConversationEvent } from "../core/conversation/events.js";
import { applyEvent } from "../core/conversation/reduce.js";
import { settle } from "../core/conversation/settle.js";

/** What the panels of this window show: one state, and word of each change to it. */
export class Conversation implements vscode.Disposable {
  readonly state: ConversationState = newConversation();
  private readonly changed = new vscode.EventEmitter<readonly ItemChange[]>();
  readonly onDidChange = this.changed.event;
  private readonly replaced = new vscode.EventEmitter<void>();
  /** Everything may be another now. */
  readonly onDidReplace = this.replaced.event;

  /** What a task was last begun for. */
  goalOf(taskId: string): string | undefined {
    const begun = this.state.items.findLast((one) => one.kind === "task" && one.taskId === taskId);
    return begun?.kind === "task" ? begun.goal : undefined;
  }

  add(...events: readonly ConversationEvent[]): void {
    for (const event of events) this.tell(applyEvent(this.state, event));
  }

  /** Starts anew with these events. */
  replace(events: readonly ConversationEvent[]): void {
    const { items, positions, approvals, tasks, live } = this.state;
    items.length = 0;
    for (const one of [positions, approvals, tasks, live]) one.clear();
    this.state.usage = newConversation().usage;
    this.state.ownQuestion = undefined;
    for (const event of events) applyEvent(this.state, event);
    this.replaced.fire();
  }

  /** For when nobody goes on with what is shown as going on. */
  settle(): void {
    this.tell(settle(this.state));
  }

  dispose(): void {
    this.changed.dispose();
    this.replaced.dispose();
  }

  private tell(changes: readonly ItemChange[]): void {
    // Sums of tokens change without an item; panels look at them when they are told.
    this.changed.fire(changes);
  }
}
