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
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extensionHostsEnded, extensionHostsOf } from "./extensionHosts.mjs";
import { openBrowser } from "./openBrowser.mjs";
import { openUrl } from "./openUrl.mjs";
import { startServer } from "./startServer.mjs";
import { panelFrame, ready, runCommand } from "./workbench.mjs";

/** @type {typeof import("./launchEditor.d.mts").launchEditor} */
export async function launchEditor({
  workspace,
  extensionPath,
  settings,
  env,
  trusted,
  viewport,
  version,
  profileDir,
}) {
  const profile = profileDir ?? (await mkdtemp(join(tmpdir(), "rooroo-editor-")));
  /** @type {(() => Promise<unknown>)[]} Last in, first out. */
  const undo = [];
  if (profileDir === undefined) undo.push(() => rm(profile, { recursive: true, force: true }));
  const unwind = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    const server = await startServer({
      dataDir: join(profile, "server"),
      port: await lastPort(profile),
      settings,
      env,
      trusted,
      version,
    });
    undo.push(server.stop);
    await writeFile(join(profile, "port"), new URL(server.url).port);
    const context = await openBrowser({ profileDir: join(profile, "browser"), viewport });
    undo.push(() => context.close());
    const page = context.pages()[0] ?? (await context.newPage());
    const url = openUrl(server, { folder: workspace, extensionDevelopmentPath: extensionPath });
    await page.goto(url);
    await ready(page);
    return {
      page,
      context,
      url,
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

/** The browser keeps a window's state by address: a profile must come back on the same port. @param {string} profile */
async function lastPort(profile) {
  const file = join(profile, "port");
  return existsSync(file) ? Number(await readFile(file, "utf8")) : undefined;
}
