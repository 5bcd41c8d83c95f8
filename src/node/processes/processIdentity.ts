import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { listedProcess } from "./processTable.js";

/** Identifies a process among all that ever ran on all hosts, as far as the system tells. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** An id that changes with every start of the machine; empty where the system does not tell. */
  readonly bootId: string;
  /** The namespace that distinguishes containers with the same host name. */
  readonly pidNamespace: string;
  /**
   * The time at which the process started, in the system's own unit; a later process with the same pid
   * has another value.
   */
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

/**
 * Returns whether the other process is alive; `undefined` if this cannot be known here, as for one on another
 * host.
 */
export function isAlive(other: ProcessIdentity, me: ProcessIdentity): boolean | undefined {
  if (other.host !== me.host || other.pidNamespace !== me.pidNamespace) return undefined;
  if (other.bootId !== me.bootId) return false;
  let isMine = true;
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    // A process of another user may not be signalled, but it exists.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
    isMine = false;
  }
  const start = startOf(other.pid);
  // A zombie: the process has ended, but its parent has not collected it yet.
  if (start === "" && isMine && me.processStart !== "") return false;
  return start === "" || other.processStart === "" || start === other.processStart;
}

/** Returns when a process started; empty if the system does not tell, or for a zombie. */
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
