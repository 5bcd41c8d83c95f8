/**
 * @typedef {object} Needs
 * @property {boolean} [windows] Whether the task opens windows.
 * @property {number} [rank] Of those that wait, the task with the lowest rank is next; the first of them, if several have it.
 */

/** @typedef {{ rank: number, begin: (value: unknown) => void }} Waiting */

/**
 * Runs a few tasks at a time. A window keeps more than one core busy, and most other tests keep less than one: as long as
 * there are both, one task that opens windows runs beside one that does not.
 */
export class Lanes {
  #running = 0;
  #withWindows = 0;
  /** @type {Waiting[]} */
  #windows = [];
  /** @type {Waiting[]} */
  #others = [];

  /** @param {number} most How many tasks run at a time. */
  constructor(most) {
    this.most = most;
  }

  /**
   * Runs a task when it is its turn.
   *
   * @template T
   * @param {() => Promise<T>} task
   * @param {Needs} [needs]
   * @returns {Promise<T>}
   */
  async run(task, { windows = false, rank = 0 } = {}) {
    await new Promise((begin) => {
      const waiting = windows ? this.#windows : this.#others;
      waiting.push({ rank, begin });
      waiting.sort((one, other) => one.rank - other.rank);
      this.#begin();
    });
    try {
      return await task();
    } finally {
      this.#running--;
      if (windows) this.#withWindows--;
      this.#begin();
    }
  }

  #begin() {
    while (this.#running < this.most) {
      const isWindow =
        this.#windows.length > 0 && (this.#withWindows === 0 || this.#others.length === 0);
      const next = (isWindow ? this.#windows : this.#others).shift();
      if (next === undefined) return;
      this.#running++;
      if (isWindow) this.#withWindows++;
      next.begin(undefined);
    }
  }
}
