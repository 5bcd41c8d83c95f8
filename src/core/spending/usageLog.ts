import type { Use } from "./use.js";

/**
 * What all processes of this person on this machine have used models for, day by day; appended
 * only.
 */
export interface UsageLog {
  /** Resolves when it is on disk; throws a `UserError`. */
  record(use: Use, at: Date): Promise<void>;
  /** All that was used on the day, as the person's clock has it. Throws a `UserError`. */
  onDay(at: Date): Promise<Use>;
}
