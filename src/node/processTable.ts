import { readdirSync, readFileSync } from "node:fs";

/** A living process, as Linux tells of it. */
export interface ListedProcess {
  readonly pid: number;
  readonly group: number;
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
    return { pid, group: Number(fields[2]), start: Number(fields[19]) };
  } catch {
    return undefined;
  }
}
