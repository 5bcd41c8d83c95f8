/** A call as it stands in a text: nobody has looked yet whether there is such a tool. */
export interface WrittenCall {
  readonly name: string;
  /** As JSON of whatever quality. */
  readonly json: string;
}

/** One way in which models write calls into their text. */
export interface TextStyle {
  /** Made of marks that nobody writes who does not mean a call. */
  readonly isMarked: boolean;
  /** Finds where the first call may begin; the first group is what stands before it on its line. */
  readonly begin: RegExp;
  /**
   * All readings of the text from there to its end as calls and nothing else; more than one where it
   * is not certain.
   *
   * @param isTool whether a name means one of the tools that the model was offered
   */
  read(text: string, isTool: (name: string) => boolean): Iterable<readonly WrittenCall[]>;
}
