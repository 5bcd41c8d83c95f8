import { chromium } from "playwright-core";
import { ensureChromium } from "./ensureChromium.mjs";

/**
 * A headless Chromium that reaches nothing but this machine.
 *
 * @param {object} options
 * @param {string} options.profileDir Kept; VS Code's window state and secrets live in it.
 * @param {{ width: number, height: number }} [options.viewport]
 * @returns {Promise<import("playwright-core").BrowserContext>}
 */
export async function openBrowser({ profileDir, viewport = { width: 1280, height: 800 } }) {
  const context = await chromium.launchPersistentContext(profileDir, {
    executablePath: await ensureChromium(),
    headless: true,
    viewport,
    reducedMotion: "reduce",
    chromiumSandbox: false,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ],
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return context;
}
