import { readFileSync } from "node:fs";
import { isAlive, type ProcessIdentity, thisProcess } from "./processIdentity.js";

/**
 * The environment variable by which a command's processes are known, wherever they go: a process can
 * leave its group and its parent, but hardly what it was started with.
 */
export const markerVariable = "ROOROO_COMMAND";

let commands = 0;

/** Of one command of this process, unlike that of any other. */
export function newCommandMarker(): string {
  const { pid, processStart, pidNamespace } = thisProcess();
  return [pid, processStart, namespaceOf(pidNamespace), ++commands].join(".");
}

/** `undefined` when the process has none, or when it is not ours to look at. */
export function markerOf(pid: number): string | undefined {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    return new RegExp(`(?:^|\0)${markerVariable}=([^\0]*)`).exec(environment)?.[1];
  } catch {
    return undefined;
  }
}

/** Made by a process that certainly does not live any more. */
export function isLeftBehind(marker: string, me: ProcessIdentity): boolean {
  const [pid, processStart, namespace] = marker.split(".");
  if (!/^[1-9]\d*$/.test(pid ?? "") || !processStart || !namespace) return false;
  // What is another container's cannot be told from here.
  if (namespace !== namespaceOf(me.pidNamespace)) return false;
  return isAlive({ ...me, pid: Number(pid), processStart }, me) === false;
}

/** As in `4026531836`, of `pid:[4026531836]`. */
function namespaceOf(name: string): string {
  return name.replace(/\D/g, "");
}
