import type { RunnerCard, RunnerCards } from "./runnerCards.js";

/** A runner's own card, kept at what is so. */
export class OwnCard {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private card: RunnerCard,
    private readonly cards: RunnerCards,
  ) {}

  put(): Promise<void> {
    return this.next(() => this.cards.put(this.card));
  }

  /** Does not wait: nothing depends on it. */
  countTurn(): void {
    this.card = { ...this.card, turn: this.card.turn + 1 };
    void this.put();
  }

  remove(): Promise<void> {
    return this.next(() => this.cards.remove(this.card.runner));
  }

  /** In the order of the calls. A disk that takes no card takes no log either, which is told. */
  private next(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work).catch(() => undefined);
    this.last = done;
    return done;
  }
}
