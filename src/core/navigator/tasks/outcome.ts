/** The outcome of work that the user started; the command line's exit code follows from it. */
export interface Outcome {
  /** `waiting`: for an answer, an approval or another runner. */
  readonly status: "done" | "failed" | "waiting";
}
