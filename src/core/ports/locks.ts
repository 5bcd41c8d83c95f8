/** The process that holds a lock, for display. */
export interface LockHolder {
  readonly pid: number;
  readonly host: string;
  /** The program's name, as in `VS Code` or `rooroo proceed`. */
  readonly label: string;
  /** ISO 8601. */
  readonly since: string;
}

export interface HeldLock {
  /**
   * Rejects with a `UserError` when another process took the lock over, because this process was
   * suspended for so long that it counted as dead. This process must not write its result then.
   */
  check(): Promise<void>;
  release(): Promise<void>;
}

export interface Lock {
  /** Takes the named lock if no live process holds it; otherwise returns its holder. */
  tryHold(name: string): Promise<{ held: HeldLock } | { holder: LockHolder }>;
  /**
   * Runs `work` while no other process runs any under the same name; waits for its turn. Meant for short
   * operations, not for tasks.
   */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Returns the live process that holds the named lock now, if any. */
  holder(name: string): Promise<LockHolder | undefined>;
}
