import type { Browser } from "playwright-core";
import { PanelHost } from "./panelHost.js";

let launched: Promise<Browser> | undefined;

/** The browser of all tests of a process: each has pages of its own in it. */
export function panelBrowser(): Promise<Browser> {
  launched ??= PanelHost.launchBrowser();
  return launched;
}

after("for all files: end the browser", async () => {
  const browser = await launched;
  await browser?.close();
});
