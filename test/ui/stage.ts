import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { ConsoleMessage, Frame, Locator, Page, WebError } from "playwright-core";
import type { Editor } from "../../scripts/host/launchEditor.mjs";
import { ModelServer } from "../modelServer/modelServer.js";
import { patienceMs, root, script, sharedWorld, World } from "./world.js";

const { createSampleProject } = (await script("sample/createSampleProject.mjs")) as {
  createSampleProject: (folder: string) => Promise<void>;
};
const workbench = (await script("host/workbench.mjs")) as {
  ready: (page: Page) => Promise<void>;
  runCommand: (page: Page, command: string) => Promise<void>;
  panelFrame: (page: Page) => Promise<Frame>;
};

/** The time after which the focus is asked for again: it may have come and gone before anybody looked. */
const focusMs = 1_000;

export interface StageOptions {
  /** Default true: the sample project. */
  readonly folder?: boolean;
  readonly trusted?: boolean;
  readonly settings?: Record<string, unknown>;
  /** As for `launchEditor`. */
  readonly version?: string;
  /** As for `launchEditor`. Default: true; if it is set, the stage has a server of its own. */
  readonly lean?: boolean;
  /** What the project brings along besides the sample's own files. */
  readonly files?: Record<string, string>;
  /** Whether server, browser and profile are the stage's own, so that nobody has used the profile before. */
  readonly own?: boolean;
  /** The display language; default: English. */
  readonly language?: string;
}

/** A VS Code with our extension, a small project in it, and a model that says what a test tells it. */
export class Stage {
  /** What the window's commands have thrown. */
  private readonly thrown: string[] = [];
  /** What the pages said, newest last, with what the extension host wrote and threw: VS Code passes that on to its page. */
  private readonly console: string[] = [];
  private unwatch: () => void = () => undefined;

  private constructor(
    public editor: Editor,
    readonly server: ModelServer,
    readonly workspace: string,
    private readonly scratch: string,
    private readonly world: World,
    private readonly isShared: boolean,
    private readonly open: () => Promise<Editor>,
  ) {
    this.watch();
  }

  static async open({
    folder = true,
    trusted = true,
    settings,
    version,
    lean,
    files = {},
    own = false,
    language,
  }: StageOptions = {}): Promise<Stage> {
    const isShared = !own && version === undefined && lean === undefined && language === undefined;
    const world = isShared ? await sharedWorld() : await World.create({ version, lean, language });
    const scratch = await realpath(await mkdtemp(join(tmpdir(), "rooroo-stage-")));
    const workspace = join(scratch, "tally");
    if (folder) await createSampleProject(workspace);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    }
    const server = await ModelServer.start();
    const open = () =>
      world.open(folder ? workspace : undefined, {
        trusted,
        settings: {
          "rooroo.model.baseUrl": server.url,
          "rooroo.model.name": "gpt-test",
          ...settings,
        },
      });
    return new Stage(await open(), server, workspace, scratch, world, isShared, open);
  }

  /** Opens the same window once more, after {@link crash}. */
  async reopen(): Promise<void> {
    this.editor = await this.open();
    this.watch();
  }

  /** Everything dies at once, as in a power cut; {@link reopen} goes on with the same profile. */
  async crash(): Promise<void> {
    await this.editor.crash();
    this.world.forgetEditor();
  }

  /** Does the same as "Developer: Reload Window". */
  async reload(): Promise<void> {
    await this.world.bridge.forget();
    await this.editor.reload();
  }

  /**
   * Runs a command by its id. Resolves when it has ended, and the extensions know of what it has changed in the window, or
   * when it asks the person something.
   */
  async runCommand(command: string, ...args: readonly unknown[]): Promise<void> {
    const folder = existsSync(this.workspace) ? this.workspace : "";
    const { ended } = await this.world.bridge.start(folder, command, ...args);
    let hasEnded = false;
    ended
      .catch((error: unknown) => this.thrown.push(String(error)))
      .finally(() => (hasEnded = true));
    const asked = this.page.locator(
      ".quick-input-widget:visible, .monaco-dialog-box, .notification-toast",
    );
    await until(async () => hasEnded || (await asked.count()) > 0, `${command} ends or asks`);
  }

  /**
   * Opens a file of the folder in an editor, as its row in the Explorer does; resolves when its tab is in front, and
   * extensions know that it is.
   */
  async openFile(path: string): Promise<void> {
    const file = join(this.workspace, path);
    await this.runCommand("vscode.open", { file });
    const name = RegExp(`^${basename(path)}`);
    await this.page.getByRole("tab", { name, selected: true }).waitFor();
    await until(async () => {
      const { ended } = await this.world.bridge.start(this.workspace, "rooroo-test.fileInFront");
      return (await ended) === file;
    }, `${path} is in front`);
  }

  private watch(): void {
    const { context } = this.editor;
    const keep = (text: string) => {
      this.console.push(text);
      this.console.splice(0, this.console.length - 2_000);
    };
    const onConsole = (message: ConsoleMessage) => {
      keep(`${message.type()}: ${message.text()}`);
    };
    const onError = (error: WebError) => {
      keep(`thrown: ${String(error.error())}`);
    };
    context.on("console", onConsole);
    context.on("weberror", onError);
    // The browser outlives the stage.
    this.unwatch = () => {
      context.off("console", onConsole);
      context.off("weberror", onError);
    };
  }

  get page(): Page {
    return this.editor.page;
  }

  async close(): Promise<void> {
    this.unwatch();
    if (this.isShared) await this.editor.leave();
    else await this.world.close();
    await this.server.stop();
    await rm(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the panel's page, with the focus; brought to the front when it is not there. */
  async panel(): Promise<Frame> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      await this.runCommand("rooroo.focusChat");
      const panel = await this.editor.panelFrame();
      const isReady = () => document.hasFocus() && document.body.dataset["keys"] === "on";
      const ready = panel.waitForFunction(isReady, undefined, { timeout: focusMs });
      const hasFocus = await ready.then(
        () => true,
        () => false,
      );
      if (hasFocus) return panel;
      if (Date.now() > deadline) throw new Error("The panel does not keep the focus.");
    }
  }

  /** Types into the panel, as a person does, who types again what went elsewhere because something took the focus. */
  async say(panel: Frame, text: string): Promise<void> {
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    await until(async () => {
      await input.fill(text);
      return (await input.inputValue()) === text;
    }, "the input has what was typed");
    await input.press("Enter");
  }

  /** Returns an expert's report on the panel. */
  report(panel: Frame, text: string): Locator {
    return panel.locator(".report").filter({ hasText: text });
  }

  /** Opens the steps of the last turn that has ended. */
  async openTurn(panel: Frame): Promise<void> {
    await panel
      .getByRole("button", { name: /^Worked/ })
      .last()
      .click();
  }

  /** Returns a notice of the Navigator on the panel; the newest, if it has said so before. */
  notice(panel: Frame, text: string | RegExp): Locator {
    return panel.locator(".notice").filter({ hasText: text }).last();
  }

  /** Resolves when nothing runs, and nobody is about to look into the queue. */
  async atRest(panel: Frame): Promise<void> {
    await panel.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    await until(() => !this.has(".rooroo/locks/drain.lock"), "nobody works on the queue");
  }

  /** Opens another window on the same folder, with an extension host of its own. */
  async secondWindow(): Promise<{ page: Page; panel: Frame }> {
    const page = await this.editor.context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(this.editor.url);
    await workbench.ready(page);
    await workbench.runCommand(page, "rooroo.focusChat");
    return { page, panel: await workbench.panelFrame(page) };
  }

  read(path: string): Promise<string> {
    return readFile(join(this.workspace, path), "utf8");
  }

  /** Names in a folder, sorted; none where there is no such folder. */
  async list(path: string): Promise<string[]> {
    return (await readdir(join(this.workspace, path)).catch(() => [])).sort();
  }

  /** Returns the texts of all conversations. */
  async conversations(): Promise<string> {
    const folder = ".rooroo/conversations";
    const names = (await this.list(folder)).filter((name) => name.endsWith(".jsonl"));
    return (await Promise.all(names.map((name) => this.read(`${folder}/${name}`)))).join("");
  }

  has(path: string): boolean {
    return existsSync(join(this.workspace, path));
  }

  async write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.workspace, path)), { recursive: true });
    await writeFile(join(this.workspace, path), text);
  }

  /** Begins to note what a test does; for `beforeEach`. */
  async beginTrace(): Promise<void> {
    const { tracing } = this.editor.context;
    // Calls only: pictures and snapshots of every step would slow each test down.
    await tracing.start({ screenshots: false, snapshots: false }).catch(() => undefined);
  }

  /** Keeps, when a test has failed, what shows why, in `out/failures`: for `afterEach`. */
  async keepIfFailed(test: Mocha.Test | undefined): Promise<void> {
    if (test?.state !== "failed") {
      await this.editor.context.tracing.stop().catch(() => undefined);
      return;
    }
    await this.keep(test.fullTitle());
  }

  /** Keeps what shows the window's state, in a folder of `out/failures`. */
  async keep(title: string): Promise<void> {
    const { tracing } = this.editor.context;
    const folder = join(root, "out", "failures", title.replaceAll(/\W+/g, "-").slice(-100));
    await mkdir(folder, { recursive: true });
    const keep = async (name: string, text: () => Promise<string> | string) => {
      const kept = await Promise.resolve(text()).catch(String);
      await writeFile(join(folder, name), kept);
    };
    await tracing.stop({ path: join(folder, "trace.zip") }).catch(() => undefined);
    await this.page.screenshot({ path: join(folder, "window.png") }).catch(() => undefined);
    await keep("console.txt", () => this.console.join("\n"));
    await keep("commands.txt", () => this.thrown.join("\n"));
    await keep("focus.txt", () => this.focus());
    const toast = this.page.locator(".notification-toast");
    const toasts = await toast.allInnerTexts().catch(() => []);
    const told = [
      ...this.thrown.map((text) => `A command has thrown: ${text}`),
      ...toasts.map((text) => `The window says: ${text.replaceAll(/\s+/g, " ")}`),
      ...(await this.pages()).map((text) => `A page shows: ${text}`),
      `What the window showed is in ${folder}`,
    ];
    process.stdout.write(told.map((line) => `       ${line}\n`).join(""));
  }

  /** The beginning of what each webview shows. */
  private pages(): Promise<string[]> {
    const frames = this.page.frames().filter((frame) => frame.url().includes("/fake.html?"));
    const shown = () => document.body.innerText.replaceAll(/\s+/g, " ").slice(0, 80);
    return Promise.all(frames.map((frame) => frame.evaluate(shown).catch(String)));
  }

  /** Tells which element has the focus, in the window and in each frame of a page in it. */
  private async focus(): Promise<string> {
    const told = await Promise.all(
      this.page.frames().map((frame) =>
        frame
          .evaluate(() => {
            const element = document.activeElement;
            const place = element?.closest("[id]")?.id ?? "";
            return `${document.hasFocus()} ${element?.tagName} ${element?.className} in #${place}`;
          })
          .then((text) => `${frame.url().slice(0, 100)}: ${text}`)
          .catch(String),
      ),
    );
    return told.join("\n");
  }

  /** Returns a row of the "Tasks" view, by what a screen reader says. */
  row(name: RegExp): Locator {
    return this.page.getByRole("treeitem", { name });
  }

  /**
   * Opens the context menu of what is shown, and chooses an entry by key: VS Code ignores clicks just after it opens. The
   * menu is opened again if something else has taken the focus, and so closed it, or if it had opened before VS Code knew
   * that the entry belongs there.
   */
  async chooseFromMenu(of: Locator, entry: string): Promise<void> {
    const deadline = Date.now() + patienceMs;
    for (let timeout = focusMs; ; timeout *= 2) {
      // What the mouse lies on may show a hover in front of the row, as long as the mouse stays there.
      await this.page.mouse.move(0, 0);
      await of.click({ button: "right" });
      try {
        const shown = this.page.getByRole("menuitem", { name: entry, exact: true });
        await shown.hover({ timeout });
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        // A menu that is open without the entry is in the way of the next click.
        await this.page.keyboard.press("Escape");
      }
    }
    await this.page.keyboard.press("Enter");
  }

  /** The entry in the status bar. */
  get statusBar(): Locator {
    return this.page.locator(".statusbar-item[id$='.rooroo'] a");
  }

  screenshotPath(name: string): string {
    return join(root, "out", "screenshots", `${name}.png`);
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: this.screenshotPath(name) });
  }

  /** Returns the texts of the files whose names fit and that the extension keeps in VS Code's storage of this workspace. */
  async stored(fits = /\.json$/): Promise<string> {
    const folder = join(
      this.world.scratch,
      "profile",
      "server",
      "data",
      "User",
      "workspaceStorage",
    );
    const names = await readdir(folder, { recursive: true });
    const own = names.filter((name) => /rooroo/i.test(name) && fits.test(name));
    const texts = own.map((name) => readFile(join(folder, name), "utf8").catch(() => ""));
    return (await Promise.all(texts)).join("\n");
  }

  /** Writes a file into the folder in which VS Code keeps the files of extensions. */
  async writeStorage(path: string, text: string): Promise<void> {
    const folder = join(this.world.scratch, "profile", "server", "data", "User", "globalStorage");
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  /** Reads a file of the user's own folder. */
  readOwn(path: string): Promise<string> {
    return readFile(join(this.world.scratch, "own", path), "utf8");
  }

  /** Returns the user's settings, as VS Code has written them. */
  async settings(): Promise<Record<string, unknown>> {
    const path = this.world.settingsPath;
    return JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  }

  /** Changes user settings, past the editor. */
  async configure(settings: Record<string, unknown>): Promise<void> {
    const path = this.world.settingsPath;
    const before = await this.settings();
    await writeFile(path, JSON.stringify({ ...before, ...settings }));
  }

  /** Returns how many processes run with just these words as their command line. */
  async processes(...words: readonly string[]): Promise<number> {
    let found = 0;
    for (const pid of await readdir("/proc")) {
      if (!/^\d+$/.test(pid)) continue;
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
      if (line === words.map((word) => `${word}\0`).join("")) found++;
    }
    return found;
  }

  /** Names of the tasks' folders that fit. */
  async taskFolders(fits: RegExp): Promise<string[]> {
    const names = await readdir(join(this.workspace, ".rooroo", "tasks"));
    return names.filter((name) => fits.test(name)).sort();
  }
}

/** Resolves when the condition holds. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = patienceMs,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
