import type { BrowserContext, Frame, Page } from "playwright-core";

export interface LaunchOptions {
  /** A folder or a `.code-workspace` file; none: an empty window. */
  workspace?: string;
  /** The extension under development, usually the repository's root. */
  extensionPath: string;
  /** User settings, for example `{ "rooroo.model.baseUrl": "http://127.0.0.1:4010/v1" }`. */
  settings?: Record<string, unknown>;
  /** Variables that the extension host finds in `process.env`, besides this process's own. */
  env?: NodeJS.ProcessEnv;
  /** Default true; false opens the workspace in Restricted Mode. */
  trusted?: boolean;
  /** Default 1280 x 800. */
  viewport?: { width: number; height: number };
  /** "4.139.1" (default) or "4.104.0"; also by the environment's VSCODE_HOST_VERSION. */
  version?: string;
  /** Default false; true leaves out extensions of VS Code's own that make windows slow, such as Copilot. */
  lean?: boolean;
  /** Kept after `stop` and `crash`; a later editor with the same folder goes on from there. */
  profileDir?: string;
  /** The display language, as in "de"; VS Code's own words stay English. Default: English. */
  language?: string;
  /** The folder in which each window says where it takes commands for tests. Default: they take none. */
  bridge?: string;
}

export interface PanelOptions {
  /** `publisher.name`, in lower case. Default: Rooroo Navigator. */
  extensionId?: string;
  /** The purpose as VS Code names it in the frame's address: "webviewView", or nothing for an editor tab. */
  purpose?: string;
  /** Milliseconds; default 30,000. */
  timeout?: number;
}

export interface Editor {
  /** The workbench; restored and ready. */
  readonly page: Page;
  readonly context: BrowserContext;
  readonly url: string;
  /** Shows another folder in the page, or none; the window that was there before is left. */
  open(workspace: string | undefined): Promise<void>;
  /** Leaves all windows; resolves when nothing of theirs runs any more, so that their folder can be removed. */
  leave(): Promise<void>;
  /** Head of the process group that holds the server and the extension host. */
  readonly serverPid: number;
  /** By keyboard, through the command palette: an id, or a title with its category. */
  runCommand(command: string): Promise<void>;
  /** The page that the extension's webview shows; waits for it. Ask again after a reload. */
  panelFrame(options?: PanelOptions): Promise<Frame>;
  /** Does the same as "Developer: Reload Window": the window and the extension host start anew. */
  reload(): Promise<void>;
  /** Closes everything. Idempotent. */
  stop(): Promise<void>;
  /** Everything dies at once, as in a power cut. */
  crash(): Promise<void>;
}

/** See the head of launchEditor.mjs for how to use it. */
export function launchEditor(options: LaunchOptions): Promise<Editor>;
