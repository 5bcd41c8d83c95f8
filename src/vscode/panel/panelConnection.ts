import * as vscode from "vscode";
import type { PanelStatus, ToPanel } from "../../protocol/messages.js";
import { PanelFeed } from "../../protocol/panelFeed.js";
import { panelHtml } from "../../protocol/panelHtml.js";
import { type PanelHandlers, RpcHost } from "../../protocol/rpcHost.js";
import { errorText } from "../errors/errorText.js";
import type { Conversation } from "../workspace/conversation.js";

/** Milliseconds between two increments that are sent to the page. */
const frame = 33;

export interface PanelConnectionOptions {
  readonly extensionUri: vscode.Uri;
  readonly conversation: Conversation;
  readonly status: {
    readonly current: PanelStatus;
    readonly onDidChange: vscode.Event<PanelStatus>;
  };
  /** Handlers for the page's requests; the connection itself answers `earlier`. */
  readonly handlers: Omit<PanelHandlers, "earlier">;
  readonly nonce: string;
}

/** The connection to one page of the panel, in any kind of webview: sets up the page and keeps it up to date. */
export class PanelConnection implements vscode.Disposable {
  private readonly feed: PanelFeed;
  private readonly subscriptions: vscode.Disposable[];
  private loaded = false;

  constructor(
    private readonly webview: vscode.Webview,
    options: PanelConnectionOptions,
  ) {
    const { conversation, status } = options;
    const post = (message: ToPanel) => void this.webview.postMessage(message);
    this.feed = new PanelFeed({
      state: conversation.state,
      status: status.current,
      post,
      schedule: (callback) => setTimeout(callback, frame),
    });
    const rpc = new RpcHost(
      { ...options.handlers, earlier: ({ before }) => this.feed.earlier(before) },
      post,
      errorText,
      () => {
        this.loaded = true;
        this.feed.snapshot();
      },
    );
    this.subscriptions = [
      webview.onDidReceiveMessage((message) => rpc.receive(message)),
      conversation.onDidChange((changes) => {
        this.feed.changed(changes);
      }),
      conversation.onDidReplace(() => {
        if (this.loaded) this.feed.snapshot();
      }),
      status.onDidChange((now) => {
        this.feed.setStatus(now);
      }),
    ];
    this.show(options);
  }

  /** Whether the page has asked for its snapshot and received it. */
  get isLoaded(): boolean {
    return this.loaded;
  }

  /** Called when VS Code has discarded the page; VS Code creates a new one when the view is shown again. */
  pageGone(): void {
    this.loaded = false;
    this.feed.pageGone();
  }

  compose(text: string): void {
    this.feed.compose(text);
  }

  dispose(): void {
    this.feed.dispose();
    for (const one of this.subscriptions) one.dispose();
  }

  private show({ extensionUri, nonce }: PanelConnectionOptions): void {
    const { webview } = this;
    const page = vscode.Uri.joinPath(extensionUri, "dist", "webview");
    const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(page, name)).toString();
    webview.options = { enableScripts: true, localResourceRoots: [page] };
    webview.html = panelHtml({
      scriptUri: uri("panel.js"),
      styleUris: [uri("panel.css")],
      codiconUri: uri("codicon.css"),
      cspSource: webview.cspSource,
      nonce,
      lang: vscode.env.language,
    });
  }
}
