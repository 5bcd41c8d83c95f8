import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Editor, LaunchOptions } from "../../scripts/host/launchEditor.mjs";
import { Bridge } from "./bridge.js";

/** The repository, seen from where the compiled test lies. */
export const root = join(import.meta.dirname, "..", "..", "..");

// Scripts are not compiled, so they are found from the root and not from here.
export const script = (path: string): Promise<unknown> =>
  import(pathToFileURL(join(root, "scripts", path)).href);
const { quietSettings } = (await script("host/quietSettings.mjs")) as {
  quietSettings: (options: { trusted: boolean }) => Settings;
};
const { launchEditor } = (await script("host/launchEditor.mjs")) as {
  launchEditor: (options: LaunchOptions) => Promise<Editor>;
};

/** For what takes a second or two where nothing else is going on. */
export const patienceMs = 120_000;

type Settings = Readonly<Record<string, unknown>>;

/** What only a server and a browser of one's own can have. */
export interface WorldOptions {
  readonly version?: string | undefined;
  readonly lean?: boolean | undefined;
  readonly language?: string | undefined;
}

/** The size of each window at first; a test may change it. */
const viewport = { width: 1280, height: 800 };

/** Settings of every window test. */
const usual: Settings = {
  // VS Code's own assistant takes part in the editor suite; here it would slow each window down.
  "chat.disableAIFeatures": true,
  // VS Code gives a webview the focus a moment after the command that asked for it has ended, which would close a list
  // that a test has opened meanwhile.
  "workbench.quickOpen.closeOnFocusLost": false,
};

/** A server of VS Code with its user's data, and one browser page for its windows, one after the other. */
export class World {
  readonly bridge: Bridge;
  private current: Editor | undefined;

  private constructor(
    /** Where everything of it lies. */
    readonly scratch: string,
    private readonly options: WorldOptions,
  ) {
    this.bridge = new Bridge(join(scratch, "bridge"));
  }

  static async create(options: WorldOptions = {}): Promise<World> {
    return new World(await realpath(await mkdtemp(join(tmpdir(), "rooroo-ui-"))), options);
  }

  /** Opens a folder in the page, or none, with these settings of the user and no others. */
  async open(
    workspace: string | undefined,
    { trusted, settings }: { readonly trusted: boolean; readonly settings: Settings },
  ): Promise<Editor> {
    await this.bridge.forget();
    const all = { ...quietSettings({ trusted }), ...usual, ...settings };
    await mkdir(dirname(this.settingsPath), { recursive: true });
    await writeFile(this.settingsPath, JSON.stringify(all));
    if (this.current === undefined) this.current = await this.launch(workspace, trusted, all);
    else {
      await this.current.page.setViewportSize(viewport);
      await this.current.open(workspace);
    }
    return this.current;
  }

  get settingsPath(): string {
    return join(this.scratch, "profile", "server", "data", "User", "settings.json");
  }

  /** Ends server and browser, as `editor.crash()` does; the next {@link open} starts them with the same profile. */
  forgetEditor(): void {
    this.current = undefined;
  }

  async close(): Promise<void> {
    await this.current?.stop();
    this.current = undefined;
    await rm(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }

  private async launch(
    workspace: string | undefined,
    trusted: boolean,
    settings: Settings,
  ): Promise<Editor> {
    const { version, language, lean = true } = this.options;
    const editor = await launchEditor({
      ...(workspace === undefined ? {} : { workspace }),
      profileDir: join(this.scratch, "profile"),
      extensionPath: root,
      bridge: this.bridge.directory,
      env: { ROOROO_HOME: join(this.scratch, "own") },
      trusted,
      viewport,
      lean,
      ...(version === undefined ? {} : { version }),
      ...(language === undefined ? {} : { language }),
      settings,
    });
    editor.page.setDefaultTimeout(patienceMs);
    return editor;
  }
}

/** The world of all stages that need none of their own; it ends with the process's last test. */
let shared: Promise<World> | undefined;

export function sharedWorld(): Promise<World> {
  return (shared ??= World.create());
}

// Registered when the first file is loaded, outside of its tests.
after("for all files: end the window that the tests share", async () => {
  await (await shared)?.close();
});
