import { chromium } from "playwright-core";
import { ensureChromium } from "./ensureChromium.mjs";

/** Returns how a headless Chromium is started that reaches nothing but this machine. */
export async function browserOptions() {
  return {
    executablePath: await ensureChromium(),
    headless: true,
    chromiumSandbox: false,
    args: [
      "--disable-gpu",
      // As fonts are drawn on a desktop; without this, a browser without windows draws them otherwise.
      "--font-render-hinting=slight",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    ],
  };
}

/**
 * Opens such a browser with a profile of its own.
 *
 * @param {object} options
 * @param {string} options.profileDir Kept; VS Code's window state and secrets live in it.
 * @param {{ width: number, height: number }} [options.viewport]
 * @returns {Promise<import("playwright-core").BrowserContext>}
 */
export async function openBrowser({ profileDir, viewport = { width: 1280, height: 800 } }) {
  const context = await chromium.launchPersistentContext(profileDir, {
    ...(await browserOptions()),
    viewport,
    reducedMotion: "reduce",
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return context;
}
