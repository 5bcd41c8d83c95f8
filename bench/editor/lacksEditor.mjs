import { ensureChromium } from "../../scripts/host/ensureChromium.mjs";
import { ensureVSCodeServer } from "../../scripts/host/ensureVSCodeServer.mjs";
import { lack } from "../harness/lack.mjs";

/** Says what is lacking for a window of VS Code, which shows in a browser without a screen. */
export function lacksEditor() {
  return lack({ "VS Code": ensureVSCodeServer, Chromium: ensureChromium });
}
