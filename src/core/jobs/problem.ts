/** What does not fit in a document of a job. */
export interface DocumentProblem {
  /** 0-based. */
  readonly row: number;
  /** The requirement that it breaks, as docs/protocols/jixo.md numbers them: `R-JIXO-26`. */
  readonly rule: string;
  readonly message: string;
}
