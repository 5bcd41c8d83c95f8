import { readdirSync, readFileSync } from "node:fs";

/** The usual size of a memory page; where pages are larger, the reported memory is too small. */
const pageBytes = 4096;

/** A living process, as Linux reports it. */
export interface ListedProcess {
  readonly pid: number;
  /** The process that started this one, or that has adopted it. */
  readonly parent: number;
  readonly group: number;
  readonly threads: number;
  /** Memory in use, shared memory included. */
  readonly memoryBytes: number;
  /** The time at which the process started, in ticks since the start of the machine. */
  readonly start: number;
}

/**
 * Returns all living processes. Zombies are left out: in a container they may never be collected.
 * `undefined` where the system has no such table.
 */
export function processTable(): ListedProcess[] | undefined {
  let names: string[];
  try {
    names = readdirSync("/proc");
  } catch {
    return undefined;
  }
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  return pids.length === 0 ? undefined : pids.flatMap((pid) => listedProcess(pid) ?? []);
}

export function listedProcess(pid: number): ListedProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field may hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return {
      pid,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      threads: Number(fields[17]),
      start: Number(fields[19]),
      memoryBytes: Number(fields[21]) * pageBytes,
    };
  } catch {
    return undefined;
  }
}
