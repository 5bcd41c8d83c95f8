import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOrphaned } from "../processes/commandMarker.js";
import { thisProcess } from "../processes/processIdentity.js";

/** A control group that holds one command and limits how many processes it may have. */
export interface RootProcessLimit {
  /**
   * The file into which a process of one thread writes `0` to become a member, with everything that it
   * starts (kernel documentation, cgroup-v1/cgroups.rst and cgroup-v2.rst).
   */
  readonly members: string;
  /** Removes the group. To be called when no member lives any more. */
  remove(): void;
}

/** The beginning of the names of this program's groups; the command's marker follows. */
const prefix = "rooroo-";
/** The system's folders of control groups: newer systems have one tree, older ones a tree for processes. */
const trees = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];

/**
 * Limits the processes of a command that runs as root, to whom no other limit applies. Returns
 * `undefined` for any other user, and where the system does not let such a group be made, as in most
 * containers.
 */
export function rootProcessLimit(marker: string, processes: number): RootProcessLimit | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const tree = treeHere();
  if (tree === undefined) return undefined;
  const group = join(tree, `${prefix}${marker}`);
  const remove = (): void => {
    removeGroup(group);
  };
  try {
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, "pids.max"), String(processes), { flag: "r+" });
    return { members: membersOf(group), remove };
  } catch {
    remove();
    return undefined;
  }
}

/** Removes the groups of commands whose host process has ended. */
export function removeOrphanedLimits(): void {
  const tree = treeHere();
  if (tree === undefined || process.getuid?.() !== 0) return;
  const me = thisProcess();
  for (const name of readdirSync(tree)) {
    const isOurs = name.startsWith(prefix);
    if (isOurs && isOrphaned(name.slice(prefix.length), me)) removeGroup(join(tree, name));
  }
}

/**
 * Returns the file through which members join. Older systems let a thread join by itself, which is done
 * at once; a process joins when all processors have passed a certain point, which takes 10 to 20 ms.
 */
function membersOf(group: string): string {
  const threads = join(group, "tasks");
  return existsSync(threads) ? threads : join(group, "cgroup.procs");
}

function treeHere(): string | undefined {
  return trees.find((one) => existsSync(join(one, "cgroup.procs")));
}

function removeGroup(group: string): void {
  try {
    rmdirSync(group);
  } catch {
    // The group still has a member, or is gone; an empty group does no harm.
  }
}
