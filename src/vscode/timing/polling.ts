import type { Clock } from "../../core/ports/system.js";

/** The shortest rest in milliseconds, and how many times as long as the work before it a rest is. */
const [leastRestMs, restFactor] = [5_000, 100];

/**
 * Looks again a while after each piece of work. Work that takes long is followed by a long rest, so that it
 * takes at most a hundredth of the time.
 */
export class Polling {
  private rest = new AbortController();
  private disposed = false;

  /** @param look called when a rest is over */
  constructor(
    private readonly clock: Clock,
    private readonly look: () => Promise<void>,
  ) {}

  /** Does a piece of work at once. A rest that was going on ends without a look; the next one follows the work. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    this.rest.abort();
    const began = this.clock.now().getTime();
    try {
      return await work();
    } finally {
      const tookMs = this.clock.now().getTime() - began;
      if (!this.disposed) this.restFor(Math.max(leastRestMs, tookMs * restFactor));
    }
  }

  dispose(): void {
    this.disposed = true;
    this.rest.abort();
  }

  private restFor(ms: number): void {
    this.rest.abort();
    this.rest = new AbortController();
    void this.clock.sleep(ms, this.rest.signal).then(this.look, () => undefined);
  }
}
