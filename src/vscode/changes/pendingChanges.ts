import * as vscode from "vscode";
import type { ConversationId } from "../../core/ids.js";
import type { Clock } from "../../core/ports/system.js";
import type { PanelStatus } from "../../protocol/messages.js";
import type { TaskList } from "../tasks/taskList.js";
import { shorten } from "../text/shorten.js";
import { coalesce, type Coalesced } from "../timing/coalesce.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { type ChangedSubject, lastChanged } from "./lastChanged.js";

type Changes = PanelStatus["changes"];

/**
 * The changes of each conversation's last task or plan that nobody has kept, reverted or undone, as their record has
 * them.
 */
export class PendingChanges implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly known = new Map<ConversationId, { key: string; changes: Changes }>();
  private readonly look: Coalesced;
  private readonly subscription: vscode.Disposable;

  /** Reads the record again after a short delay. */
  readonly refresh: Coalesced;

  constructor(
    private readonly workspace: CurrentWorkspace,
    tasks: TaskList,
    clock: Clock,
  ) {
    this.refresh = coalesce(() => this.read(true), 100, clock);
    this.look = coalesce(() => this.read(false), 100, clock);
    this.subscription = tasks.onDidChange(this.look);
  }

  of(conversation: ConversationId): Changes {
    return this.known.get(conversation)?.changes ?? null;
  }

  dispose(): void {
    this.refresh.dispose();
    this.look.dispose();
    this.subscription.dispose();
    this.changed.dispose();
  }

  /** @param anew whether the record is read although no other task has ended since */
  private async read(anew: boolean): Promise<void> {
    const { session } = this.workspace;
    if (session?.isStarted !== true) return;
    for (const { id, state } of session.conversations.open) {
      const subject = lastChanged(state);
      const key = subject === undefined ? "" : JSON.stringify(subject);
      if (!anew && this.known.get(id)?.key === key) continue;
      this.known.set(id, { key, changes: subject ? await this.changesOf(subject) : null });
    }
    this.changed.fire();
  }

  private async changesOf({ id, goal, report, taskIds }: ChangedSubject): Promise<Changes> {
    try {
      const { countLines } = await import("./countLines.js");
      const changes = await this.workspace.require().changes();
      const counted = countLines(await changes.files(taskIds));
      return counted.files === 0 ? null : { id, goal: shorten(goal, 80), report, ...counted };
    } catch {
      // Whoever opens the review is told what is wrong.
      return null;
    }
  }
}
