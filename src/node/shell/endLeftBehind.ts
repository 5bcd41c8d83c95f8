import { isLeftBehind, markerOf } from "./commandMarker.js";
import { thisProcess } from "../locks/processIdentity.js";
import { processTable } from "./processTable.js";

/**
 * Kills the orphaned processes of commands whose host was killed before it could end them. A process is
 * recognized by its own environment alone, so that no file can name an unrelated process. Works on
 * Linux only, where that environment can be read.
 */
export function endLeftBehind(): void {
  const me = thisProcess();
  for (const { pid } of processTable() ?? []) {
    const marker = markerOf(pid);
    if (marker === undefined || !isLeftBehind(marker, me)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended in the meantime.
    }
  }
}
