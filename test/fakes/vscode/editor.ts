import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as real from "vscode";
import { Chat } from "./chat.js";
import { Commands, commandsApi } from "./commands.js";
import { Configuration } from "./configuration.js";
import { emptyStorage, extensionContext, type Stored } from "./context.js";
import { Documents } from "./documents.js";
import { Editors } from "./editors.js";
import { ExtensionKind } from "./enums.js";
import { Environment } from "./environment.js";
import { FileWatchers } from "./files.js";
import { Languages } from "./languages.js";
import { LanguageModels } from "./models.js";
import { Person } from "./person.js";
import { Tabs } from "./tabs.js";
import { Terminals } from "./terminals.js";
import type { Range } from "./text.js";
import { Uri } from "./uri.js";
import { Webviews } from "./webviews.js";
import { Window } from "./window.js";
import { Workspace } from "./workspace.js";

export interface EditorOptions {
  /** The folder that is open. Default: none. */
  readonly folder?: string;
  /** Default: `true`. */
  readonly trusted?: boolean;
  /** The user's settings, by their whole names. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The folder of the extension. */
  readonly extensionPath?: string;
  /** The extension's `package.json`. */
  readonly manifest?: object;
  /** The display language, with its messages. Default: English. */
  readonly language?: readonly [tag: string, bundle: Readonly<Record<string, string>>];
  /** What an earlier window has left. */
  readonly stored?: Stored;
}

/**
 * A window of VS Code that nobody sees: an API for an extension, and a person for tests.
 *
 * The field has mocks of the API (`jest-mock-vscode` is the best kept of them), but their windows, commands and settings
 * are empty spies of one test runner, with no events and nobody who answers; a test over them would prove its own stubs.
 * So this is our own, except for `Uri`, which comes from VS Code's authors. It is true in what the contract's tests ask
 * of it, which are asked of the real editor as well (`test/editor/vscodeContract.test.ts`).
 */
export class Editor {
  readonly person = new Person();
  readonly commands = new Commands();
  readonly tabs = new Tabs();
  readonly documents = new Documents();
  readonly editors = new Editors(this.tabs, this.documents);
  readonly languages = new Languages(this.documents);
  readonly terminals = new Terminals();
  readonly models = new LanguageModels();
  readonly chat = new Chat();
  readonly configuration: Configuration;
  readonly webviews: Webviews;
  readonly window: Window;
  readonly workspace: Workspace;
  readonly environment: Environment;
  readonly watchers: FileWatchers;
  readonly stored: Stored;
  /** Other extensions, by their ids. */
  readonly extensions = new Map<string, real.Extension<unknown>>();
  readonly api;
  private readonly options: EditorOptions;

  constructor(options: EditorOptions = {}) {
    this.options = options;
    const { folder, trusted = true, settings, manifest = {}, language = ["en"] } = options;
    const extensionUri = Uri.file(options.extensionPath ?? "/extension");
    this.stored = options.stored ?? emptyStorage(join(tmpdir(), "rooroo-stored"));
    this.configuration = new Configuration(manifest, settings);
    this.watchers = new FileWatchers(folder);
    this.webviews = new Webviews(extensionUri, this.tabs);
    this.window = new Window(this.person, this.editors, this.tabs, this.webviews, this.terminals);
    this.workspace = new Workspace(
      folder,
      trusted,
      this.configuration,
      this.documents,
      this.watchers,
    );
    this.environment = new Environment(language[0], join(this.stored.folder, "app"));
    this.watchers.onDidHappen(({ path }) => void this.documents.refresh(Uri.file(path)));
    this.registerBuiltIns();
    this.api = this.makeApi(language[1]);
  }

  /** Returns what `activate` is called with. */
  context(): real.ExtensionContext {
    const { extensionPath = "/extension", manifest = {}, folder } = this.options;
    const { name = "extension", publisher = "test" } = manifest as Record<string, string>;
    const extension = {
      id: `${publisher}.${name}`,
      extensionUri: Uri.file(extensionPath),
      extensionPath,
      isActive: true,
      packageJSON: manifest,
      extensionKind: ExtensionKind.Workspace,
      exports: undefined,
      activate: () => Promise.resolve(undefined),
    };
    this.extensions.set(extension.id, extension);
    return extensionContext(extension, this.stored, folder !== undefined);
  }

  async close(): Promise<void> {
    this.person.leave();
    this.tabs.close(this.tabs.all);
    await this.watchers.close();
  }

  private makeApi(bundle: Readonly<Record<string, string>> | undefined) {
    return {
      commands: commandsApi(this.commands),
      window: this.focusable(this.window.api),
      workspace: this.workspace.api,
      languages: this.languages.api,
      env: this.environment.api,
      lm: this.models.api,
      chat: this.chat.api,
      extensions: {
        getExtension: ((id: string) =>
          this.extensions.get(id)) as typeof real.extensions.getExtension,
        all: [...this.extensions.values()],
      } satisfies Partial<typeof real.extensions>,
      l10n: {
        bundle,
        uri: undefined,
        t: ((message: string | { message: string }) =>
          typeof message === "string" ? message : message.message) as typeof real.l10n.t,
      } satisfies typeof real.l10n,
    };
  }

  /** Makes the commands that focus a view, which VS Code registers with the view. */
  private focusable(window: Window["api"]): Window["api"] {
    const register = window.registerWebviewViewProvider;
    return Object.defineProperty(window, "registerWebviewViewProvider", {
      configurable: true,
      value: (...args: Parameters<typeof register>) => {
        const [viewType] = args;
        const focus = this.commands.register(`${viewType}.focus`, () =>
          this.webviews.show(viewType).then(() => undefined),
        );
        const registration = register(...args);
        return { dispose: () => [focus.dispose(), registration.dispose()] };
      },
    });
  }

  private registerBuiltIns(): void {
    const { commands, editors, tabs, documents, languages } = this;
    const builtIns: Record<string, (...args: never[]) => unknown> = {
      "vscode.open": async (uri: real.Uri, options?: real.TextDocumentShowOptions) => {
        await editors.show(uri, options);
      },
      "vscode.diff": async (...args: Parameters<Editors["diff"]>) => {
        await editors.diff(...args);
      },
      "vscode.changes": (...args: Parameters<Editors["changes"]>) => editors.changes(...args),
      "vscode.executeCodeLensProvider": (uri: real.Uri) => languages.codeLenses(uri),
      "vscode.executeCodeActionProvider": (uri: real.Uri, range: Range) =>
        languages.codeActions(uri, range),
      "workbench.action.closeAllEditors": () => {
        tabs.close(tabs.all);
      },
      "workbench.action.closeActiveEditor": () => {
        if (tabs.active !== undefined) tabs.close([tabs.active]);
      },
      "workbench.action.revertAndCloseActiveEditor": async () => {
        const { active } = tabs;
        if (active === undefined) return;
        for (const uri of active.documents) await documents.revert(uri);
        tabs.close([active]);
      },
      "workbench.action.acceptSelectedQuickOpenItem": () => this.person.accept(),
      "workbench.action.closeQuickOpen": () => {
        this.person.leave();
      },
      "workbench.action.files.save": async () => {
        await editors.active?.document.save();
      },
    };
    for (const [id, run] of Object.entries(builtIns)) {
      commands.register(id, run as (...args: unknown[]) => unknown);
    }
  }
}
