import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { listedProcess } from "./processTable.js";

/** Which process this is, among all that ever ran on all hosts, as far as the system tells. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** Changes with every start of the machine; empty where the system does not tell. */
  readonly bootId: string;
  /** Tells containers with the same host name apart. */
  readonly pidNamespace: string;
  /** In the system's own unit; a later process with the same pid has another. */
  readonly processStart: string;
}

export function thisProcess(): ProcessIdentity {
  return {
    pid: process.pid,
    host: hostname(),
    bootId: orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: orEmpty(() => readlinkSync("/proc/self/ns/pid")),
    processStart: startOf(process.pid),
  };
}

/** `undefined` when that cannot be known from here, as of a process on another host. */
export function isAlive(other: ProcessIdentity, me: ProcessIdentity): boolean | undefined {
  if (other.host !== me.host || other.pidNamespace !== me.pidNamespace) return undefined;
  if (other.bootId !== me.bootId) return false;
  let isMine = true;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    // Somebody else's process may not be signalled, but is there.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
    isMine = false;
  }
  const start = startOf(other.pid);
  // Dead, but nobody has asked about it yet.
  if (start === "" && isMine && me.processStart !== "") return false;
  return start === "" || other.processStart === "" || start === other.processStart;
}

/** Empty where the system does not tell, or for a dead process that is still in its table. */
function startOf(pid: number): string {
  return String(listedProcess(pid)?.start ?? "");
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
