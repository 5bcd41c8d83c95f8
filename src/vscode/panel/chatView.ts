import * as vscode from "vscode";
import type { ViewId } from "../../contributions/views.js";
import type { ShownAttachment } from "../../core/conversation/input/attachment.js";
import type { ConversationId } from "../../core/ids.js";
import type { Ids } from "../../core/ports/system.js";
import { Conversation } from "../workspace/conversation.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { PanelConnection, type PanelConnectionOptions } from "./panelConnection.js";

export interface ChatViewOptions extends Omit<
  PanelConnectionOptions,
  "nonce" | "begin" | "surface"
> {
  readonly workspace: CurrentWorkspace;
  readonly ids: Ids;
}

/** The "Navigator" view. VS Code discards its page when it is hidden; a new one starts from a snapshot. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = "rooroo.chat" satisfies ViewId;
  private connection: PanelConnection | undefined;
  /** Text for the input, kept until the view has a page. */
  private composed: readonly [text: string, attachments: readonly ShownAttachment[]] | undefined;
  /** The item to scroll to, kept until the view has a page. */
  private revealed: string | undefined;
  private readonly trusted: vscode.Disposable;
  private following: vscode.Disposable | undefined;
  /** What is shown while nothing can run here. */
  private readonly nothing = new Conversation("");

  constructor(private readonly options: ChatViewOptions) {
    this.follow();
    this.trusted = vscode.workspace.onDidGrantWorkspaceTrust(() => {
      this.follow();
      if (this.connection) void this.options.workspace.session?.start();
    });
  }

  /** Shows the conversation that is the session's current one, from now on. */
  private follow(): void {
    const { conversations } = this.options.workspace.session ?? {};
    if (conversations === undefined) return;
    this.following = conversations.onDidChangeCurrent((now) => this.connection?.switchTo(now));
    this.connection?.switchTo(conversations.current);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.connection?.dispose();
    const nonce = this.options.ids.hex(32);
    const { current } = this.options.workspace.session?.conversations ?? {};
    const connection = new PanelConnection(view.webview, current ?? this.nothing, {
      ...this.options,
      nonce,
      surface: "sideBar",
      begin: () => this.options.workspace.require().conversations.begin(),
    });
    this.connection = connection;
    view.onDidChangeVisibility(() => {
      if (!view.visible) connection.pageGone();
    });
    view.onDidDispose(() => {
      connection.dispose();
      if (this.connection === connection) this.connection = undefined;
    });
    if (this.composed !== undefined) connection.compose(...this.composed);
    this.composed = undefined;
    if (this.revealed !== undefined) connection.reveal(this.revealed);
    this.revealed = undefined;
    void this.options.workspace.session?.start();
  }

  /** The conversation that the view visibly shows; `undefined` if none. */
  get visible(): ConversationId | undefined {
    return this.isShown ? this.connection?.conversation.id : undefined;
  }

  /** Whether the page is loaded and has received its snapshot. */
  get isShown(): boolean {
    return this.connection?.isLoaded ?? false;
  }

  /**
   * Shows the view and focuses its input.
   *
   * @param text inserted before what the user has typed there
   * @param attachments attached in addition to what the user has attached
   */
  async focus(text = "", attachments: readonly ShownAttachment[] = []): Promise<void> {
    if (this.connection) this.connection.compose(text, attachments);
    else this.composed = [text, attachments];
    await vscode.commands.executeCommand(`${ChatView.id}.focus`);
  }

  /** Decides about the approval that the page shows; without a page, shows it, so that the user sees it first. */
  async decide(decision: "allow" | "deny"): Promise<void> {
    if (this.connection?.decide(decision) !== true) await this.focus();
  }

  /** Shows the view and opens one of the menus below its input. */
  async openMenu(menu: "mode" | "approvals"): Promise<void> {
    await this.focus();
    this.connection?.openMenu(menu);
  }

  /** Shows the view at an item of its conversation; the focus stays where it is. */
  async reveal(itemId: string): Promise<void> {
    if (this.connection) this.connection.reveal(itemId);
    else this.revealed = itemId;
    await this.show();
  }

  /** Shows the view; the focus stays where it is. */
  async show(): Promise<void> {
    await vscode.commands.executeCommand(`${ChatView.id}.focus`, { preserveFocus: true });
  }

  dispose(): void {
    this.trusted.dispose();
    this.following?.dispose();
    this.nothing.dispose();
    this.connection?.dispose();
  }
}
