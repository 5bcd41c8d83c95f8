import * as vscode from "vscode";
import type { Ids } from "../core/ports.js";
import type { CurrentWorkspace } from "./currentWorkspace.js";
import { PanelConnection, type PanelConnectionOptions } from "./panelConnection.js";

export interface ChatViewOptions extends Omit<PanelConnectionOptions, "nonce"> {
  readonly workspace: CurrentWorkspace;
  readonly ids: Ids;
}

/** The "Navigator" view. Its page is thrown away when it is hidden and comes back from a snapshot. */
export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = "rooroo.chat";
  private connection: PanelConnection | undefined;
  /** Waits for the page that a reveal brings. */
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

  /** The page is there and has what it shows. */
  get isShown(): boolean {
    return this.connection?.isLoaded ?? false;
  }

  /** Shows the view and puts the cursor into its input; `text` goes before what is typed there. */
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
