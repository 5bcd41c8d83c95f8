import { UserError } from "../../src/core/errors.js";
import type { HeldLock, Lock, LockHolder } from "../../src/core/ports/locks.js";

/** Locks of one imagined process; {@link occupy} plays another. */
export class MemoryLock implements Lock {
  private readonly holders = new Map<string, LockHolder>();
  private readonly turns = new Map<string, Promise<void>>();

  constructor(private readonly label = "test") {}

  /** Lets another process hold the lock until the returned function is called. */
  occupy(name: string, label = "another window"): () => void {
    const holder = { pid: 4242, host: "elsewhere", label, since: "2025-01-02T03:04:05.000Z" };
    this.holders.set(name, holder);
    return () => {
      if (this.holders.get(name) === holder) this.holders.delete(name);
    };
  }

  async tryHold(name: string): Promise<{ held: HeldLock } | { holder: LockHolder }> {
    await Promise.resolve();
    const other = this.holders.get(name);
    if (other) return { holder: other };
    const mine = { pid: 1, host: "test", label: this.label, since: "2025-01-02T03:04:05.000Z" };
    this.holders.set(name, mine);
    const release = async () => {
      await Promise.resolve();
      if (this.holders.get(name) === mine) this.holders.delete(name);
    };
    const check = async () => {
      await Promise.resolve();
      if (this.holders.get(name) !== mine)
        throw new UserError("workTakenOver", "Another process took this over.");
    };
    return { held: { check, release } };
  }

  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.turns.get(name) ?? Promise.resolve();
    const mine = before.then(work);
    this.turns.set(
      name,
      mine.then(
        () => undefined,
        () => undefined,
      ),
    );
    return mine;
  }

  async holder(name: string): Promise<LockHolder | undefined> {
    await Promise.resolve();
    return this.holders.get(name);
  }
}
