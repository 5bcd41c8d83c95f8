/** A path that a command looks at, as it was typed. */
export interface Read {
  readonly path: string;
  /**
   * How the command looks at the path.
   *
   * - `name`: whether it is there, its size and the like, and the names of what is in it.
   * - `file`: the content of the file.
   * - `tree`: the contents of all files below it.
   * - `repository`: what git finds from this folder.
   * - `work tree`: the same, and git compares the files with it.
   */
  readonly how: "name" | "file" | "tree" | "repository" | "work tree";
  /** For `tree`: says by its name whether a file is read. Absent: all files are. */
  readonly only?: (name: string) => boolean;
  /**
   * For `tree`: says whether a name is skipped, with all below it, unless an ignore file brings it
   * back.
   */
  readonly skips?: (name: string) => boolean;
  /**
   * For `repository` and `work tree`: whether git shows the contents of committed files, whichever
   * they are.
   */
  readonly shows?: boolean;
  /** The only files and folders that git shows something of. Absent: all of them. */
  readonly within?: readonly string[];
  /** For `work tree`: whether git shows the repositories inside of it, those of other commits too. */
  readonly looksInside?: boolean;
  /** For `tree`: whether links in it are followed. */
  readonly follows?: boolean;
}

/** What a command that only reads looks at, or a sentence that says why it may do more than that. */
export type ReadOnlyAnswer = readonly Read[] | string;
