import type { Words } from "../text/words.js";

/**
 * The rules that an envelope can break, named after the requirements in `docs/protocols/envelope.md`.
 * The ids are stable: models, files of cases and scripts name them.
 */
export const rules = [
  "R-ENV-17/not-json",
  "R-ENV-17/too-deep",
  "R-ENV-1/object",
  "R-ENV-1/one-object",
  "R-ENV-1/message",
  "R-ENV-1/extra-key",
  "R-ENV-1/null",
  "R-ENV-2/plan",
  "R-ENV-2/size",
  "R-ENV-2/step",
  "R-ENV-2/status",
  "R-ENV-3/one-command",
  "R-ENV-4/D1-running-step",
  "R-ENV-4/D2-hidden-plan",
  "R-ENV-4/D4-finished-plan",
  "R-ENV-5/nothing",
  "R-ENV-5/active-plan-without-command",
  "R-ENV-5/command-without-plan",
  "R-ENV-5/next-step-not-running",
  "R-ENV-5/two-running",
  "R-ENV-6/payload",
  "R-ENV-10/address",
  "R-ENV-12/end-before-start",
  "R-ENV-12/overlapping-edits",
  "R-ENV-13/raw-or-regex",
] as const;
export type RuleId = (typeof rules)[number];

export interface EnvelopeProblem {
  readonly rule: RuleId;
  /** The path of the faulty field, as in `plan.0.status`. Empty: the envelope as a whole. */
  readonly path: string;
  /** The message says what is wrong and what to do; it follows the path. */
  readonly message: Words;
}
