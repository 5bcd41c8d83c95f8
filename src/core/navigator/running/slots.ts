/** A slot in which work runs. */
export interface Slot {
  /**
   * Gives the slot to other work during a wait, and takes one again afterwards, ahead of work that has
   * not begun. If the wait fails, it takes none, because the work is to end.
   */
  away<T>(wait: () => Promise<T>): Promise<T>;
}

/** Limits how many pieces of work run at a time; they start in the order in which they came. */
export class Slots {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #returning: (() => void)[] = [];

  /**
   * @param size returns the number of slots, at least 1; called whenever a slot is wanted or given back
   */
  constructor(private readonly size: () => number) {}

  async run<T>(work: (slot: Slot) => Promise<T>): Promise<T> {
    if (this.#taken >= this.#size || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#taken++;
    const state = { waits: 0, held: true };
    const slot: Slot = {
      away: async (wait) => {
        if (++state.waits === 1 && state.held) {
          state.held = false;
          this.#giveBack();
        }
        let result;
        try {
          result = await wait();
        } finally {
          state.waits--;
        }
        if (state.waits === 0 && !state.held) {
          await this.#takeAgain();
          state.held = true;
        }
        return result;
      },
    };
    try {
      return await work(slot);
    } finally {
      if (state.held) this.#giveBack();
    }
  }

  async #takeAgain(): Promise<void> {
    if (this.#taken >= this.#size) {
      await new Promise<void>((resolve) => this.#returning.push(resolve));
    } else this.#taken++;
  }

  #giveBack(): void {
    this.#taken--;
    while (this.#taken < this.#size) {
      const next = this.#returning.shift() ?? this.#waiting.shift();
      if (next === undefined) return;
      this.#taken++;
      next();
    }
  }

  get #size(): number {
    return Math.max(1, Math.floor(this.size()));
  }
}
