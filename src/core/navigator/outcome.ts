/** How something that a person set off came out; the command line's exit code follows from it. */
export interface Outcome {
  /** `waiting`: for an answer, an approval or another runner. */
  readonly status: "done" | "failed" | "waiting";
}
