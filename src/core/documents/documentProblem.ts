import type { Said } from "../text/words.js";

/** A problem in a document that people and code both write. */
export interface DocumentProblem {
  /** The problem's line, 0-based. */
  readonly row: number;
  /** The requirement that it breaks, as docs/protocols/ numbers them: `R-JIXO-26`. */
  readonly rule: string;
  readonly message: Said;
}
