import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  chromium,
  type Browser,
  type BrowserContext,
  type LaunchOptions,
  type Page,
} from "playwright-core";
import type { Draft } from "../../src/core/conversation/input/draft.js";
import { type Messages, type Translate, translator } from "../../src/core/text/translator.js";
import { type FromPanel, panelRequests } from "../../src/protocol/messages.js";
import { panelHtml } from "../../src/protocol/panelHtml.js";
import { editorSide } from "./editorSide.js";
import { FedPanel } from "./fedPanel.js";
import { dark, type Theme } from "./themes.js";

// Scripts are not compiled, so they are found from the root and not from here.
const browserScript = join(import.meta.dirname, "../../../scripts/host/openBrowser.mjs");
const { browserOptions } = (await import(pathToFileURL(browserScript).href)) as {
  browserOptions: () => Promise<LaunchOptions>;
};

/** What does not come within this time is taken not to come at all. */
const PATIENCE_MS = 120_000;
const at = "2026-01-05T10:00:00.000Z";
const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".ttf": "font/ttf",
  ".woff2": "font/woff2",
  ".map": "application/json",
};

/** The fonts of pictures, which are not to depend on what a machine has installed. */
const fonts: Readonly<Record<string, string>> = {
  "/Roboto.woff2": fileURLToPath(
    import.meta.resolve("@fontsource/roboto/files/roboto-latin-400-normal.woff2"),
  ),
  "/Roboto Mono.woff2": fileURLToPath(
    import.meta.resolve("@fontsource/roboto-mono/files/roboto-mono-latin-400-normal.woff2"),
  ),
};

type Request = Extract<FromPanel, { type: "request" }>;
type Answer = (params: unknown) => unknown;

/**
 * The built panel in a browser, with its real policy, and the editor's part played: the feed that
 * the extension uses, and a record of what the page asks for.
 */
export class PanelHost extends FedPanel {
  /** What has come from the page. */
  readonly received: FromPanel[] = [];
  /** What is answered with an error, by method; all else is answered as done. */
  refusals: Partial<Record<Request["method"], string>> = {};
  /** What is answered, or makes the answer of the parameters, by method; nothing where it is left out. */
  results: Partial<Record<Request["method"], unknown>> = {
    prompts: [],
    completions: { commands: [], experts: [], jobs: [], resumable: [], foreign: [] },
    sandboxAbility: { name: "bubblewrap" },
  };
  private onReady = (): void => undefined;
  private fontFamilies: Theme["variables"] = {};

  private constructor(
    private readonly server: Server,
    private readonly context: BrowserContext,
    override readonly page: Page,
    private readonly theme: Theme,
    t: Translate,
  ) {
    super(page, t);
  }

  static async launchBrowser(): Promise<Browser> {
    return chromium.launch(await browserOptions());
  }

  static async open(
    browser: Browser,
    options: {
      theme?: Theme;
      width?: number;
      height?: number;
      scale?: number;
      /** Whether nothing moves, so that two pictures of the same state are the same. */
      still?: boolean;
      /** A language tag, with its messages. Default: English. */
      language?: readonly [tag: string, messages: Messages];
    } = {},
  ): Promise<PanelHost> {
    const { theme = dark, width = 420, height = 800, scale = 1, still = false } = options;
    const { language = ["en", {}] } = options;
    const server = createServer((request, response) => {
      void serve(request.url ?? "/", language, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const viewport = { width, height };
    const reducedMotion = still ? "reduce" : "no-preference";
    const context = await browser.newContext({
      viewport,
      deviceScaleFactor: scale,
      reducedMotion,
      ...(still ? { timezoneId: "UTC", locale: "en-US" } : {}),
    });
    const page = await context.newPage();
    const host = new PanelHost(server, context, page, theme, translator(...language));
    if (still) await page.clock.setFixedTime(Date.parse(at) + 300_000);
    await host.begin();
    return host;
  }

  async load(): Promise<void> {
    const asked = new Promise<void>((resolve) => (this.onReady = resolve));
    const { port } = this.server.address() as AddressInfo;
    await this.page.goto(`http://127.0.0.1:${port}/`);
    await this.page.waitForSelector("rooroo-composer textarea");
    await asked;
  }

  /** Gives the page another theme, as the editor does when its user picks one. */
  async setTheme({ bodyClass, variables }: Theme): Promise<void> {
    await this.page.evaluate(
      ([name, given]) => {
        const { style } = document.documentElement;
        for (const property of Array.from(style)) {
          if (property.startsWith("--vscode-")) style.removeProperty(property);
        }
        document.body.className = name;
        for (const [property, value] of given) style.setProperty(property, value);
      },
      [bodyClass, Object.entries({ ...variables, ...this.fontFamilies })] as const,
    );
  }

  /** Gives the page fonts that are the same on every machine. */
  async useOwnFonts(): Promise<void> {
    await this.page.evaluate(async (urls) => {
      for (const url of urls) {
        const face = new FontFace(url.slice(1, -".woff2".length), `url("${url}")`);
        document.fonts.add(await face.load());
      }
    }, Object.keys(fonts));
    this.fontFamilies = {
      "--vscode-font-family": "Roboto",
      "--vscode-editor-font-family": "Roboto Mono",
    };
    await this.setTheme(this.theme);
  }

  /** Waits for a request of the page, the newest of its kind. */
  async request(method: Request["method"], count = 1): Promise<Request> {
    await this.until(() => this.requests(method).length >= count, `the page asks for ${method}`);
    return this.requests(method).at(-1)!;
  }

  /** Waits until something holds of what has come from the page. */
  async until(holds: () => boolean, what: string): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!holds()) {
      if (Date.now() > deadline) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  requests(method: Request["method"]): Request[] {
    return this.received.filter(
      (message): message is Request => message.type === "request" && message.method === method,
    );
  }

  async close(): Promise<void> {
    this.feed.dispose();
    await this.context.close();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async begin(): Promise<void> {
    const { page } = this;
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("dialog", (dialog) => {
      this.complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.exposeFunction("toHost", (message: FromPanel) => {
      this.receive(message);
    });
    await page.addInitScript(editorSide, this.theme);
  }

  private receive(message: FromPanel): void {
    this.received.push(message);
    if (message.type === "ready") {
      this.feed.snapshot();
      this.onReady();
      return;
    }
    const { id, method } = message;
    const { error: misfit } = panelRequests[method].safeParse(message.params);
    if (misfit) this.complaints.push(`${method}: ${misfit.message}`);
    if (method === "keepDraft") this.draft = message.params as Draft;
    const error = this.refusals[method];
    if (error !== undefined) {
      void this.post({ type: "response", id, error });
    } else if (method === "earlier") {
      const { before } = message.params as { before: string };
      void this.feed.readBefore(before).then(() => {
        return this.post({ type: "response", id, result: this.feed.earlier(before) });
      });
    } else if (method === "texts") {
      const { ids } = message.params as { ids: string[] };
      void this.post({ type: "response", id, result: this.feed.texts(ids) });
    } else {
      const answer = this.results[method];
      const result = typeof answer === "function" ? (answer as Answer)(message.params) : answer;
      void this.post({ type: "response", id, result });
    }
  }
}

async function serve(
  url: string,
  [lang, messages]: readonly [string, Messages],
  response: { writeHead(status: number, headers?: object): void; end(body?: unknown): void },
): Promise<void> {
  if (url === "/favicon.ico") {
    response.writeHead(204);
    response.end();
    return;
  }
  if (url === "/") {
    const html = panelHtml({
      scriptUris: ["/words.js", "/panel.js"],
      styleUris: ["/panel.css"],
      codiconUri: "/codicon.css",
      cspSource: "'self'",
      nonce: "n0nce",
      lang,
      surface: "sideBar",
    });
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(html);
    return;
  }
  if (url === "/words.js") {
    response.writeHead(200, { "content-type": "text/javascript" });
    response.end(`globalThis.roorooMessages = ${JSON.stringify(messages)};`);
    return;
  }
  const path = normalize(new URL(url, "http://x").pathname);
  const folder = process.env["ROOROO_WEBVIEW"] ?? "dist/webview";
  const file = fonts[decodeURI(path)] ?? join(folder, path);
  if (!existsSync(file)) {
    response.writeHead(404);
    response.end();
    return;
  }
  response.writeHead(200, { "content-type": contentTypes[extname(file)] ?? "text/plain" });
  response.end(await readFile(file));
}
