/** A call as it is written in a text; whether there is such a tool is not checked yet. */
export interface WrittenCall {
  readonly name: string;
  /** The arguments as JSON, which may be malformed. */
  readonly json: string;
}

/** One way in which models write calls into their text. */
export interface TextStyle {
  /** Whether the style uses marks that nobody writes without meaning a call. */
  readonly isMarked: boolean;
  /** Finds where the first call may begin; the first group is what stands before it on its line. */
  readonly begin: RegExp;
  /**
   * Returns all ways to read the text, to its end, as calls and nothing else; more than one if it is
   * ambiguous.
   *
   * @param isTool returns whether a name refers to a tool that the model was offered
   */
  read(text: string, isTool: (name: string) => boolean): Iterable<readonly WrittenCall[]>;
}
