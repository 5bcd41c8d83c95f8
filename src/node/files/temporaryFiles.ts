import { createHash, randomBytes } from "node:crypto";
import { temporaryName } from "../../core/access/temporaryName.js";
import { thisProcess, type ProcessIdentity } from "../processes/processIdentity.js";

let marked: string | undefined;

/** Returns a name for the temporary file beside `name`, which tells that this process writes the file. */
export function newTemporaryName(name: string): string {
  if (marked === undefined) {
    const me = thisProcess();
    marked = `${machineOf(me)}${me.pid.toString(16).padStart(8, "0")}`;
  }
  return temporaryName(name, marked, randomBytes(4).toString("hex"));
}

/**
 * Returns 8 characters of `0-9a-f` that distinguish a machine since its last start, or a container,
 * from others.
 */
export function machineOf({ host, bootId, pidNamespace }: ProcessIdentity): string {
  const all = JSON.stringify([host, bootId, pidNamespace]);
  return createHash("sha256").update(all).digest("hex").slice(0, 8);
}
