import { spawn } from "node:child_process";

/**
 * Opens an address in the person's browser, if there is a desktop. It is a courtesy: nothing
 * happens where it cannot be done.
 *
 * @param {string} url
 */
export function openInBrowser(url) {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  /** @type {Record<string, [string, string[]]>} */
  const commands = {
    darwin: ["open", [url]],
    win32: ["rundll32.exe", ["url.dll,FileProtocolHandler", url]],
    linux: ["xdg-open", [url]],
  };
  const command = commands[process.platform];
  if (command === undefined) return;
  if (process.platform === "linux" && !DISPLAY && !WAYLAND_DISPLAY) return;
  const child = spawn(...command, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
