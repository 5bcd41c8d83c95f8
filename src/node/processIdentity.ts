import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

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
  try {
    process.kill(other.pid, 0);
  } catch (error) {
    // Somebody else's process may not be signalled, but is there.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  const start = startOf(other.pid);
  return start === "" || other.processStart === "" || start === other.processStart;
}

/** Field 22 of `/proc/PID/stat`; the second may hold blanks and parentheses. */
function startOf(pid: number): string {
  return orEmpty(() => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[19] ?? "";
  });
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
