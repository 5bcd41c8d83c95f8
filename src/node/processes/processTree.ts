import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { isOrphaned, markerOf } from "./commandMarker.js";
import { thisProcess } from "./processIdentity.js";
import { listedProcess, processTable } from "./processTable.js";

const pollMs = 20;
/** Milliseconds for killed processes that cannot end at once, as in the middle of a disk operation. */
const killMs = 2000;

type EndSignal = "SIGTERM" | "SIGKILL";

/**
 * A process with everything that it started: its process group, and, where the system lets them be
 * found, the processes that have left the group but still carry the command's marker.
 */
export class ProcessTree {
  private readonly start: number;

  /**
   * @param marker the child's value of `markerVariable`
   * @param isAround whether the child is a sandbox around the other processes, which all end with it. A
   *   sandbox that is asked to end would end them before they could do so themselves, so that only they
   *   are asked.
   */
  constructor(
    private readonly child: ChildProcess,
    private readonly marker: string,
    private readonly isAround = false,
  ) {
    this.start = listedProcess(child.pid ?? 0)?.start ?? 0;
    running.add(this);
    if (running.size === 1) process.on("exit", killAll);
  }

  get isAlive(): boolean {
    const { pid } = this.child;
    if (pid === undefined) return false;
    if (process.platform === "win32") return this.child.exitCode === null;
    if (this.isAround) return signalled(-pid, 0);
    const members = this.members();
    return members === undefined ? signalled(-pid, 0) : members.length > 0;
  }

  /**
   * Asks the processes to end, and kills them after `graceMs` milliseconds; with 0, kills them at once.
   * Resolves when none is left, at the latest {@link killMs} after the kill.
   */
  async end(graceMs: number): Promise<void> {
    if (graceMs === 0) {
      await this.kill();
    } else if (this.isAlive) {
      this.signal("SIGTERM");
      if (!(await this.isGoneWithin(graceMs))) await this.kill();
    }
    running.delete(this);
    if (running.size === 0) process.off("exit", killAll);
  }

  signal(signal: EndSignal): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (process.platform === "win32") {
      spawn("taskkill", ["/pid", String(pid), "/T", "/F"], { windowsHide: true, stdio: "ignore" });
      return;
    }
    if (this.isAround && signal === "SIGKILL") {
      signalled(-pid, signal);
      return;
    }
    const members = this.members();
    if (!this.isAround) signalled(-pid, signal);
    for (const member of members ?? []) if (member.group !== pid) signalled(member.pid, signal);
  }

  /** Kills repeatedly, because a process that is being ended may start another one. */
  private async kill(): Promise<void> {
    for (let waited = 0; waited < killMs; waited += pollMs) {
      this.signal("SIGKILL");
      if (!this.isAlive) return;
      await pause(pollMs);
    }
  }

  private members() {
    return processTable()?.filter(
      ({ pid, group, start }) =>
        group === this.child.pid || (start >= this.start && markerOf(pid) === this.marker),
    );
  }

  private async isGoneWithin(ms: number): Promise<boolean> {
    for (let waited = 0; waited < ms; waited += pollMs) {
      if (!this.isAlive) return true;
      await pause(pollMs);
    }
    return !this.isAlive;
  }
}

/** The trees that are killed when the host exits. */
const running = new Set<ProcessTree>();
function killAll(): void {
  for (const tree of running) tree.signal("SIGKILL");
}

/** Sends a signal. Returns whether there was a process to receive it. */
function signalled(pid: number, signal: EndSignal | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/**
 * Kills the orphaned processes of commands whose host was killed before it could end them. A process is
 * recognized by its own environment alone, so that no file can name an unrelated process. Works on
 * Linux only, where that environment can be read.
 */
export function endOrphaned(): void {
  const me = thisProcess();
  for (const { pid } of processTable() ?? []) {
    const marker = markerOf(pid);
    if (marker === undefined || !isOrphaned(marker, me)) continue;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended in the meantime.
    }
  }
}
