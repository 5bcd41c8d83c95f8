/**
 * @typedef {object} Needs
 * @property {boolean} [windows] Whether the task opens windows.
 * @property {number} [rank] Of those that wait, the task with the lowest rank is next; the first of them, if several have it.
 */

/** @typedef {{ rank: number, begin: (value: unknown) => void }} Waiting */

/** Most tasks wait for half of their time; a window keeps more than one core busy. */
const MOST_OTHERS = 3;
const MOST_BESIDE_A_WINDOW = 1;

/**
 * Runs a few tasks at a time, as many as keep two cores busy: one that opens windows beside one that does not, as long as
 * there are both; two with windows, or three without, when nothing else is left.
 */
export class Lanes {
  #windowsRun = 0;
  #othersRun = 0;
  /** @type {Waiting[]} */
  #windows = [];
  /** @type {Waiting[]} */
  #others = [];

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
      if (windows) this.#windowsRun--;
      else this.#othersRun--;
      this.#begin();
    }
  }

  #begin() {
    for (;;) {
      const windows = this.#windowsRun + this.#windows.length;
      const others = this.#othersRun + this.#others.length;
      const mostWindows = others > 0 ? 1 : 2;
      const mostOthers = windows > 0 ? MOST_BESIDE_A_WINDOW : MOST_OTHERS;
      if (this.#windows.length > 0 && this.#windowsRun < mostWindows) {
        this.#windowsRun++;
        this.#windows.shift()?.begin(undefined);
      } else if (this.#others.length > 0 && this.#othersRun < mostOthers) {
        this.#othersRun++;
        this.#others.shift()?.begin(undefined);
      } else return;
    }
  }
}
