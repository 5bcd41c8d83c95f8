import { readdirSync, readFileSync } from "node:fs";

/** The usual size of a page; where pages are bigger, memory seems to be less. */
const pageBytes = 4096;

/** A living process, as Linux tells of it. */
export interface ListedProcess {
  readonly pid: number;
  /** The process that started it, or that has taken the place of one that is gone. */
  readonly parent: number;
  readonly group: number;
  readonly threads: number;
  /** Memory in use, shared memory included. */
  readonly memoryBytes: number;
  /** In ticks since the start of the machine. */
  readonly start: number;
}

/**
 * All that live, dead ones left out that nobody has asked about yet: in a container nobody may ever
 * do. `undefined` where the system has no such table.
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
