import assert from "node:assert/strict";
import { panelBrowser } from "./panelBrowser.js";
import { PanelHost } from "./panelHost.js";

/**
 * The panel's page, loaded anew for each of the tests around. None of them may end with an error in
 * the page, or with something that its policy had to forbid.
 */
export function usePanelPage(onLoad: (host: PanelHost) => void): void {
  let host: PanelHost;

  beforeEach(async () => {
    host = await PanelHost.open(await panelBrowser());
    await host.load();
    onLoad(host);
  });

  afterEach(async () => {
    const violations = await host.page
      .evaluate(() => (globalThis as unknown as { violations: string[] }).violations)
      .catch(() => []);
    await host.close();
    assert.deepEqual(violations, [], "what the page's policy had to forbid");
    assert.deepEqual(host.complaints, [], "errors in the page");
  });
}
