import type { DocumentProblem } from "../documents/documentProblem.js";

/** What in a log breaks a rule. */
export interface LogProblem extends DocumentProblem {
  /** What would certainly put it right; absent where a person has to decide. */
  readonly fix?: Fix;
}

/** `row`: of an item of the roadmap; `rows`: lines that go; `task`: an id. */
export type Fix =
  | { readonly type: "progress" }
  | { readonly type: "box"; readonly row: number }
  | { readonly type: "drop"; readonly rows: readonly number[] }
  | { readonly type: "free"; readonly task: string };
