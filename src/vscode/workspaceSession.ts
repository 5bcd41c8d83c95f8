import * as vscode from "vscode";
import type { ConversationEvent } from "../core/conversation/events.js";
import { ConversationJournal } from "../core/conversation/journal.js";
import { messageOf, UserError } from "../core/errors.js";
import { Navigator, type NavigatorWorld } from "../core/navigator/navigator.js";
import type { Overview } from "../core/navigator/overview.js";
import type { FileSystem } from "../core/ports.js";
import type { Conversation } from "./conversation.js";
import type { PanelApprover } from "./panelApprover.js";
import type { Settings } from "./settings.js";

/** What a session needs of the machine. */
export type SessionWorld = Pick<
  NavigatorWorld,
  "files" | "shell" | "search" | "lock" | "clock" | "ids" | "model"
>;

/**
 * A Navigator at work in one folder: what happens is kept in the journal, shown in the conversation
 * and told to lists. Nothing is read or run before {@link start}.
 */
export class WorkspaceSession implements vscode.Disposable {
  readonly navigator: Navigator;
  private readonly journal: ConversationJournal;
  private readonly tasksChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeTasks = this.tasksChanged.event;
  private started: Promise<void> | undefined;

  constructor(
    readonly folder: vscode.Uri,
    private readonly world: SessionWorld,
    private readonly conversation: Conversation,
    settings: Settings,
    approver: PanelApprover,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.journal = new ConversationJournal(world.files, (error) => {
      this.tell("warning", `The conversation cannot be saved: ${messageOf(error)}`);
    });
    this.navigator = new Navigator({
      ...world,
      approver,
      settings: () => settings.read(),
      emit: (event) => {
        this.emit(event);
      },
    });
  }

  get files(): FileSystem {
    return this.world.files;
  }

  /** Shows the conversation so far and settles what a crash has left. Once; never rejects. */
  start(): Promise<void> {
    return (this.started ??= this.restore());
  }

  /**
   * Lets the Navigator do something. What goes wrong is told in the conversation, so that the
   * promise, which lasts as long as the work, may be left alone.
   */
  async run(work: (navigator: Navigator) => Promise<unknown>): Promise<void> {
    try {
      await this.start();
      await work(this.navigator);
    } catch (error) {
      this.tellError(error);
    }
  }

  overview(): Promise<Overview> {
    return this.navigator.overview();
  }

  /** Ends what runs, commands' processes included, and waits for the journal. */
  async stop(): Promise<void> {
    if (this.navigator.busy) await this.navigator.stop();
    await this.journal.flush();
  }

  dispose(): void {
    this.tasksChanged.dispose();
  }

  private emit(event: ConversationEvent): void {
    this.journal.append(event);
    if (event.type === "tasksChanged") this.tasksChanged.fire();
    else this.conversation.add(event);
  }

  private async restore(): Promise<void> {
    try {
      const { events } = await this.journal.load();
      this.conversation.add(...events);
      const { holder } = await this.navigator.overview();
      if (holder === undefined) this.conversation.settle();
      await this.navigator.recover((questionId) => this.isShown(questionId));
    } catch (error) {
      this.tellError(error);
    }
  }

  private isShown(questionId: string): boolean {
    return this.conversation.state.positions.has(questionId);
  }

  private tellError(error: unknown): void {
    if (error instanceof UserError) {
      this.tell("error", error.message);
      return;
    }
    this.log.error(error instanceof Error ? error : String(error));
    this.tell(
      "error",
      vscode.l10n.t(
        "Something went wrong in Rooroo itself: {0}. The output channel “Rooroo” has the details.",
        messageOf(error),
      ),
    );
  }

  private tell(level: "warning" | "error", text: string): void {
    const { clock, ids } = this.world;
    const id = `n-${ids.hex(12)}`;
    this.emit({ at: clock.now().toISOString(), type: "notice", id, level, text, steps: [] });
  }
}
