import { isLeftBehind, markerOf } from "./commandMarker.js";
import { thisProcess } from "./processIdentity.js";
import { processTable } from "./processTable.js";

/**
 * Ends what commands are still running of hosts that were killed and could not do it themselves. A
 * process is known by its own environment alone, so that no file can name somebody else's. Only
 * Linux lets it be looked at.
 */
export function endLeftBehind(): void {
  const me = thisProcess();
  for (const { pid } of processTable() ?? []) {
    const marker = markerOf(pid);
    if (marker === undefined || !isLeftBehind(marker, me)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
}
