import type { SpendTotals } from "./spendTotals.js";

/** The model usage of all processes of this user on this machine, day by day; appended only. */
export interface UsageLog {
  /**
   * Records usage; resolves when it is on disk.
   *
   * @throws a `UserError` if it cannot be written
   */
  record(use: SpendTotals, at: Date): Promise<void>;
  /**
   * Returns the total usage of the day, by the user's clock.
   *
   * @throws a `UserError` if the log cannot be read
   */
  onDay(at: Date): Promise<SpendTotals>;
}
