import * as vscode from "vscode";
import type { ShownAttachment } from "../../core/conversation/input/attachment.js";
import type { Draft } from "../../core/conversation/input/draft.js";
import type { ConversationId } from "../../core/ids.js";
import { once } from "../../core/once.js";
import type { PanelStatus, ToPanel } from "../../protocol/messages.js";
import { PanelFeed } from "../../protocol/panelFeed.js";
import { type PanelSurface, panelHtml } from "../../protocol/panelHtml.js";
import { type PanelHandlers, RpcHost } from "../../protocol/rpcHost.js";
import { errorText } from "../errors/errorText.js";
import { language } from "../text/words.js";
import type { Conversation } from "../workspace/conversation.js";

/** Milliseconds between two increments that are sent to the page. */
const frame = 33;

/** Where a page's requests come from. */
export interface PanelPlace {
  /** Returns the conversation that the page shows. */
  readonly conversation: () => ConversationId;
  /** Has the page show a new conversation. */
  readonly begin: () => void;
}

/** The handlers of all requests that are not about the page alone. */
export type PlacedHandlers = Omit<PanelHandlers, "earlier" | "texts" | "keepDraft">;

export interface PanelConnectionOptions {
  readonly extensionUri: vscode.Uri;
  readonly status: {
    /** Returns the status as a panel shows it around a conversation. */
    around(conversation: ConversationId): PanelStatus;
    readonly onDidChange: vscode.Event<unknown>;
  };
  /** Reads what of a conversation's file was not read when it was opened. */
  readonly readRest: (conversation: ConversationId) => Promise<void>;
  /** What is typed in conversations and not sent. */
  readonly drafts: {
    of(conversation: ConversationId): Draft;
    keep(conversation: ConversationId, draft: Draft): void;
  };
  /**
   * Loads the handlers for the page's requests, except those that the connection itself answers.
   *
   * @param place what the page shows, and how it shows something else
   */
  handlers(place: PanelPlace): Promise<PlacedHandlers>;
  /** Has the page show a new conversation. */
  readonly begin: () => void;
  readonly nonce: string;
  readonly surface: PanelSurface;
}

/** The connection to one page of the panel, in any kind of webview: sets up the page and keeps it up to date. */
export class PanelConnection implements vscode.Disposable {
  private feed: PanelFeed;
  private following: vscode.Disposable;
  private readonly subscriptions: vscode.Disposable[];
  private loaded = false;
  private readonly post = (message: ToPanel): void => void this.webview.postMessage(message);

  constructor(
    private readonly webview: vscode.Webview,
    private shown: Conversation,
    private readonly options: PanelConnectionOptions,
  ) {
    const { status } = options;
    this.feed = this.feedOf(shown);
    this.following = this.follow(shown);
    const handlers = once(async (): Promise<PanelHandlers> => {
      const place = { conversation: () => this.shown.id, begin: options.begin };
      const earlier: PanelHandlers["earlier"] = async ({ before }) => {
        await this.feed.readBefore(before);
        return this.feed.earlier(before);
      };
      const keepDraft: PanelHandlers["keepDraft"] = ({ conversation, ...draft }) => {
        options.drafts.keep(conversation, draft);
        return undefined;
      };
      const texts: PanelHandlers["texts"] = ({ ids }) => this.feed.texts(ids);
      return { ...(await options.handlers(place)), earlier, texts, keepDraft };
    });
    const rpc = new RpcHost(handlers, this.post, errorText, () => {
      this.loaded = true;
      this.feed.snapshot();
    });
    this.subscriptions = [
      webview.onDidReceiveMessage((message) => rpc.receive(message)),
      status.onDidChange(() => {
        this.feed.setStatus(this.status);
      }),
    ];
    this.show(options);
  }

  /** The conversation that the page shows. */
  get conversation(): Conversation {
    return this.shown;
  }

  /** Has the page show another conversation. */
  switchTo(conversation: Conversation): void {
    if (conversation === this.shown) return;
    this.following.dispose();
    this.feed.dispose();
    this.shown = conversation;
    this.feed = this.feedOf(conversation);
    this.following = this.follow(conversation);
    if (this.loaded) this.feed.snapshot();
  }

  private get status(): PanelStatus {
    return this.options.status.around(this.shown.id);
  }

  private feedOf(conversation: Conversation): PanelFeed {
    const { id, state } = conversation;
    return new PanelFeed({
      conversation: id,
      state,
      status: this.status,
      draft: () => this.options.drafts.of(id),
      rest: {
        exists: () => conversation.isPartial,
        read: () => this.options.readRest(id),
      },
      post: this.post,
      schedule: (callback) => setTimeout(callback, frame),
    });
  }

  private follow(conversation: Conversation): vscode.Disposable {
    return vscode.Disposable.from(
      conversation.onDidChange((changes) => {
        this.feed.changed(changes);
      }),
      conversation.onDidReplace(() => {
        if (this.loaded) this.feed.snapshot();
      }),
    );
  }

  /** Whether the page has asked for its snapshot and received it. */
  get isLoaded(): boolean {
    return this.loaded;
  }

  /** Called when VS Code has discarded the page; VS Code creates a new one when the view is shown again. */
  pageGone(): void {
    this.loaded = false;
    void vscode.commands.executeCommand("setContext", "rooroo.panelFocus", false);
    this.feed.pageGone();
  }

  compose(text: string, attachments: readonly ShownAttachment[] = []): void {
    this.feed.compose(text, attachments);
  }

  /** Has the page scroll to an item and mark it. */
  reveal(itemId: string): void {
    this.feed.reveal(itemId);
  }

  /** Decides about the approval that the page shows. Returns `false` if there is no page. */
  decide(decision: "allow" | "deny"): boolean {
    if (this.loaded) void this.webview.postMessage({ type: "decide", decision } satisfies ToPanel);
    return this.loaded;
  }

  openMenu(menu: "mode" | "approvals"): void {
    this.feed.openMenu(menu);
  }

  dispose(): void {
    this.following.dispose();
    this.feed.dispose();
    for (const one of this.subscriptions) one.dispose();
  }

  private show({ extensionUri, nonce, surface }: PanelConnectionOptions): void {
    const { webview } = this;
    const page = vscode.Uri.joinPath(extensionUri, "dist", "webview");
    const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(page, name)).toString();
    webview.options = { enableScripts: true, localResourceRoots: [page] };
    webview.html = panelHtml({
      scriptUris: [...(language === "en" ? [] : [uri(`words.${language}.js`)]), uri("panel.js")],
      styleUris: [uri("panel.css")],
      codiconUri: uri("codicon.css"),
      cspSource: webview.cspSource,
      nonce,
      lang: language,
      surface,
    });
  }
}
