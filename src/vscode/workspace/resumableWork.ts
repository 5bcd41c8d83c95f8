import type * as vscode from "vscode";
import { pause } from "../timing/pause.js";
import type { Resumable, ResumeRecord } from "./resumeStore.js";

/** Milliseconds between checks whether another process still does the work. */
const lookAgainMs = 500;

/** Releases the work, so that other processes can take it. */
export type Release = () => Promise<void>;

/** Callbacks that resume recorded work. */
export interface Resumption<T> {
  /** Takes the work for this window; `undefined` while another process does it. */
  claim(work: T): Promise<Release | undefined>;
  /** Does the work, and calls `release` when it has ended. */
  resume(work: T, release: Release): Promise<void>;
}

/**
 * Work of one kind (tasks, jobs or runs) that this window does. It is recorded while it is under way, so
 * that after a reload or a crash the next window resumes it.
 */
export class ResumableWork<T extends Resumable> implements vscode.Disposable {
  private readonly stopped = new Set<string>();
  private isEnding = false;

  /** @param wait resolves after the given milliseconds */
  constructor(
    private readonly record: ResumeRecord<T>,
    private readonly wait: (ms: number) => Promise<void> = pause,
  ) {}

  /** Whether the window is closing: work that ends from now on is interrupted, not over. */
  get isClosing(): boolean {
    return this.isEnding;
  }

  /** Returns whether the user has stopped the work, so that they need no notification of its end. */
  isStopped(name: string): boolean {
    return this.stopped.has(name);
  }

  markStopped(name: string): void {
    this.stopped.add(name);
  }

  clearStopped(name: string): void {
    this.stopped.delete(name);
  }

  /** Records the work while `body` runs. */
  async during<R>(work: T, body: () => Promise<R>): Promise<R> {
    const { name } = work;
    await this.record.set(name, work);
    try {
      return await body();
    } finally {
      this.stopped.delete(name);
      if (!this.isEnding) await this.record.set(name, undefined);
    }
  }

  /** Records how the work is to be resumed from now on; `undefined`: not at all. */
  update(name: string, work: T | undefined): void {
    if (!this.isEnding) void this.record.set(name, work);
  }

  /** Returns whether the work was interrupted, or is under way here. */
  async isRecorded(name: string): Promise<boolean> {
    return (await this.record.read()).some((work) => work.name === name);
  }

  /** Returns, for each recorded work, a function that resumes it as soon as no other process does it. */
  async interrupted(resumption: Resumption<T>): Promise<(() => Promise<void>)[]> {
    const all = await this.record.read();
    return all.map((work) => async () => {
      const release = await this.claimed(work, resumption);
      if (release !== undefined) await resumption.resume(work, release);
    });
  }

  dispose(): void {
    this.isEnding = true;
  }

  /** Waits for the work; `undefined` if another window has finished it, or this one is closing. */
  private async claimed(work: T, resumption: Resumption<T>): Promise<Release | undefined> {
    while (!this.isEnding) {
      const release = await resumption.claim(work);
      if (release !== undefined) {
        if ((await this.isRecorded(work.name)) && !this.isClosing) return release;
        await release();
        return undefined;
      }
      await this.wait(lookAgainMs);
    }
    return undefined;
  }
}
