import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findOnPath } from "../process/findOnPath.mjs";
import { cacheFolder } from "../root.mjs";

const REACH_MS = 4000;

/**
 * A desktop VS Code's executable: the one that VSCODE_PATH names, the installed one, or, where it
 * can be reached within seconds, a download. Nothing where no window can be shown.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findDesktopEditor() {
  const named = process.env.VSCODE_PATH;
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`VSCODE_PATH names ${named}, which does not exist.`);
    return executableOf(named) ?? named;
  }
  if (!canShowWindows()) return undefined;
  const command = findOnPath(process.platform === "win32" ? ["code.cmd"] : ["code"]);
  return (command && executableOf(command)) ?? (await download());
}

function canShowWindows() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  return process.platform !== "linux" || Boolean(DISPLAY || WAYLAND_DISPLAY);
}

/**
 * The program behind the `code` command, which itself returns before the window closes.
 * Nothing for a `code` that talks to another machine's window, or that we do not know.
 *
 * @param {string} command
 */
function executableOf(command) {
  const bin = dirname(realpathSync(command));
  if (basename(bin) !== "bin") return undefined;
  const candidates = {
    linux: [join(bin, "..", "code")],
    win32: [join(bin, "..", "Code.exe")],
    darwin: ["Code", "Electron"].map((name) => join(bin, "../../../MacOS", name)),
  };
  const known = /** @type {Record<string, string[]>} */ (candidates);
  return known[process.platform]?.find((file) => existsSync(file));
}

async function download() {
  const { downloadAndUnzipVSCode, SilentReporter } = await import("@vscode/test-electron");
  try {
    return await downloadAndUnzipVSCode({
      cachePath: cacheFolder,
      reporter: new SilentReporter(),
      timeout: REACH_MS,
    });
  } catch {
    return undefined; // not from here
  }
}
