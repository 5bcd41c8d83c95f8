import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as vscode from "vscode";
import { signJson } from "../../src/core/provenance/signedJson.js";
import type { TestApi } from "../../src/extension.js";
import { InstallationKey } from "../../src/node/user/installationKey.js";
import { userFolder } from "../../src/node/user/userFolder.js";
import type { WorkspaceSession } from "../../src/vscode/workspace/workspaceSession.js";
import { BriskClock } from "../fakes/briskClock.js";
import { show } from "../fakes/vscode/api.js";
import { emptyStorage, type Stored } from "../fakes/vscode/context.js";
import { Editor } from "../fakes/vscode/editor.js";
import { type ContextKeys, menuOf, welcomesOf } from "../fakes/vscode/menus.js";
import type { Person } from "../fakes/vscode/person.js";
import type { SeenRow } from "../fakes/vscode/trees.js";
import { ModelServer } from "../modelServer/modelServer.js";

/** The repository, seen from where the compiled test lies. */
export const root = join(import.meta.dirname, "..", "..", "..");
/** The extension's `package.json`. */
export const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;

// Scripts are not compiled, so they are found from the root and not from here.
const sample = pathToFileURL(join(root, "scripts", "sample", "createSampleProject.mjs")).href;
const { createSampleProject } = (await import(sample)) as {
  createSampleProject: (folder: string) => Promise<void>;
};

/** What does not happen within this time is taken not to happen at all. */
const patienceMs = 120_000;

/** Variables that would have the extension ask another server, or keep what is the user's in the user's own folder. */
const variables = ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ROOROO_HOME", "ROOROO_MODEL"] as const;

export interface ExtensionStageOptions {
  /** Default: the sample project, in git; `"empty"`: a folder with nothing in it. */
  readonly folder?: boolean | "empty";
  /** Default: `true`. */
  readonly trusted?: boolean;
  /** The user's settings, by their whole names, beside those of the model. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** What the folder has besides the sample's own files. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * The whole extension in plain Node: over the fake of VS Code, on a real folder, with a model that says what a test tells
 * it. What a person sees of it stands in `editor`, and what they do is said to `person`. One at a time in a process.
 */
export class ExtensionStage {
  private constructor(
    readonly server: ModelServer,
    readonly workspace: string,
    private readonly options: ExtensionStageOptions,
    private readonly scratch: string,
    private readonly stored: Stored,
    private readonly before: Readonly<Record<string, string | undefined>>,
  ) {}

  private shown: Editor | undefined;
  private active: { api: TestApi; context: vscode.ExtensionContext } | undefined;

  static async open(options: ExtensionStageOptions = {}): Promise<ExtensionStage> {
    const { folder = true, files = {} } = options;
    const scratch = await realpath(await mkdtemp(join(tmpdir(), "rooroo-stage-")));
    const workspace = join(scratch, "tally");
    if (folder === true) await createSampleProject(workspace);
    else await mkdir(workspace);
    const server = await ModelServer.start();
    const before = Object.fromEntries(variables.map((name) => [name, process.env[name]]));
    for (const name of variables) setVariable(name, undefined);
    setVariable("ROOROO_HOME", join(scratch, "own"));
    const stored = emptyStorage(join(scratch, "stored"));
    const stage = new ExtensionStage(server, workspace, options, scratch, stored, before);
    for (const [path, text] of Object.entries(files)) await stage.write(path, text);
    await stage.openWindow();
    return stage;
  }

  /** The window of VS Code. */
  get editor(): Editor {
    if (this.shown === undefined) throw new Error("No window is open.");
    return this.shown;
  }

  get person(): Person {
    return this.editor.person;
  }

  /** The parts of the extension. */
  get api(): TestApi {
    if (this.active === undefined) throw new Error("The extension is not active.");
    return this.active.api;
  }

  get session(): WorkspaceSession {
    return this.api.workspace.require();
  }

  /** The parts of the extension as they are now, with the session and the conversation of the side bar. */
  get parts(): TestApi & { readonly session: WorkspaceSession } {
    return { ...this.api, session: this.session };
  }

  /**
   * Opens a window on the same folder, with what the one before has left, as a reload does.
   *
   * @param meanwhile what happens while no window is open
   */
  async reopen(
    settings?: Readonly<Record<string, unknown>>,
    meanwhile?: () => Promise<void>,
  ): Promise<void> {
    const kept = this.editor.configuration.userValues;
    await this.closeWindow();
    await meanwhile?.();
    await this.openWindow({ ...kept, ...settings });
  }

  async close(): Promise<void> {
    try {
      await this.closeWindow();
    } finally {
      await this.server.stop();
      for (const name of variables) setVariable(name, this.before[name]);
      await rm(this.scratch, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  /** Executes a command, as a click on it does. */
  command<T = unknown>(id: string, ...args: readonly unknown[]): Promise<T> {
    return this.editor.commands.execute(id, ...args) as Promise<T>;
  }

  /** Says something to the Navigator, past the page; resolves when it has done what was asked. */
  async tell(text: string): Promise<{ readonly status: string }> {
    return (await this.session.navigator()).say(text);
  }

  /** Returns the rows of a view, from its top, whether or not they are unfolded. */
  async rows(view = "rooroo.tasks"): Promise<SeenRow[]> {
    const tree = this.editor.window.trees.get(view);
    if (tree === undefined) throw new Error(`There is no view ${view}.`);
    return tree.rows();
  }

  /** Resolves with the row that is spoken so, once there is one. */
  row(spoken: RegExp, view = "rooroo.tasks"): Promise<SeenRow> {
    return until(
      async () => (await this.rows(view)).find((row) => spoken.test(row.spoken)),
      () => this.describe(`a row that is spoken ${String(spoken)}`, view),
    );
  }

  /** Resolves when no row is spoken so. */
  async noRow(spoken: RegExp, view = "rooroo.tasks"): Promise<void> {
    await until(
      async () => !(await this.rows(view)).some((row) => spoken.test(row.spoken)),
      () => this.describe(`no row that is spoken ${String(spoken)}`, view),
    );
  }

  /** Clicks on a row: executes its command. */
  async click({ item: { command } }: SeenRow): Promise<void> {
    if (command === undefined) throw new Error("A click on this row does nothing.");
    await this.command(command.command, ...((command.arguments ?? []) as unknown[]));
  }

  /** Executes a command with a row, as its menus and buttons do, once there is a row that is spoken so and offers it. */
  async choose(spoken: RegExp, command: string, view = "rooroo.tasks"): Promise<void> {
    const { element } = await until(
      async () =>
        (await this.rows(view)).find(
          (row) => spoken.test(row.spoken) && this.offeredOn(row, view).includes(command),
        ),
      () => this.describe(`a row that is spoken ${String(spoken)} and offers ${command}`, view),
    );
    await this.command(command, element);
  }

  /** The commands that VS Code offers on a row of a view, as buttons and in its menu. */
  offeredOn(row: Pick<SeenRow, "context">, view = "rooroo.tasks"): string[] {
    return this.menu("view/item/context", { view, viewItem: row.context });
  }

  /** The commands that one of VS Code's menus has of us; `keys` are those of its place, beside the window's own. */
  menu(menu: string, keys: ContextKeys = {}): string[] {
    return [...new Set(menuOf(manifest, menu, { ...this.contextKeys, ...keys }))];
  }

  /** The texts that VS Code shows in a view that has no rows, as the manifest names them. */
  welcomes(view: string): string[] {
    return welcomesOf(manifest, view, this.contextKeys);
  }

  private get contextKeys(): ContextKeys {
    const { folder = true, trusted = true } = this.options;
    return {
      workspaceFolderCount: folder === false ? 0 : 1,
      isWorkspaceTrusted: trusted,
      ...Object.fromEntries(this.editor.commands.contextKeys),
    };
  }

  /** The texts that are shown in the status bar. */
  get statusBar(): string {
    const shown = this.editor.window.statusBar.filter(({ isShown }) => isShown);
    return shown.map(({ text }) => text).join(" | ");
  }

  contextKey(name: string): unknown {
    return this.editor.commands.contextKeys.get(name);
  }

  /** The texts of the notices in the conversation that the side bar shows. */
  get notices(): string[] {
    return this.api.conversation.state.items.flatMap((item) =>
      item.kind === "notice" ? [item.text] : [],
    );
  }

  /** The label of the tab in front. */
  get tab(): string | undefined {
    return this.editor.tabs.active?.label;
  }

  /** Returns the texts that the tab in front shows: of a file's changes, the text before stands first. */
  async shownTexts(): Promise<string[]> {
    const { tabs, documents } = this.editor;
    const shown = (tabs.active?.documents ?? []).map((uri) => documents.open(uri));
    return (await Promise.all(shown)).map((document) => document.getText());
  }

  /** The file in the editor in front, relative to the workspace. */
  get shownFile(): string | undefined {
    const path = this.editor.editors.active?.document.uri.fsPath;
    return path?.startsWith(`${this.workspace}/`) === true
      ? path.slice(this.workspace.length + 1)
      : path;
  }

  /** Sets a setting of the user by its name without the first part; `undefined` takes it away. */
  configure(name: string, value: unknown): void {
    this.editor.configuration.set(`rooroo.${name}`, value);
  }

  path(relative: string): string {
    return join(this.workspace, relative);
  }

  read(path: string): Promise<string> {
    return readFile(this.path(path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** Names in a folder, sorted; none where there is no such folder. */
  async list(path: string): Promise<string[]> {
    return (await readdir(this.path(path)).catch(() => [])).sort();
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(path)), { recursive: true });
    await writeFile(this.path(path), text);
  }

  /** Writes a file of state as this installation does. */
  writeState(path: string, value: object): Promise<void> {
    const signer = new InstallationKey(userFolder(process.env), this.workspace);
    return this.write(path, signJson(JSON.stringify(value), path, signer));
  }

  async remove(path: string): Promise<void> {
    await rm(this.path(path), { recursive: true, force: true });
  }

  /** Writes a file into the folder in which VS Code keeps the files of extensions. */
  async writeStorage(path: string, text: string): Promise<void> {
    const file = join(this.stored.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Reads a file of the user's own folder. */
  readOwn(path: string): Promise<string> {
    return readFile(join(this.scratch, "own", path), "utf8");
  }

  /** Names of the tasks' folders that fit. */
  async taskFolders(fits: RegExp): Promise<string[]> {
    return (await this.list(".rooroo/tasks")).filter((name) => fits.test(name));
  }

  /** Returns the texts of all conversations. */
  async conversations(): Promise<string> {
    const folder = ".rooroo/conversations";
    const names = (await this.list(folder)).filter((name) => name.endsWith(".jsonl"));
    return (await Promise.all(names.map((name) => this.read(`${folder}/${name}`)))).join("");
  }

  /** Resolves when nothing runs, and nobody is about to look into the queue. */
  async atRest(): Promise<void> {
    await until(
      () => this.contextKey("rooroo.busy") !== true && !this.has(".rooroo/locks/drain.lock"),
      () => "nothing runs",
    );
  }

  private async openWindow(settings = this.options.settings): Promise<void> {
    const { folder = true, trusted = true } = this.options;
    this.shown = new Editor({
      ...(folder === false ? {} : { folder: this.workspace }),
      trusted,
      manifest,
      extensionPath: root,
      stored: this.stored,
      settings: {
        "rooroo.model.baseUrl": this.server.url,
        "rooroo.model.name": "gpt-test",
        ...settings,
      },
    });
    show(this.shown);
    // Only now: it looks at the language while it is loaded.
    const { activate } = await import("../../src/extension.js");
    const context = this.shown.context();
    const api = activate(context, new BriskClock());
    if (api === undefined) throw new Error("The extension gives tests nothing.");
    this.active = { api, context };
    await this.shown.watchers.ready();
  }

  private async closeWindow(): Promise<void> {
    const { deactivate } = await import("../../src/extension.js");
    const { context } = this.active ?? {};
    this.active = undefined;
    await deactivate();
    for (const one of [...(context?.subscriptions ?? [])].reverse()) one.dispose();
    await this.shown?.close();
    this.shown = undefined;
  }

  private async describe(what: string, view: string): Promise<string> {
    const rows = await this.rows(view);
    return [what, ...rows.map(({ spoken, depth }) => `${"  ".repeat(depth)}${spoken}`)].join("\n");
  }
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}

/** Resolves with the first answer that is not `undefined` or `false`. */
export async function until<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string | (() => string | Promise<string>),
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) {
      const words = typeof what === "string" ? what : await what();
      throw new Error(`not within ${patienceMs} ms: ${words}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
