/** A path that a command looks at, as it was typed. */
export interface Read {
  readonly path: string;
  /**
   * - `name`: whether it is there, its size and the like, the names of what is in it.
   * - `file`: what it says.
   * - `tree`: what all the files below it say.
   * - `repository`: what git finds from this folder.
   * - `work tree`: that, and git compares the files with it.
   */
  readonly how: "name" | "file" | "tree" | "repository" | "work tree";
  /** Of `tree`: the only files that are read, by their names. */
  readonly only?: (name: string) => boolean;
  /**
   * Of `tree`: names that are passed over, with all below, but where a file that says what to ignore
   * says not to.
   */
  readonly skips?: (name: string) => boolean;
  /** Of `repository` and `work tree`: git shows what committed files say, whichever they are. */
  readonly shows?: boolean;
  /** Of what git shows: the only files and folders that it looks at; absent: all of them. */
  readonly within?: readonly string[];
  /** Of `work tree`: repositories inside of it are shown, those of other commits too. */
  readonly looksInside?: boolean;
  /** Of `tree`: links in it are followed. */
  readonly follows?: boolean;
}

/** What a command that only reads looks at; or, in words, why it may do more than that. */
export type ReadOnlyAnswer = readonly Read[] | string;
