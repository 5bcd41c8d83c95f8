import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Frame, Locator, Page } from "playwright-core";
import type { Editor, LaunchOptions } from "../../scripts/host/launchEditor.mjs";
import { ModelServer } from "../modelServer/modelServer.js";

/** The repository, seen from where the compiled test lies. */
const root = join(import.meta.dirname, "..", "..", "..");

// Scripts are not compiled, so they are found from the root and not from here.
const script = (path: string): Promise<unknown> =>
  import(pathToFileURL(join(root, "scripts", path)).href);
const { launchEditor } = (await script("host/launchEditor.mjs")) as {
  launchEditor: (options: LaunchOptions) => Promise<Editor>;
};
const { createSampleProject } = (await script("sample/createSampleProject.mjs")) as {
  createSampleProject: (folder: string) => Promise<void>;
};
const workbench = (await script("host/workbench.mjs")) as {
  ready: (page: Page) => Promise<void>;
  runCommand: (page: Page, command: string) => Promise<void>;
  panelFrame: (page: Page) => Promise<Frame>;
};

/** For what takes a second or two where nothing else is going on. */
const patienceMs = 120_000;

/** The time after which the focus is asked for again: an editor that comes back after a reload may have taken it. */
const focusMs = 10_000;

export interface StageOptions {
  /** Default true: the sample project. */
  readonly folder?: boolean;
  readonly trusted?: boolean;
  readonly settings?: Record<string, unknown>;
  /** As for `launchEditor`. */
  readonly version?: string;
  /** As for `launchEditor`; default true. */
  readonly lean?: boolean;
  /** What the project brings along besides the sample's own files. */
  readonly files?: Record<string, string>;
  /** Whether the user's own folder is one of the stage's, and not that of who runs the test. */
  readonly ownFolder?: boolean;
  /** The display language; default: English. */
  readonly language?: string;
}

/** A VS Code with our extension, a small project in it, and a model that says what a test tells it. */
export class Stage {
  private constructor(
    public editor: Editor,
    readonly server: ModelServer,
    readonly workspace: string,
    private readonly scratch: string,
    private readonly launch: () => Promise<Editor>,
  ) {}

  static async open({
    folder = true,
    trusted = true,
    settings,
    version,
    lean = true,
    files = {},
    ownFolder = false,
    language,
  }: StageOptions = {}): Promise<Stage> {
    const scratch = await realpath(await mkdtemp(join(tmpdir(), "rooroo-ui-")));
    const workspace = join(scratch, "tally");
    if (folder) await createSampleProject(workspace);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(workspace, path)), { recursive: true });
      await writeFile(join(workspace, path), text);
    }
    const server = await ModelServer.start();
    const launch = async () => {
      const editor = await launchEditor({
        ...(folder ? { workspace } : {}),
        profileDir: join(scratch, "profile"),
        extensionPath: root,
        trusted,
        lean,
        ...(ownFolder ? { env: { ROOROO_HOME: join(scratch, "own") } } : {}),
        ...(version === undefined ? {} : { version }),
        ...(language === undefined ? {} : { language }),
        settings: {
          "rooroo.model.baseUrl": server.url,
          "rooroo.model.name": "gpt-test",
          // VS Code's own assistant takes part in the editor suite; here it would slow each window down.
          "chat.disableAIFeatures": true,
          ...settings,
        },
      });
      editor.page.setDefaultTimeout(patienceMs);
      return editor;
    };
    return new Stage(await launch(), server, workspace, scratch, launch);
  }

  /** Opens the same window once more, after `editor.crash()`. */
  async reopen(): Promise<void> {
    this.editor = await this.launch();
  }

  get page(): Page {
    return this.editor.page;
  }

  async close(): Promise<void> {
    await this.editor.stop();
    await this.server.stop();
    await rm(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the panel's page, with the focus; brought to the front when it is not there. */
  async panel(): Promise<Frame> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      await this.editor.runCommand("rooroo.focusChat");
      const panel = await this.editor.panelFrame();
      // It takes the focus when it can, and that closes the command palette.
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

  /** Takes a picture of what a person would have seen when a test failed; for `afterEach`. */
  async screenshotIfFailed(test: Mocha.Test | undefined): Promise<void> {
    if (test?.state !== "failed") return;
    await this.screenshot(`failed-${test.title.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  }

  /** Returns a row of the "Tasks" view, by what a screen reader says. */
  row(name: RegExp): Locator {
    return this.page.getByRole("treeitem", { name });
  }

  /**
   * Opens the context menu of what is shown, and chooses an entry by key: VS Code ignores clicks just after it opens. The
   * menu is opened again if something else has taken the focus, and so closed it.
   */
  async chooseFromMenu(of: Locator, entry: string): Promise<void> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      await of.click({ button: "right" });
      try {
        const shown = this.page.getByRole("menuitem", { name: entry, exact: true });
        await shown.hover({ timeout: focusMs });
        break;
      } catch (error) {
        if (Date.now() > deadline) throw error;
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

  /** Returns the texts of what the extension keeps in VS Code's storage of this workspace. */
  async stored(): Promise<string> {
    const folder = join(this.scratch, "profile", "server", "data", "User", "workspaceStorage");
    const names = await readdir(folder, { recursive: true });
    const own = names.filter((name) => /rooroo[^]*\.json$/i.test(name));
    const texts = own.map((name) => readFile(join(folder, name), "utf8").catch(() => ""));
    return (await Promise.all(texts)).join("\n");
  }

  /** Writes a file into the folder in which VS Code keeps the files of extensions. */
  async writeStorage(path: string, text: string): Promise<void> {
    const folder = join(this.scratch, "profile", "server", "data", "User", "globalStorage");
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  /** Reads a file of the user's own folder, for a stage with `ownFolder`. */
  readOwn(path: string): Promise<string> {
    return readFile(join(this.scratch, "own", path), "utf8");
  }

  /** Returns the user's settings, as VS Code has written them. */
  async settings(): Promise<Record<string, unknown>> {
    const path = join(this.scratch, "profile", "server", "data", "User", "settings.json");
    return JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
  }

  /** Changes user settings, past the editor. */
  async configure(settings: Record<string, unknown>): Promise<void> {
    const path = join(this.scratch, "profile", "server", "data", "User", "settings.json");
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
