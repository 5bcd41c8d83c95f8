import * as vscode from "vscode";
import { newConversation } from "../../core/conversation/conversationState.js";
import type { ConversationState, ItemChange } from "../../core/conversation/conversationState.js";
import type { ConversationEvent, LongWork } from "../../core/conversation/events.js";
import { applyEvent } from "../../core/conversation/reduce.js";
import { settle } from "../../core/conversation/settle.js";
import type { TaskId } from "../../core/ids.js";

/** The conversation that all panels of this window show: one state, and an event for each change to it. */
export class Conversation implements vscode.Disposable {
  readonly state: ConversationState = newConversation();
  private readonly changed = new vscode.EventEmitter<readonly ItemChange[]>();
  readonly onDidChange = this.changed.event;
  private readonly replaced = new vscode.EventEmitter<void>();
  /** Fires when the whole state has been replaced. */
  readonly onDidReplace = this.replaced.event;

  /** Returns the job or run to which an agent session belongs, as far as the conversation shows it. */
  workOf(taskId: TaskId): LongWork | undefined {
    return this.state.items.find((one) => "taskId" in one && one.taskId === taskId)?.work;
  }

  /** Returns the goal that the task was last started with. */
  goalOf(taskId: TaskId): string | undefined {
    const begun = this.state.items.findLast((one) => one.kind === "task" && one.taskId === taskId);
    return begun?.kind === "task" ? begun.goal : undefined;
  }

  add(...events: readonly ConversationEvent[]): void {
    for (const event of events) this.publish(applyEvent(this.state, event));
  }

  /** Replaces the whole conversation with these events. */
  replace(events: readonly ConversationEvent[]): void {
    const { items, positions, approvals, tasks, live } = this.state;
    items.length = 0;
    for (const one of [positions, approvals, tasks, live]) one.clear();
    this.state.usage = newConversation().usage;
    this.state.ownQuestion = undefined;
    for (const event of events) applyEvent(this.state, event);
    this.replaced.fire();
  }

  /** Marks everything that is still shown as running as ended, for when no process works on it any more. */
  settle(): void {
    this.publish(settle(this.state));
  }

  dispose(): void {
    this.changed.dispose();
    this.replaced.dispose();
  }

  private publish(changes: readonly ItemChange[]): void {
    // Fires even without item changes: token sums change without one, and panels read them on this event.
    this.changed.fire(changes);
  }
}
