import { readFileSync } from "node:fs";

/** Clock ticks a second, as the kernel counts the time of processes. */
const ticks = 100;

/**
 * Returns the seconds that processes have computed until now, theirs and their children's; `undefined` where there is no
 * `/proc`.
 *
 * @param {readonly number[]} pids
 */
export function cpuTime(pids) {
  try {
    return pids.reduce((sum, pid) => sum + timeOf(pid), 0);
  } catch {
    return undefined;
  }
}

function timeOf(/** @type {number} */ pid) {
  /** @type {string} */
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    // A child that has ended meanwhile; of a system without /proc, this process has none either.
    readFileSync("/proc/self/stat");
    return 0;
  }
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime, stime, and the same of the children that have ended.
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  return children.filter(Boolean).reduce((sum, child) => sum + timeOf(Number(child)), own);
}
