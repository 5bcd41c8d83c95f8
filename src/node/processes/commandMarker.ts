import { readFileSync } from "node:fs";
import { isAlive, type ProcessIdentity, thisProcess } from "./processIdentity.js";

/**
 * The environment variable by which a command's processes are recognized, wherever they go: a process
 * can leave its group and its parent, but hardly the environment that it was started with.
 */
export const markerVariable = "ROOROO_COMMAND";

let commands = 0;

/** Returns a new marker for a command of this process; no other command has the same one. */
export function newCommandMarker(): string {
  const { pid, processStart, pidNamespace } = thisProcess();
  return [pid, processStart, namespaceOf(pidNamespace), ++commands].join(".");
}

/** Returns a process's marker; `undefined` if it has none or may not be inspected. */
export function markerOf(pid: number): string | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    return new RegExp(`(?:^|\0)${markerVariable}=([^\0]*)`).exec(environment)?.[1];
  } catch {
    return undefined;
  }
}

/** Returns whether the process that made the marker has certainly ended. */
export function isOrphaned(marker: string, me: ProcessIdentity): boolean {
  const [pid, processStart, namespace] = marker.split(".");
  if (!/^[1-9]\d*$/.test(pid ?? "") || !processStart || !namespace) return false;
  // Processes in another container cannot be checked from here.
  if (namespace !== namespaceOf(me.pidNamespace)) return false;
  return isAlive({ ...me, pid: Number(pid), processStart }, me) === false;
}

/** Returns the number of a namespace, as in `4026531836` for `pid:[4026531836]`. */
function namespaceOf(name: string): string {
  return name.replace(/\D/g, "");
}
