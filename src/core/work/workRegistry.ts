import type { UserError } from "../errors.js";

interface Running {
  readonly stopping: AbortController;
  readonly ended: Promise<unknown>;
}

/** The work that runs in this process, by id. */
export class WorkRegistry<Id = string> {
  readonly #running = new Map<Id, Running>();

  get size(): number {
    return this.#running.size;
  }

  has(id: Id): boolean {
    return this.#running.has(id);
  }

  /** The ids of what runs now, oldest first. */
  get ids(): readonly Id[] {
    return [...this.#running.keys()];
  }

  /**
   * Runs work under an id that no other running work has.
   *
   * @param work is given the signal by which {@link stop} ends it
   */
  async run<T>(id: Id, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopping = new AbortController();
    const ended = work(stopping.signal);
    this.#running.set(id, { stopping, ended });
    try {
      return await ended;
    } finally {
      this.#running.delete(id);
    }
  }

  /** Stops the work, if it runs here; resolves when it has ended, however it ends. */
  async stop(id: Id, reason: UserError): Promise<void> {
    const running = this.#running.get(id);
    running?.stopping.abort(reason);
    await Promise.allSettled([running?.ended]);
  }

  /** Stops everything that runs here; resolves when all of it has ended. */
  async stopAll(reason: UserError): Promise<void> {
    const running = [...this.#running.values()];
    for (const { stopping } of running) stopping.abort(reason);
    await Promise.allSettled(running.map(({ ended }) => ended));
  }
}
