const PATIENCE_MS = 30_000;

/**
 * When the panel that shows now painted its first text, in milliseconds since the epoch, as the
 * browser itself has noted it; waits for it. The page has no picture that could come before.
 *
 * @param {import("../../scripts/host/launchEditor.mjs").Editor} editor
 * @param {string} extensionId
 * @returns {Promise<number>}
 */
export async function firstTextAt(editor, extensionId) {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    // Asked anew each time: VS Code may put another frame into the place of the one found.
    const frame = await editor.panelFrame({ extensionId, timeout: PATIENCE_MS });
    const painted = await frame.evaluate(firstPaint).catch(() => undefined);
    if (painted !== undefined) return painted;
    await editor.page.waitForTimeout(50);
  }
  throw new Error(`no text in the panel of ${extensionId} within ${PATIENCE_MS / 1000} s`);
}

/** Runs in the page. */
function firstPaint() {
  const [entry] = performance.getEntriesByName("first-contentful-paint");
  return entry && performance.timeOrigin + entry.startTime;
}
