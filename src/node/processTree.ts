import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 20;
/** For processes that cannot be ended at once, as in the middle of a disk operation. */
const killMs = 2000;

/** A process with all that it started, which is its process group where there are such. */
export class ProcessTree {
  constructor(private readonly child: ChildProcess) {
    running.add(this);
    if (running.size === 1) process.on("exit", killAll);
  }

  get isAlive(): boolean {
    if (this.child.pid === undefined) return false;
    if (process.platform === "win32") return this.child.exitCode === null;
    return signalGroup(this.child.pid, 0) && hasLivingMember(this.child.pid);
  }

  /** Asks it to end; after `graceMs` makes it. Resolves when nothing of it is left. */
  async end(graceMs: number): Promise<void> {
    if (this.isAlive) {
      this.signal("SIGTERM");
      if (!(await this.isGoneWithin(graceMs))) {
        this.signal("SIGKILL");
        await this.isGoneWithin(killMs);
      }
    }
    running.delete(this);
    if (running.size === 0) process.off("exit", killAll);
  }

  signal(signal: "SIGTERM" | "SIGKILL"): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (process.platform === "win32") {
      spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true, stdio: "ignore" });
    } else signalGroup(pid, signal);
  }

  private async isGoneWithin(ms: number): Promise<boolean> {
    for (let waited = 0; waited < ms; waited += pollMs) {
      if (!this.isAlive) return true;
      await pause(pollMs);
    }
    return !this.isAlive;
  }
}

/** A host that exits takes its commands along. */
const running = new Set<ProcessTree>();
function killAll(): void {
  for (const tree of running) tree.signal("SIGKILL");
}

/**
 * Whether more than dead processes is left, which can be signalled until somebody asks about them,
 * and in a container nobody may ever do.
 */
function hasLivingMember(group: number): boolean {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return true;
  }
  return pids.some((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [state, , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return Number(ofGroup) === group && state !== "Z" && state !== "X";
    } catch {
      return false;
    }
  });
}

/** Whether there was anything to signal. */
function signalGroup(pid: number, signal: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
