import { join } from "node:path";
import { openUrl } from "../host/openUrl.mjs";
import { startServer } from "../host/startServer.mjs";
import { atEnd } from "../process/cleanup.mjs";
import { say } from "../process/say.mjs";
import { root } from "../root.mjs";
import { openInBrowser } from "./openInBrowser.mjs";

/**
 * @param {import("./openEditor.mjs").Session} session
 * @param {{ port?: number, open: boolean }} options
 * @returns {Promise<import("./openEditor.mjs").OpenEditor>}
 */
export async function startBrowserEditor({ scratch, workspace, env, settings }, { port, open }) {
  const server = await startServer({ dataDir: join(scratch, "server"), port, env, settings });
  atEnd(server.stop);
  const url = openUrl(server, { folder: workspace, extensionDevelopmentPath: root });
  say("VS Code is ready. Its address (keep it to yourself, it holds the key):");
  console.log(`\n${url}\n`);
  if (open) openInBrowser(url);
  return server;
}
