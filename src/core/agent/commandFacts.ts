/** One program that a command line starts. */
export interface CommandVerdict {
  /** Quotes and escapes taken away where that is possible; the name first. */
  readonly words: readonly string[];
  /**
   * - `reads`: it is known to only read, and only what experts may read.
   * - `allowed`: the person's settings allow it.
   * - `asks`: it may do more than that.
   * - `denied`: the person's settings forbid it.
   */
  readonly verdict: "reads" | "allowed" | "asks" | "denied";
  /** A sentence for people. */
  readonly why: string;
}

/** One command of a line that is nothing but commands in a row, each known word by word. */
export interface CommandPart {
  /** The variables that are set for it, as in `CI=1`; none that makes programs run others. */
  readonly assignments: readonly string[];
  /** Quotes taken away; the name first. */
  readonly words: readonly string[];
  /** It only reads, or the person's settings allow it. */
  readonly isFree: boolean;
}

/** What is known of a command line before it runs. */
export interface CommandFacts {
  /** In their order, those inside of others behind these. None: it could not be understood. */
  readonly commands: readonly CommandVerdict[];
  /** Files and folders that it visibly writes, moves or deletes. Canonical. */
  readonly writes: readonly string[];
  /**
   * A sentence that says what about it nobody can know or should let pass, not even where everything
   * is allowed, as that the targets of its writes show only when it runs.
   */
  readonly unclear?: string | undefined;
  /**
   * It runs files of which nobody can tell which they are, so that nothing about it can be allowed
   * beyond one call: the next time they may be others.
   */
  readonly runsUnknown?: boolean | undefined;
  /**
   * All of the line, where that is several commands or one with variables, and where none of them
   * writes a file that can be seen. What is allowed can be said of each for itself.
   */
  readonly parts?: readonly CommandPart[] | undefined;
}

/** A file whose content decides what a command does. */
export interface BoundFile {
  /** Canonical. */
  readonly path: string;
  /** SHA-256 of its content, in hexadecimal digits. */
  readonly hash: string;
}

export interface CommandReview {
  readonly facts: CommandFacts;
  /** What is allowed because of the review holds only as long as these are as they are. */
  readonly boundTo: readonly BoundFile[];
}
