import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/root.mjs";
import { built } from "../harness/built.mjs";
import { compile } from "../harness/compiled.mjs";

/**
 * The panel's page as it is built, in a browser of its own, with the editor's part played by the tests' host.
 *
 * @returns {Promise<{ host: import("../../test/panel/panelHost.js").PanelHost, close: () => Promise<void> }>}
 */
export async function openPanelPage() {
  await built();
  await compile();
  process.env.ROOROO_WEBVIEW = join(root, "dist", "webview");
  const path = join(root, "out", "test", "panel", "panelHost.js");
  const { PanelHost } = await import(pathToFileURL(path).href);
  const browser = await PanelHost.launchBrowser();
  try {
    const host = await PanelHost.open(browser);
    await host.load();
    const close = async () => {
      await host.close();
      await browser.close();
    };
    return { host, close };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
