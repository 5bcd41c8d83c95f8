import type { DocumentProblem } from "../../documents/documentProblem.js";

/** A place in a log that breaks a rule. */
export interface LogProblem extends DocumentProblem {
  /** A fix that is certainly right. Absent: a person has to decide. */
  readonly fix?: Fix;
}

/** `row`: the row of a roadmap item; `rows`: the rows to remove; `task`: a task's id. */
export type Fix =
  | { readonly type: "progress" }
  | { readonly type: "box"; readonly row: number }
  | { readonly type: "drop"; readonly rows: readonly number[] }
  | { readonly type: "free"; readonly task: string };
