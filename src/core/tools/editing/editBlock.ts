/** A change of a file's lines: the old lines and the new ones. */
export interface EditBlock {
  /**
   * The lines to look for. Empty: the block gives the contents of a new or an empty file, or adds
   * lines right after the last of {@link under} or at the end of the file.
   */
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** Another way to read the block, where its form leaves two. */
  readonly otherwise?: Pick<EditBlock, "search" | "replace">;
  /** The 1-based line that tells which of several equal places is meant. */
  readonly startLine?: number;
  /** Lines that stand somewhere above the block, the outermost first, such as a function's head. */
  readonly under?: readonly string[];
  /** Whether the block's last line is the file's last; without {@link search}, it adds lines after that one. */
  readonly atEnd?: true;
  /** Whether the block stands below those before it, as the hunks of a patch do. */
  readonly inOrder?: true;
}
