import { findOnPath } from "../process/findOnPath.mjs";
import { say } from "../process/say.mjs";
import { aptInstall, canAptInstall } from "./aptInstall.mjs";

/**
 * Installs bubblewrap by apt where that is possible. Where it is not, the suites that need a sandbox
 * say so themselves, and test what happens without one.
 */
export async function ensureBubblewrap() {
  if (process.platform !== "linux" || findOnPath(["bwrap"]) !== undefined) return;
  if (!canAptInstall()) return;
  say("Installing bubblewrap with apt (once) …");
  try {
    await aptInstall(["bubblewrap"]);
  } catch (error) {
    say(`bubblewrap could not be installed: ${error instanceof Error ? error.message : error}`);
  }
}
