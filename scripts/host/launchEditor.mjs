// A real VS Code for a UI test, in a headless browser.
//
//   const editor = await launchEditor({ workspace, extensionPath, env: { OPENAI_BASE_URL: … } });
//   try {
//     await editor.runCommand("rooroo.focusChat");     // an id or a title
//     const panel = await editor.panelFrame();         // Playwright Frame of our webview view
//     await panel.getByRole("textbox").fill("Fix the failing test");
//     await editor.reload();                           // as "Developer: Reload Window"
//   } finally {
//     await editor.stop();
//   }
//
// To see what survives a crash: give `profileDir`, `crash()`, and launch again with the same one.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../root.mjs";
import { extensionHostsEnded, extensionHostsOf } from "./extensionHosts.mjs";
import { openBrowser } from "./openBrowser.mjs";
import { openUrl } from "./openUrl.mjs";
import { startServer } from "./startServer.mjs";
import { panelFrame, ready, runCommand } from "./workbench.mjs";

/** The extension that carries out commands for tests. */
const bridgeExtension = join(root, "test", "bridge");

/** @type {typeof import("./launchEditor.d.mts").launchEditor} */
export async function launchEditor({
  workspace,
  extensionPath,
  settings,
  env,
  trusted,
  viewport,
  version,
  lean,
  profileDir,
  language,
  bridge,
}) {
  const profile = profileDir ?? (await mkdtemp(join(tmpdir(), "rooroo-editor-")));
  /** @type {(() => Promise<unknown>)[]} Last in, first out. */
  const undo = [];
  if (profileDir === undefined) undo.push(() => rm(profile, { recursive: true, force: true }));
  const unwind = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    if (language !== undefined) await installLanguage(join(profile, "server", "data"), language);
    const server = await startServer({
      dataDir: join(profile, "server"),
      port: await lastPort(profile),
      settings,
      env: { ...env, ...(bridge === undefined ? {} : { ROOROO_TEST_BRIDGE: bridge }) },
      // A window takes one extension under development only.
      extensions: bridge === undefined ? [] : [bridgeExtension],
      trusted,
      version,
      lean,
    });
    undo.push(server.stop);
    await writeFile(join(profile, "port"), new URL(server.url).port);
    const context = await openBrowser({ profileDir: join(profile, "browser"), viewport });
    undo.push(() => context.close());
    const page = context.pages()[0] ?? (await context.newPage());
    const urlOf = (/** @type {string | undefined} */ folder) =>
      openUrl(server, { folder, extensionDevelopmentPath: extensionPath });
    let url = urlOf(workspace);
    await page.goto(url);
    await ready(page);
    return {
      page,
      context,
      get url() {
        return url;
      },
      open: async (folder) => {
        url = urlOf(folder);
        await page.goto(url);
        await ready(page);
      },
      leave: async () => {
        const hosts = await extensionHostsOf(server.pid);
        const others = context.pages().filter((one) => one !== page);
        for (const other of others) await other.close();
        await page.goto("about:blank");
        await extensionHostsEnded(hosts);
      },
      serverPid: server.pid,
      runCommand: (command) => runCommand(page, command),
      panelFrame: (options) => panelFrame(page, options),
      reload: async () => {
        // With another window there, it cannot be told whose host is whose.
        const isAlone = context.pages().length === 1;
        const hosts = isAlone ? await extensionHostsOf(server.pid) : [];
        await page.goto(url);
        await ready(page);
        await extensionHostsEnded(hosts);
      },
      stop: unwind,
      crash: async () => {
        await server.kill();
        await unwind();
      },
    };
  } catch (error) {
    await unwind();
    throw error;
  }
}

/**
 * Sets the display language as "Configure Display Language" does, with a language pack. The pack is empty: VS
 * Code's own words stay English, and extensions show theirs in the language.
 *
 * @param {string} userDataDir
 * @param {string} language
 */
async function installLanguage(userDataDir, language) {
  const pack = join(userDataDir, "languagePack.json");
  const packs = {
    [language]: {
      hash: "1",
      extensions: [{ extensionIdentifier: { id: "test.language-pack" }, version: "1.0.0" }],
      label: language,
      translations: { vscode: pack },
    },
  };
  await mkdir(join(userDataDir, "User"), { recursive: true });
  await writeFile(pack, JSON.stringify({ contents: {} }));
  await writeFile(join(userDataDir, "languagepacks.json"), JSON.stringify(packs));
  await writeFile(join(userDataDir, "User", "argv.json"), JSON.stringify({ locale: language }));
}

/** The browser keeps a window's state by address: a profile must come back on the same port. @param {string} profile */
async function lastPort(profile) {
  const file = join(profile, "port");
  return existsSync(file) ? Number(await readFile(file, "utf8")) : undefined;
}
