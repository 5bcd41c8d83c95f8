import { readFile, readdir } from "node:fs/promises";

/**
 * The processes below `root`, children first. Linux only; elsewhere an empty list.
 * `isAlive` is false for a later process that merely got the same number.
 *
 * @param {number} root
 * @returns {Promise<{ pid: number, isAlive: () => Promise<boolean> }[]>}
 */
export async function descendantsOf(root) {
  if (process.platform !== "linux") return [];
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(names.map((name) => describe(Number(name))));
  const found = [];
  const parents = [root];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const one of all) {
      if (one?.parent !== parent) continue;
      parents.push(one.pid);
      found.push({
        pid: one.pid,
        isAlive: async () => (await describe(one.pid))?.startedAt === one.startedAt,
      });
    }
  }
  return found;
}

/** @param {number} pid */
async function describe(pid) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets and may itself hold blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, parent: Number(fields[1]), startedAt: fields[19] };
  } catch {
    return undefined; // ended meanwhile
  }
}
