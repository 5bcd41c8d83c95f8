import type { Clock } from "../../src/core/ports/system.js";

interface Sleeper {
  wakesAt: number;
  readonly wake: () => void;
}

/** Time that passes when the test says so. */
export class ManualClock implements Clock {
  private time: number;
  /** The milliseconds that have passed since it began, however it was set. */
  passed = 0;
  private sleepers: Sleeper[] = [];
  private waiting: (() => void)[] = [];

  constructor(start: Date | string = "2025-01-02T03:04:05.000Z") {
    this.time = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.time);
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const stop = () => {
        this.sleepers = this.sleepers.filter((one) => one !== sleeper);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the port says: the signal's reason
        reject(signal.reason);
      };
      const sleeper = {
        wakesAt: this.time + ms,
        wake: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      };
      signal.addEventListener("abort", stop, { once: true });
      this.sleepers.push(sleeper);
      for (const tell of this.waiting.splice(0)) tell();
    });
  }

  /** Wakes, in order, everyone whose time has come. */
  advance(ms: number): void {
    this.time += ms;
    this.passed += ms;
    const due = this.sleepers.filter((one) => one.wakesAt <= this.time);
    this.sleepers = this.sleepers.filter((one) => one.wakesAt > this.time);
    for (const one of due.sort((a, b) => a.wakesAt - b.wakesAt)) one.wake();
  }

  /** Sets the clock forward or back, as a person or the network does: who sleeps wakes no sooner and no later. */
  set(ms: number): void {
    this.time += ms;
    for (const one of this.sleepers) one.wakesAt += ms;
  }

  get sleeping(): number {
    return this.sleepers.length;
  }

  /** Resolves when somebody sleeps. */
  async untilSleeping(): Promise<void> {
    if (this.sleepers.length === 0) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }
}
