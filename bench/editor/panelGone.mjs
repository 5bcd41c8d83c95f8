/** VS Code goes on for a moment when the page is gone. */
const AT_REST_MS = 1_000;
const PATIENCE_MS = 30_000;

/**
 * Waits until nothing is left of an extension's hidden panel, so that the next is a new one.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} extensionId
 */
export async function panelGone(page, extensionId) {
  const isThere = () =>
    page.frames().some((frame) => frame.url().includes(`extensionId=${extensionId}&`));
  const deadline = Date.now() + PATIENCE_MS;
  while (isThere()) {
    if (Date.now() > deadline) throw new Error(`the panel of ${extensionId} does not go away`);
    await page.waitForTimeout(100);
  }
  await page.waitForTimeout(AT_REST_MS);
}
