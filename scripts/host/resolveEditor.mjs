import { fileURLToPath } from "node:url";
import { findDesktopEditor } from "./findDesktopEditor.mjs";

/**
 * @typedef {object} ResolvedEditor
 * @property {"desktop" | "browser"} kind
 * @property {string} executable For @vscode/test-electron's `vscodeExecutablePath`.
 */

/**
 * The VS Code to use here: a desktop one if there is any, else the browser-based.
 * Asking for a version of the latter (VSCODE_HOST_VERSION) is asking for it.
 *
 * @returns {Promise<ResolvedEditor>}
 */
export async function resolveEditor() {
  const wanted = process.env.VSCODE_HOST_VERSION;
  const desktop = wanted ? undefined : await findDesktopEditor();
  if (desktop !== undefined) return { kind: "desktop", executable: desktop };
  const launcher = fileURLToPath(new URL("launcher.mjs", import.meta.url));
  return { kind: "browser", executable: launcher };
}
