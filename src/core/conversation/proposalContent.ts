/** What the user is asked to confirm before a run begins its work. All texts are plain. */
export interface ProposalContent {
  readonly runId: string;
  /** The path of the document, which may be edited before it is confirmed. */
  readonly path: string;
  readonly request: string;
  /** What will be done. */
  readonly summary: string;
  readonly instructions: readonly {
    readonly type: string;
    readonly content: string;
    /** Ids of the instructions that this one replaces. */
    readonly supersedes: readonly string[];
    readonly justification: string;
  }[];
  /** Conflicts with earlier instructions. */
  readonly conflicts: readonly string[];
  readonly questions: readonly string[];
  /** Why the proposal cannot be confirmed as it is; `""` if it can. */
  readonly problem: string;
}
