import type { UserError } from "../errors.js";

interface Running {
  readonly id: string;
  readonly stopping: AbortController;
  readonly ended: Promise<unknown>;
}

/** The work that runs in this process, by id; several pieces of work may have the same id. */
export class WorkRegistry {
  readonly #running = new Set<Running>();

  get size(): number {
    return this.#running.size;
  }

  has(id: string): boolean {
    return this.ids.includes(id);
  }

  /** The ids of what runs now, oldest first. */
  get ids(): readonly string[] {
    return [...this.#running].map(({ id }) => id);
  }

  /**
   * Runs work until it ends.
   *
   * @param work is given the signal by which {@link stop} and {@link stopAll} end it
   */
  async run<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopping = new AbortController();
    const running = { id, stopping, ended: work(stopping.signal) };
    this.#running.add(running);
    try {
      return await running.ended;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Stops the work of this id; resolves when it has ended, however it ends. */
  stop(id: string, reason: UserError): Promise<void> {
    return this.#stop((running) => running.id === id, reason);
  }

  /** Stops everything that runs here; resolves when all of it has ended. */
  stopAll(reason: UserError): Promise<void> {
    return this.#stop(() => true, reason);
  }

  async #stop(isIncluded: (running: Running) => boolean, reason: UserError): Promise<void> {
    const included = [...this.#running].filter(isIncluded);
    for (const { stopping } of included) stopping.abort(reason);
    await Promise.allSettled(included.map(({ ended }) => ended));
  }
}
