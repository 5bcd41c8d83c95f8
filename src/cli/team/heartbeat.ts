import type { TeamClaim, TeamQueue } from "../../core/ports/teamQueue.js";

/** Milliseconds between two heartbeats: three of them fit into the silence after which a claim is given to another. */
const beatMs = 3_000;

/** Tells the queue that the claims of this process are at work, all of them by one call. */
export class Heartbeat {
  readonly #claims = new Map<TeamClaim, () => void>();
  readonly #timer: NodeJS.Timeout;
  #isBeating = false;

  constructor(private readonly queue: Pick<TeamQueue, "beat">) {
    this.#timer = setInterval(() => void this.beat(), beatMs);
  }

  /** @param onLost called when another has taken over the task */
  add(claim: TeamClaim, onLost: () => void): void {
    this.#claims.set(claim, onLost);
  }

  remove(claim: TeamClaim): void {
    this.#claims.delete(claim);
  }

  async beat(): Promise<void> {
    const claims = [...this.#claims.keys()];
    if (this.#isBeating || claims.length === 0) return;
    this.#isBeating = true;
    try {
      const held = await this.queue.beat(claims);
      for (const claim of claims) {
        if (held.has(claim)) continue;
        this.#claims.get(claim)?.();
        this.#claims.delete(claim);
      }
    } catch {
      // The database cannot be asked now. Whoever takes over meanwhile, it refuses this attempt later.
    } finally {
      this.#isBeating = false;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
