import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import type { Webview } from "../fakes/vscode/webviews.js";
import { editorSide } from "./editorSide.js";
import { ExtensionStage, type ExtensionStageOptions, root, until } from "./extensionStage.js";
import { panelBrowser } from "./panelBrowser.js";
import { dark } from "./themes.js";

/** Where pages seem to come from. Nobody is asked: each request is answered here, from the disk. */
const origin = "http://webview";
const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".map": "application/json",
  ".ttf": "font/ttf",
};
/** What does not happen within this time is taken not to happen at all. */
const patienceMs = 120_000;

export interface PanelStageOptions extends ExtensionStageOptions {
  readonly width?: number;
  readonly height?: number;
}

/**
 * An {@link ExtensionStage} whose panel a browser shows: the real page, with the real Navigator behind it, and no
 * workbench around. All stages of a process share one browser. Its members are called as those of `test/ui/stage.ts`,
 * except that a row, a message or a list of choices is not looked for in a page, but in the window that nobody sees.
 */
export class PanelStage {
  /** Errors in the pages, and what their policy had to forbid. */
  readonly complaints: string[] = [];
  private connected: { readonly webview: Webview; readonly page: Page } | undefined;

  private constructor(
    readonly extension: ExtensionStage,
    private readonly context: BrowserContext,
  ) {}

  static async open({
    width = 500,
    height = 900,
    ...options
  }: PanelStageOptions = {}): Promise<PanelStage> {
    const extension = await ExtensionStage.open(options);
    const browser = await panelBrowser();
    const viewport = { width, height };
    const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
    context.setDefaultTimeout(patienceMs);
    return new PanelStage(extension, context);
  }

  get server() {
    return this.extension.server;
  }
  get person() {
    return this.extension.person;
  }
  get workspace(): string {
    return this.extension.workspace;
  }

  async close(): Promise<void> {
    await this.disconnect();
    await this.context.close();
    await this.extension.close();
  }

  /** Opens another window on the same folder, as a reload does; the page is opened by {@link panel}. */
  async reopen(...args: Parameters<ExtensionStage["reopen"]>): Promise<void> {
    await this.disconnect();
    await this.extension.reopen(...args);
  }

  /** Returns the panel's page, shown and with the focus. */
  async panel(): Promise<Page> {
    const view = await this.extension.editor.webviews.show("rooroo.chat");
    if (this.connected?.webview !== view.webview) {
      await this.disconnect();
      this.connected = { webview: view.webview, page: await this.connect(view.webview) };
      view.onDidDispose(() => void this.disconnect());
    }
    const { page } = this.connected;
    await page.bringToFront();
    return page;
  }

  /** Shows another view in its place: VS Code then discards the page, and {@link panel} begins a new one. */
  async hidePanel(): Promise<void> {
    const view = this.extension.editor.webviews.views.get("rooroo.chat");
    if (view === undefined) return;
    view.visible = false;
    await this.disconnect();
  }

  /** Returns the page of a conversation's editor, or of another one, by its title. */
  async editorPage(title: RegExp): Promise<Page> {
    const { webviews } = this.extension.editor;
    const panel = await until(
      () => webviews.panels.find((one) => title.test(one.title)),
      `an editor with the title ${String(title)}`,
    );
    const page = await this.connect(panel.webview);
    panel.onDidDispose(() => void page.close());
    return page;
  }

  /** Types into the panel and sends it, as a person does. */
  async say(panel: Page, text: string): Promise<void> {
    const input = panel.getByRole("textbox", { name: "Message to the Navigator" });
    await input.fill(text);
    await input.press("Enter");
  }

  /** Returns an expert's report on the panel. */
  report(panel: Page, text: string): Locator {
    return panel.locator(".report").filter({ hasText: text });
  }

  /** Opens the steps of the last turn that has ended. */
  async openTurn(panel: Page): Promise<void> {
    await panel
      .getByRole("button", { name: /^Worked/ })
      .last()
      .click();
  }

  /** Returns a notice of the Navigator on the panel; the newest, if it has said so before. */
  notice(panel: Page, text: string | RegExp): Locator {
    return panel.locator(".notice").filter({ hasText: text }).last();
  }

  /** Resolves when nothing runs, and nobody is about to look into the queue. */
  async atRest(panel: Page): Promise<void> {
    await panel.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    await until(() => !this.has(".rooroo/locks/drain.lock"), "nobody works on the queue");
  }

  read(path: string): Promise<string> {
    return this.extension.read(path);
  }
  list(path: string): Promise<string[]> {
    return this.extension.list(path);
  }
  has(path: string): boolean {
    return this.extension.has(path);
  }
  write(path: string, text: string): Promise<void> {
    return this.extension.write(path, text);
  }
  conversations(): Promise<string> {
    return this.extension.conversations();
  }
  taskFolders(fits: RegExp): Promise<string[]> {
    return this.extension.taskFolders(fits);
  }
  command<T = unknown>(id: string, ...args: readonly unknown[]): Promise<T> {
    return this.extension.command<T>(id, ...args);
  }
  row(spoken: RegExp, view?: string) {
    return this.extension.row(spoken, view);
  }

  /** Takes a picture of what a person would have seen when a test failed; for `afterEach`. */
  async screenshotIfFailed(test: Mocha.Test | undefined): Promise<void> {
    if (test?.state !== "failed" || this.connected === undefined) return;
    const folder = join(root, "out", "screenshots");
    await mkdir(folder, { recursive: true });
    const name = `failed-${test.title.replaceAll(/\W+/g, "-").slice(0, 60)}.png`;
    await this.connected.page.screenshot({ path: join(folder, name) });
  }

  private async connect(webview: Webview): Promise<Page> {
    const page = await this.context.newPage();
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    await page.exposeFunction("toHost", (message: unknown) => {
      webview.receive(message);
    });
    await page.exposeFunction("forbidden", (what: string) => this.complaints.push(what));
    await page.addInitScript(editorSide, dark);
    await page.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        const { forbidden } = globalThis as unknown as { forbidden: (what: string) => void };
        forbidden(`${event.violatedDirective}: ${event.blockedURI}`);
      });
    });
    await page.route(`${origin}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/favicon.ico") return route.fulfill({ status: 204 });
      if (pathname === "/") {
        return route.fulfill({ contentType: "text/html; charset=utf-8", body: webview.html });
      }
      const path = join(root, decodeURIComponent(pathname));
      if (!path.startsWith(join(root, "dist", "webview")) || !existsSync(path)) {
        return route.fulfill({ status: 404 });
      }
      const contentType = contentTypes[extname(path)] ?? "text/plain";
      return route.fulfill({ contentType, body: await readFile(path) });
    });
    // What is sent arrives in its order. A page that has been closed receives nothing more.
    const post = (message: unknown) =>
      page
        .evaluate((one) => {
          window.postMessage(one, "*");
        }, message)
        .catch((error: unknown) => {
          // A page that is being loaded anew asks for everything itself.
          if (!/closed|navigation|destroyed/.test(String(error))) {
            this.complaints.push(String(error));
          }
        });
    const following = [
      webview.onDidPost((message) => void post(message)),
      webview.onDidLoad(() => void page.goto(`${origin}/`)),
    ];
    page.on("close", () => {
      for (const one of following) one.dispose();
    });
    await page.goto(`${origin}/`);
    await page.waitForFunction(() => document.body.childElementCount > 0);
    return page;
  }

  private async disconnect(): Promise<void> {
    const { page } = this.connected ?? {};
    this.connected = undefined;
    await page?.close();
  }
}
