import type * as real from "vscode";
import { ViewColumn } from "./enums.js";
import { CancellationTokenSource, EventEmitter } from "./events.js";
import { type Tab, TabInputWebview, type Tabs } from "./tabs.js";

/** The page of a view or of an editor: what the extension sets and sends, and a way to send something back. */
export class Webview implements real.Webview {
  options: real.WebviewOptions = {};
  readonly cspSource = "'self'";
  /** What the extension has sent, the oldest first. */
  readonly sent: unknown[] = [];
  private page = "";
  private readonly received = new EventEmitter<unknown>();
  private readonly posted = new EventEmitter<unknown>();
  private readonly loaded = new EventEmitter<string>();
  readonly onDidReceiveMessage = this.received.event as real.Event<never>;
  /** Fires for what the extension sends. */
  readonly onDidPost = this.posted.event;
  /** Fires when the extension sets another page. */
  readonly onDidLoad = this.loaded.event;

  /** @param root of what pages load; an address in it is a path from there */
  constructor(private readonly root: real.Uri) {}

  get html(): string {
    return this.page;
  }
  set html(text: string) {
    this.page = text;
    this.loaded.fire(text);
  }

  postMessage(message: unknown): Promise<boolean> {
    // As it is when it is sent: what is changed later does not arrive.
    const copy = structuredClone(message);
    this.sent.push(copy);
    this.posted.fire(copy);
    return Promise.resolve(true);
  }

  asWebviewUri(local: real.Uri): real.Uri {
    return local.with({ scheme: "http", authority: "webview", path: this.inside(local) });
  }

  /** Sends what a page would send. */
  receive(message: unknown): void {
    this.received.fire(structuredClone(message));
  }

  dispose(): void {
    for (const one of [this.received, this.posted, this.loaded]) one.dispose();
  }

  private inside({ path }: real.Uri): string {
    return path.startsWith(this.root.path) ? path.slice(this.root.path.length) : path;
  }
}

/** A view in a side bar that has a page. */
export class WebviewView implements real.WebviewView {
  title: string | undefined;
  description: string | undefined;
  badge: real.ViewBadge | undefined;
  private shown = true;
  private readonly disposed = new EventEmitter<void>();
  private readonly changed = new EventEmitter<void>();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeVisibility = this.changed.event;

  constructor(
    readonly viewType: string,
    readonly webview: Webview,
  ) {}

  get visible(): boolean {
    return this.shown;
  }
  set visible(isVisible: boolean) {
    if (isVisible === this.shown) return;
    this.shown = isVisible;
    this.changed.fire();
  }

  show(): void {
    this.visible = true;
  }

  dispose(): void {
    this.disposed.fire();
    this.webview.dispose();
  }
}

/** An editor that has a page. */
export class WebviewPanel implements real.WebviewPanel {
  iconPath: real.WebviewPanel["iconPath"];
  private readonly tab: Tab;
  private readonly disposed = new EventEmitter<void>();
  private readonly changed = new EventEmitter<real.WebviewPanelOnDidChangeViewStateEvent>();
  readonly onDidDispose = this.disposed.event;
  readonly onDidChangeViewState = this.changed.event;
  private isDisposed = false;
  private before = "";

  constructor(
    readonly viewType: string,
    title: string,
    readonly webview: Webview,
    readonly options: real.WebviewPanelOptions,
    private readonly tabs: Tabs,
    show:
      | real.ViewColumn
      | { readonly viewColumn: real.ViewColumn; readonly preserveFocus?: boolean },
  ) {
    const place = typeof show === "number" ? { viewColumn: show } : show;
    const input = new TabInputWebview(`mainThreadWebview-${viewType}`);
    const onClose = () => {
      this.end();
    };
    this.tab = tabs.open(
      { label: title, input, onClose },
      { column: place.viewColumn, preserveFocus: place.preserveFocus ?? false },
    );
    const looking = tabs.onDidLook(() => {
      const now = `${this.active} ${this.visible}`;
      if (now === this.before || this.isDisposed) return;
      this.before = now;
      this.changed.fire({ webviewPanel: this });
    });
    this.disposed.event(() => {
      looking.dispose();
    });
  }

  get title(): string {
    return this.tab.label;
  }
  set title(text: string) {
    this.tab.label = text;
  }
  get active(): boolean {
    return this.tabs.active === this.tab;
  }
  get visible(): boolean {
    return this.tab.isActive;
  }
  get viewColumn(): real.ViewColumn {
    return this.tabs.columnOf(this.tab) ?? ViewColumn.One;
  }

  reveal(_column?: real.ViewColumn, preserveFocus = false): void {
    this.tabs.show(this.tab, preserveFocus);
  }

  dispose(): void {
    if (!this.tabs.close([this.tab])) this.end();
  }

  private end(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.disposed.fire();
    this.webview.dispose();
  }
}

/** The views and editors with pages. */
export class Webviews {
  readonly views = new Map<string, WebviewView>();
  readonly panels: WebviewPanel[] = [];
  readonly serializers = new Map<string, real.WebviewPanelSerializer>();
  private readonly providers = new Map<string, real.WebviewViewProvider>();

  constructor(
    private readonly root: real.Uri,
    private readonly tabs: Tabs,
  ) {}

  register(viewType: string, provider: real.WebviewViewProvider): void {
    this.providers.set(viewType, provider);
  }

  unregister(viewType: string): void {
    this.providers.delete(viewType);
  }

  isRegistered(viewType: string): boolean {
    return this.providers.has(viewType);
  }

  /** Shows a view, as a click on its tab does; the first time, its extension fills it. */
  async show(viewType: string): Promise<WebviewView> {
    const known = this.views.get(viewType);
    if (known !== undefined) {
      known.show();
      return known;
    }
    const provider = this.providers.get(viewType);
    if (provider === undefined) throw new Error(`No view ${viewType} is registered.`);
    const view = new WebviewView(viewType, new Webview(this.root));
    this.views.set(viewType, view);
    view.onDidDispose(() => this.views.delete(viewType));
    const { token } = new CancellationTokenSource();
    await provider.resolveWebviewView(view, { state: undefined }, token);
    return view;
  }

  open(
    viewType: string,
    title: string,
    show: ConstructorParameters<typeof WebviewPanel>[5],
    options: real.WebviewPanelOptions & real.WebviewOptions = {},
  ): WebviewPanel {
    const webview = new Webview(this.root);
    webview.options = options;
    const panel = new WebviewPanel(viewType, title, webview, options, this.tabs, show);
    this.panels.push(panel);
    panel.onDidDispose(() => this.panels.splice(this.panels.indexOf(panel), 1));
    return panel;
  }

  /** Restores an editor as VS Code does after a reload. */
  async restore(viewType: string, title: string, state: unknown): Promise<WebviewPanel> {
    const serializer = this.serializers.get(viewType);
    if (serializer === undefined) throw new Error(`Nobody restores editors of ${viewType}.`);
    const panel = this.open(viewType, title, ViewColumn.Active);
    await serializer.deserializeWebviewPanel(panel, state);
    return panel;
  }
}
