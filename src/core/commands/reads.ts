/** A path that a command looks at, as it was typed. */
export interface Read {
  readonly path: string;
  /**
   * - `name`: whether it is there, its size and the like, the names of what is in it.
   * - `file`: what it says.
   * - `tree`: what all the files below it say.
   * - `repository`: what git finds from this folder.
   */
  readonly how: "name" | "file" | "tree" | "repository";
  /** Of `tree`: the only files that are read, as patterns of their names. */
  readonly only?: readonly string[];
  /** Of `tree`: names with a dot in front are passed over. */
  readonly skipsDots?: boolean;
}

/** What a command that only reads looks at; or, in words, why it may do more than that. */
export type ReadOnlyAnswer = readonly Read[] | string;
