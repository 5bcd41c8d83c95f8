/**
 * @typedef {object} Needs
 * @property {boolean} [windows] Whether the task opens windows.
 */

/**
 * Runs a few tasks at a time. A window keeps more than one core busy, and most other tests keep less than one: as long as
 * there are both, one task that opens windows runs beside one that does not.
 */
export class Lanes {
  #running = 0;
  #withWindows = 0;
  /** @type {(() => void)[]} */
  #windows = [];
  /** @type {(() => void)[]} */
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
  async run(task, { windows = false } = {}) {
    await new Promise((resolve) => {
      (windows ? this.#windows : this.#others).push(() => resolve(undefined));
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
      next();
    }
  }
}
