import * as vscode from "vscode";
import type { Ids } from "../../core/ports/system.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { PanelConnection, type PanelConnectionOptions } from "./panelConnection.js";

export interface ChatViewOptions extends Omit<PanelConnectionOptions, "nonce"> {
  readonly workspace: CurrentWorkspace;
  readonly ids: Ids;
}

/** The "Navigator" view. VS Code discards its page when it is hidden; a new one starts from a snapshot. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = "rooroo.chat";
  private connection: PanelConnection | undefined;
  /** Text for the input, kept until the view has a page. */
  private composed: string | undefined;
  private readonly trusted: vscode.Disposable;

  constructor(private readonly options: ChatViewOptions) {
    this.trusted = vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (this.connection) void this.options.workspace.session?.start();
    });
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.connection?.dispose();
    const nonce = this.options.ids.hex(32);
    const connection = new PanelConnection(view.webview, { ...this.options, nonce });
    this.connection = connection;
    view.onDidChangeVisibility(() => {
      if (!view.visible) connection.pageGone();
    });
    view.onDidDispose(() => {
      connection.dispose();
      if (this.connection === connection) this.connection = undefined;
    });
    if (this.composed !== undefined) connection.compose(this.composed);
    this.composed = undefined;
    void this.options.workspace.session?.start();
  }

  /** Whether the page is loaded and has received its snapshot. */
  get isShown(): boolean {
    return this.connection?.isLoaded ?? false;
  }

  /** Shows the view and focuses its input; `text` is inserted before what the user has typed there. */
  async focus(text = ""): Promise<void> {
    if (this.connection) this.connection.compose(text);
    else this.composed = text;
    await vscode.commands.executeCommand(`${ChatView.id}.focus`);
  }

  dispose(): void {
    this.trusted.dispose();
    this.connection?.dispose();
  }
}
