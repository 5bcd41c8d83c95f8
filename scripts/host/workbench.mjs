/** @typedef {import("playwright-core").Page} Page */

const READY_MS = 120_000;
const COMMAND_MS = 120_000;
/** For one step with the palette at first, before it is opened again; each time it gets as much more. */
const STEP_MS = 500;
const FRAME_MS = 120_000;

/** Matches what the palette says instead of an offer. */
const nothing = /^No matching/;

/**
 * Waits until VS Code has drawn its window and knows all extensions (not: has activated them).
 *
 * @param {Page} page
 */
export async function ready(page) {
  await page.waitForSelector(".monaco-workbench .part.statusbar", { timeout: READY_MS });
  const loaded = () => performance.getEntriesByName("code/didLoadExtensions").length > 0;
  await page.waitForFunction(loaded, undefined, { timeout: READY_MS });
}

/**
 * Runs a command by keyboard, as a person would; waits until the command palette offers it.
 *
 * @param {Page} page
 * @param {string} command Its id (`rooroo.proceed`), or its title (`Rooroo: Proceed`).
 */
export async function runCommand(page, command) {
  const deadline = Date.now() + COMMAND_MS;
  let offered = "nothing";
  for (let stepMs = STEP_MS; Date.now() < deadline; stepMs += STEP_MS) {
    try {
      offered = await tryCommand(page, command, stepMs);
      if (offered === command) return;
    } catch {
      // What ran before may still be taking the focus, and that closes the palette.
    }
    await page.waitForTimeout(250);
  }
  throw new Error(`The command palette offers no "${command}", but ${offered}.`);
}

/**
 * @param {Page} page
 * @param {string} command
 * @param {number} timeout For one step, in milliseconds.
 * @returns {Promise<string>} `command` if it ran, else what was offered in its place.
 */
async function tryCommand(page, command, timeout) {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget:visible input.input");
  const type = (/** @type {string} */ text) => input.fill(`>${text}`, { timeout });
  // An offer that is there after this is for the command, and not for what was typed before.
  await type("~0123456789");
  await rowsOf(page).and(page.getByLabel(nothing)).waitFor({ timeout });
  await type(command);
  const label = await firstOffer(page, timeout);
  const isId = /^[\w-]+(\.[\w-]+)+$/.test(command);
  const fits = isId ? !nothing.test(label) : label.startsWith(command);
  await input.press(fits ? "Enter" : "Escape", { timeout });
  return fits ? command : label;
}

/** @param {Page} page */
function rowsOf(page) {
  return page.locator(".quick-input-list .monaco-list-row");
}

/**
 * The palette filters as one types: its first row, once it has come to rest.
 *
 * @param {Page} page
 * @param {number} timeout For the first row, in milliseconds.
 */
async function firstOffer(page, timeout) {
  const rows = rowsOf(page);
  const labels = () => rows.evaluateAll((all) => all.map((row) => row.ariaLabel ?? ""));
  await rows.first().waitFor({ timeout });
  let before = await labels();
  for (;;) {
    await page.waitForTimeout(150);
    const now = await labels();
    if (now.length > 0 && now.join("\n") === before.join("\n")) return now[0];
    before = now;
  }
}

/**
 * The page inside a webview: `index.html?…&extensionId=…&purpose=…` holds a frame, and that frame
 * is what the extension wrote.
 *
 * @param {Page} page
 * @param {{ extensionId?: string, purpose?: string, timeout?: number }} [options]
 *   `purpose`: "webviewView" (side bar, the default) or "webviewPanel" is not told by every VS Code;
 *   the newest frame that fits wins.
 */
export async function panelFrame(
  page,
  { extensionId = "rooroo.rooroo-navigator", purpose, timeout = FRAME_MS } = {},
) {
  const deadline = Date.now() + timeout;
  while (Date.now() < deadline) {
    const frame = page.frames().findLast((one) => {
      const holder = one.parentFrame();
      if (holder === null || !one.url().includes("/fake.html?")) return false;
      const query = new URL(holder.url()).searchParams;
      if (query.get("extensionId")?.toLowerCase() !== extensionId) return false;
      return purpose === undefined || query.get("purpose") === purpose;
    });
    // The frame exists before the extension's page is in it.
    if (frame !== undefined && (await hasContent(frame))) return frame;
    await page.waitForTimeout(100);
  }
  throw new Error(`No webview of ${extensionId} within ${timeout} ms.`);
}

/** @param {import("playwright-core").Frame} frame */
async function hasContent(frame) {
  try {
    return await frame.evaluate(
      () => document.readyState === "complete" && document.body.childElementCount > 0,
    );
  } catch {
    return false; // it is being replaced
  }
}
