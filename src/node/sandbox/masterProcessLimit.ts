import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A control group that holds one command and lets it have so many processes at most. */
export interface MasterProcessLimit {
  /** The file into which a process writes its own id to become a member, with all that it starts. */
  readonly members: string;
  /** To be called when no member lives any more. */
  remove(): void;
}

/** Where the system has such groups: newer systems have one tree, older ones a tree for processes. */
const trees = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"];

/**
 * Limits the processes of a command that runs as the machine's master, for whom no other limit
 * counts. `undefined` for anybody else, and where the system does not let such a group be made, as
 * in most containers.
 */
export function masterProcessLimit(
  marker: string,
  processes: number,
): MasterProcessLimit | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const tree = trees.find((one) => existsSync(join(one, "cgroup.procs")));
  if (tree === undefined) return undefined;
  const group = join(tree, `rooroo-${marker}`);
  const remove = (): void => {
    try {
      rmdirSync(group);
    } catch {
      // An empty group does no harm.
    }
  };
  try {
    mkdirSync(group);
    writeFileSync(join(group, "pids.max"), String(processes), { flag: "r+" });
    return { members: join(group, "cgroup.procs"), remove };
  } catch {
    remove();
    return undefined;
  }
}
