import { resolveEditor } from "../host/resolveEditor.mjs";
import { startBrowserEditor } from "./startBrowserEditor.mjs";
import { startDesktopEditor } from "./startDesktopEditor.mjs";

/**
 * @typedef {object} Session
 * @property {string} scratch A folder for the editor's own data, removed at the end.
 * @property {string} workspace
 * @property {NodeJS.ProcessEnv} env Added to the environment of the extension host.
 * @property {Record<string, unknown>} settings
 *
 * @typedef {{ stopped: Promise<number> }} OpenEditor `stopped`: its exit code, once it has ended.
 */

/**
 * Opens VS Code: a desktop one if there is one, else the browser-based.
 *
 * @param {Session} session
 * @param {import("./options.mjs").Options} options
 * @returns {Promise<OpenEditor>}
 */
export async function openEditor(session, options) {
  const wantsBrowser = options.browser || options.port !== undefined;
  const editor = wantsBrowser ? undefined : await resolveEditor();
  return editor?.kind === "desktop"
    ? startDesktopEditor(editor.executable, session)
    : startBrowserEditor(session, options);
}
