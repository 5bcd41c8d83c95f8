import type * as real from "vscode";
import type { Editors } from "./editors.js";
import { LogLevel, StatusBarAlignment } from "./enums.js";
import { CancellationTokenSource, Disposable, EventEmitter } from "./events.js";
import { InputBox } from "./inputBox.js";
import type { Person, ShownMessage } from "./person.js";
import { QuickPick } from "./quickPick.js";
import type { Tabs } from "./tabs.js";
import type { Terminals } from "./terminals.js";
import { TreeView } from "./trees.js";
import type { Webviews } from "./webviews.js";

/** An entry of the status bar. */
export class StatusBarItem implements real.StatusBarItem {
  text = "";
  name: string | undefined;
  tooltip: string | real.MarkdownString | undefined;
  color: string | real.ThemeColor | undefined;
  backgroundColor: real.ThemeColor | undefined;
  command: string | real.Command | undefined;
  accessibilityInformation: real.AccessibilityInformation | undefined;
  isShown = false;

  constructor(
    readonly id: string,
    readonly alignment: real.StatusBarAlignment,
    readonly priority: number | undefined,
  ) {}

  show(): void {
    this.isShown = true;
  }
  hide(): void {
    this.isShown = false;
  }
  dispose(): void {
    this.isShown = false;
  }
}

/** Progress that was shown: what it said, and a way to cancel it. */
export class ShownProgress {
  readonly messages: string[] = [];
  isOver = false;
  private readonly source = new CancellationTokenSource();
  readonly token = this.source.token;

  constructor(readonly title: string) {}

  cancel(): void {
    this.source.cancel();
  }
}

/** The parts of a window that tests look at. */
export class Window {
  readonly statusBar: StatusBarItem[] = [];
  readonly progress: ShownProgress[] = [];
  readonly trees = new Map<string, TreeView<unknown>>();
  /** The lines of all output channels. */
  readonly log: string[] = [];
  uriHandler: real.UriHandler | undefined;
  private readonly changedState = new EventEmitter<real.WindowState>();
  private state: real.WindowState = { focused: true, active: true };

  constructor(
    private readonly person: Person,
    private readonly editors: Editors,
    private readonly tabs: Tabs,
    private readonly webviews: Webviews,
    private readonly terminals: Terminals,
  ) {}

  /** Takes the focus from the window, or gives it back. */
  set focused(focused: boolean) {
    this.state = { focused, active: focused };
    this.changedState.fire(this.state);
  }

  get api() {
    const { editors, tabs, webviews, terminals, person } = this;
    const state = () => this.state;
    const closed = terminals.closed.event;
    return {
      get state() {
        return state();
      },
      onDidChangeWindowState: this.changedState.event,
      get activeTextEditor(): real.TextEditor | undefined {
        return editors.active;
      },
      get visibleTextEditors(): readonly real.TextEditor[] {
        return editors.visible;
      },
      onDidChangeActiveTextEditor: editors.onDidChangeActive,
      onDidChangeVisibleTextEditors: editors.onDidChangeVisible,
      onDidChangeTextEditorSelection: editors.onDidChangeSelection,
      showTextDocument: ((
        what: real.TextDocument | real.Uri,
        options?: real.ViewColumn | real.TextDocumentShowOptions,
        preserveFocus?: boolean,
      ) => editors.show(what, options, preserveFocus)) as typeof real.window.showTextDocument,
      tabGroups: tabs.api,

      showInformationMessage: this.message(
        "information",
      ) as typeof real.window.showInformationMessage,
      showWarningMessage: this.message("warning") as typeof real.window.showWarningMessage,
      showErrorMessage: this.message("error") as typeof real.window.showErrorMessage,
      createQuickPick: <T extends real.QuickPickItem>() =>
        new QuickPick<T>((list) => {
          person.look(list);
        }),
      showQuickPick: ((items: never, options: never, token: never) =>
        this.pick(items, options, token)) as unknown as typeof real.window.showQuickPick,
      showInputBox: (options: real.InputBoxOptions = {}) =>
        new Promise<string | undefined>((resolve) => {
          const input = new InputBox(options);
          input.onDidEnd(resolve);
          person.lookAt(input);
        }),
      showOpenDialog: () => Promise.resolve(person.choosePaths()?.slice()),
      showSaveDialog: () => Promise.resolve(person.choosePaths()?.[0]),
      withProgress: async <R>(
        options: real.ProgressOptions,
        task: (
          progress: real.Progress<{ message?: string; increment?: number }>,
          token: real.CancellationToken,
        ) => Thenable<R>,
      ): Promise<R> => {
        const shown = new ShownProgress(options.title ?? "");
        this.progress.push(shown);
        const report = ({ message }: { message?: string }) => {
          if (message !== undefined) shown.messages.push(message);
        };
        try {
          return await task({ report }, shown.token);
        } finally {
          shown.isOver = true;
        }
      },
      createOutputChannel: ((name: string) =>
        this.channel(name)) as typeof real.window.createOutputChannel,
      createStatusBarItem: ((
        id: string | real.StatusBarAlignment,
        alignment: real.StatusBarAlignment = StatusBarAlignment.Left,
        priority?: number,
      ) => {
        const item = new StatusBarItem(String(id), alignment, priority);
        this.statusBar.push(item);
        return item;
      }) as typeof real.window.createStatusBarItem,

      createTreeView: <T>(id: string, options: real.TreeViewOptions<T>) => {
        const view = new TreeView(id, options);
        this.trees.set(id, view as TreeView<unknown>);
        return view as unknown as real.TreeView<T>;
      },
      registerWebviewViewProvider: (viewType: string, provider: real.WebviewViewProvider) => {
        webviews.register(viewType, provider);
        return new Disposable(() => {
          webviews.unregister(viewType);
        });
      },
      createWebviewPanel: (
        viewType: string,
        title: string,
        show:
          | real.ViewColumn
          | { readonly viewColumn: real.ViewColumn; readonly preserveFocus?: boolean },
        options?: real.WebviewPanelOptions & real.WebviewOptions,
      ): real.WebviewPanel => webviews.open(viewType, title, show, options),
      registerWebviewPanelSerializer: (viewType: string, one: real.WebviewPanelSerializer) => {
        webviews.serializers.set(viewType, one);
        return new Disposable(() => webviews.serializers.delete(viewType));
      },
      registerUriHandler: (handler: real.UriHandler) => {
        this.uriHandler = handler;
        return new Disposable(() => (this.uriHandler = undefined));
      },

      get terminals() {
        return terminals.all as unknown as readonly real.Terminal[];
      },
      createTerminal: ((options?: real.TerminalOptions) =>
        terminals.create(options)) as unknown as typeof real.window.createTerminal,
      onDidOpenTerminal: terminals.opened.event,
      onDidCloseTerminal: closed,
      onDidChangeTerminalShellIntegration: terminals.integrated.event,
      onDidEndTerminalShellExecution: terminals.ended.event,
    } satisfies Partial<typeof real.window>;
  }

  private message(kind: ShownMessage["kind"]) {
    return async (text: string, ...rest: unknown[]): Promise<unknown> => {
      const [first] = rest;
      const hasOptions = typeof first === "object" && first !== null && !("title" in first);
      const { modal = false, detail } = hasOptions ? (first as real.MessageOptions) : {};
      const items = (hasOptions ? rest.slice(1) : rest) as (string | real.MessageItem)[];
      const titleOf = (item: string | real.MessageItem) =>
        typeof item === "string" ? item : item.title;
      const buttons = items.map(titleOf);
      const shown = { kind, text, detail, isModal: modal, buttons, clicked: undefined };
      const clicked = await this.person.read(shown);
      const chosen = items.find((item) => titleOf(item) === clicked);
      if (clicked !== undefined && chosen === undefined) {
        throw new Error(`"${text}" has no button "${clicked}": ${buttons.join(" | ")}`);
      }
      return chosen;
    };
  }

  private async pick(
    given:
      | readonly (string | real.QuickPickItem)[]
      | Promise<readonly (string | real.QuickPickItem)[]>,
    options: real.QuickPickOptions = {},
    token?: real.CancellationToken,
  ): Promise<unknown> {
    const items = await given;
    const rows = items.map((item) => (typeof item === "string" ? { label: item } : item));
    const list = new QuickPick<real.QuickPickItem>((one) => {
      this.person.look(one);
    });
    list.title = options.title;
    list.placeholder = options.placeHolder;
    list.canSelectMany = options.canPickMany ?? false;
    list.items = rows;
    token?.onCancellationRequested(() => {
      list.hide();
    });
    const original = (row: real.QuickPickItem) => items[rows.indexOf(row)];
    return new Promise((resolve) => {
      list.onDidAccept(() => {
        const chosen = list.selectedItems.map(original);
        resolve(list.canSelectMany ? chosen : chosen[0]);
        list.hide();
      });
      list.onDidHide(() => {
        resolve(undefined);
      });
      list.show();
    });
  }

  private channel(name: string): real.LogOutputChannel {
    const log = (text: string) => void this.log.push(`${name}: ${text}`);
    const at =
      (level: string) =>
      (message: string | Error, ...args: unknown[]) => {
        log([`[${level}]`, String(message), ...args.map(String)].join(" "));
      };
    return {
      name,
      logLevel: LogLevel.Info,
      onDidChangeLogLevel: new EventEmitter<real.LogLevel>().event,
      trace: at("trace"),
      debug: at("debug"),
      info: at("info"),
      warn: at("warning"),
      error: at("error"),
      append: log,
      appendLine: log,
      replace: log,
      clear: () => undefined,
      // oxlint-disable-next-line typescript/no-deprecated -- both of its forms
      show: () => {
        log("shown");
      },
      hide: () => undefined,
      dispose: () => undefined,
    };
  }
}
