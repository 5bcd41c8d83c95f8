/** What a person is asked to confirm before a run begins its work; texts are plain but for `intro`. */
export interface ProposalContent {
  readonly runId: string;
  /** The document, which may be edited before it is confirmed. */
  readonly path: string;
  readonly request: string;
  /** What will be done. */
  readonly summary: string;
  readonly instructions: readonly {
    readonly type: string;
    readonly content: string;
    /** Ids of those that it takes the place of. */
    readonly supersedes: readonly string[];
    readonly justification: string;
  }[];
  /** What is at odds with earlier instructions. */
  readonly conflicts: readonly string[];
  readonly questions: readonly string[];
  /** Why it cannot be confirmed as it is; `""` where it can. */
  readonly problem: string;
}
