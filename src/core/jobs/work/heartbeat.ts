import type { RunnerRecord, RunnerRecords } from "./runnerRecords.js";

/** Keeps a runner's own card up to date. */
export class Heartbeat {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private card: RunnerRecord,
    private readonly cards: RunnerRecords,
  ) {}

  put(): Promise<void> {
    return this.next(() => this.cards.put(this.card));
  }

  /** Counts one turn, without waiting for the write: nothing depends on it. */
  countTurn(): void {
    this.card = { ...this.card, turn: this.card.turn + 1 };
    void this.put();
  }

  remove(): Promise<void> {
    return this.next(() => this.cards.remove(this.card.runner));
  }

  /** Writes in the order of the calls. Ignores errors: if the disk fails, writing the log reports it. */
  private next(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work).catch(() => undefined);
    this.last = done;
    return done;
  }
}
