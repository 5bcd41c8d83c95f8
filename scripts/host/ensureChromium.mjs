import { existsSync } from "node:fs";
import { findOnPath } from "../process/findOnPath.mjs";
import { say } from "../process/say.mjs";
import { aptInstall, canAptInstall } from "./aptInstall.mjs";

const usualPlaces = [
  // Chromium without windows of its own, which needs a fifth less processor time for an editor's window. The command of this
  // name is a script that leaves the browser running when it is killed.
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "msedge",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/**
 * The path of a Chromium, installed by apt where that is possible.
 *
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`CHROMIUM_PATH names ${named}, which does not exist.`);
    return named;
  }
  const found = findOnPath(usualPlaces);
  if (found !== undefined) return found;
  if (!canAptInstall()) {
    throw new Error(
      "No Chromium was found. Install Chromium or Google Chrome " +
        "(Debian and Ubuntu: sudo apt-get install chromium), or set CHROMIUM_PATH to one.",
    );
  }
  say("Installing Chromium with apt (once) …");
  const fonts = "fonts-dejavu-core";
  // Not every distribution has the first one.
  await aptInstall(["chromium-headless-shell", fonts]).catch(() => aptInstall(["chromium", fonts]));
  const installed = findOnPath(usualPlaces);
  if (installed === undefined) throw new Error("apt installed Chromium, but it cannot be found.");
  return installed;
}
