/** Lets so many works run at a time, in the order in which they came. */
export class Slots {
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param size asked anew whenever a slot is wanted or given back; at least 1 counts */
  constructor(private readonly size: () => number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.#size || this.#waiting.length > 0) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#taken++;
    try {
      return await work();
    } finally {
      this.#taken--;
      while (this.#taken < this.#size && this.#waiting.length > 0) {
        this.#taken++;
        this.#waiting.shift()?.();
      }
    }
  }

  get #size(): number {
    return Math.max(1, Math.floor(this.size()));
  }
}
