import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { isMissing } from "../files/realLocation.js";
import { takesTurns } from "../files/takesTurns.js";
import { processTable } from "../processes/processTable.js";
import { limitWords, type SandboxLimits } from "./sandboxLimits.js";

const everyMs = 200;
/**
 * Milliseconds between two counts: processes can double in number within milliseconds, and counting
 * costs little.
 */
const countEveryMs = 20;
const slash = Buffer.from("/");

/**
 * Checks repeatedly what a command uses: its processes, their memory, and the disk space of what it has
 * written. The system itself enforces the limits that it can; this is for the rest, and for commands of
 * root, whom the system does not limit.
 */
export class LimitWatch {
  private readonly timers: readonly NodeJS.Timeout[];
  private readonly threadsAtStart = threadsOfMachine();
  private threadsAtLook = this.threadsAtStart;
  private freeAtStart: { readonly bytes: number; readonly files: number } | undefined;
  private isLooking = false;

  /**
   * @param pid the process from which all processes of the command descend
   * @param layer the absolute path of the folder that the command writes in
   * @param tooMuch called once, with the limit in words
   */
  constructor(
    private readonly pid: number,
    private readonly layer: string,
    private readonly limits: SandboxLimits,
    private readonly tooMuch: (limit: string) => void,
  ) {
    this.timers = [
      setInterval(() => void this.look(), everyMs),
      setInterval(() => {
        this.count();
      }, countEveryMs),
    ];
  }

  stop(): void {
    for (const timer of this.timers) clearInterval(timer);
  }

  /** Checks the limits at once when the whole machine has many more threads than before. */
  private count(): void {
    const { processes } = this.limits;
    const threads = threadsOfMachine();
    const areMany = threads - this.threadsAtStart > processes / 2;
    if (areMany && threads - this.threadsAtLook > processes / 10) void this.look();
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    this.threadsAtLook = threadsOfMachine();
    try {
      const exceeded = this.ofProcesses() ?? (await this.ofDisk());
      if (exceeded === undefined) return;
      this.stop();
      this.tooMuch(limitWords(exceeded, this.limits));
    } catch {
      // A check that fails now is repeated the next time.
    } finally {
      this.isLooking = false;
    }
  }

  private ofProcesses(): keyof SandboxLimits | undefined {
    const children = new Map<number, { pid: number; threads: number; memoryBytes: number }[]>();
    for (const one of processTable() ?? []) {
      const siblings = children.get(one.parent);
      if (siblings === undefined) children.set(one.parent, [one]);
      else siblings.push(one);
    }
    let threads = 0;
    let memoryBytes = 0;
    const pending = [this.pid];
    for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
      for (const child of children.get(pid) ?? []) {
        threads += child.threads;
        memoryBytes += child.memoryBytes;
        pending.push(child.pid);
      }
    }
    if (memoryBytes > this.limits.memoryBytes) return "memoryBytes";
    // The number is slightly lower, because the system does not let a command reach the limit itself.
    return threads >= this.limits.processes * 0.95 ? "processes" : undefined;
  }

  /** Adds up what was written only when the disk has lost as much space, or as many files, as the command may use. */
  private async ofDisk(): Promise<keyof SandboxLimits | undefined> {
    const { bavail, bsize, ffree } = await statfs(this.layer);
    const free = { bytes: bavail * bsize, files: ffree };
    const start = (this.freeAtStart ??= free);
    const { layerBytes, layerFiles } = this.limits;
    const isFar = start.bytes - free.bytes >= layerBytes || start.files - free.files >= layerFiles;
    if (!isFar) return undefined;
    const upper = await usedBelow(join(this.layer, "upper"));
    if (upper.files > layerFiles) return "layerFiles";
    const caches = await usedBelow(join(this.layer, "caches"));
    return upper.bytes + caches.bytes > layerBytes ? "layerBytes" : undefined;
  }
}

/** Returns the number of threads on the machine. It is read from one short line, whatever the number. */
function threadsOfMachine(): number {
  const [, threads = "0"] = /\/(\d+) /.exec(readFileSync("/proc/loadavg", "utf8")) ?? [];
  return Number(threads);
}

/**
 * Returns the disk space of everything in a folder, and how many files, folders and links it has; the space is `Infinity` if
 * this is unknown because a folder cannot be read.
 */
async function usedBelow(folder: string): Promise<{ bytes: number; files: number }> {
  const turn = takesTurns();
  const pending = [Buffer.from(folder)];
  let bytes = 0;
  let files = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    await turn();
    try {
      // As bytes: a name need not be UTF-8.
      for (const entry of readdirSync(next, { withFileTypes: true, encoding: "buffer" })) {
        const path = Buffer.concat([next, slash, entry.name]);
        files++;
        if (entry.isDirectory()) pending.push(path);
        else bytes += (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512;
      }
    } catch (error) {
      if (!isMissing(error)) bytes = Infinity;
    }
  }
  return { bytes, files };
}
