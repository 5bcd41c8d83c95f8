import type { Words } from "../text/words.js";

/** A program that a command line starts. */
export interface CommandVerdict {
  /** The program's name and its arguments, without quotes and escapes where that is possible. */
  readonly words: readonly string[];
  /**
   * - `reads`: the program is known to only read, and only what experts may read.
   * - `allowed`: the user's settings allow it.
   * - `asks`: it may do more than that.
   * - `denied`: the user's settings forbid it.
   */
  readonly verdict: "reads" | "allowed" | "asks" | "denied";
  /** The reason for the verdict, as a sentence for people. */
  readonly why: Words;
}

/** A command of a line that consists of plain commands only, whose words are all known. */
export interface CommandPart {
  /** The variables that are set for the command, as in `CI=1`; never one that makes programs run others. */
  readonly assignments: readonly string[];
  /** The program's name and its arguments, without quotes. */
  readonly words: readonly string[];
  /** Whether the command only reads, or the user's settings allow it. */
  readonly isFree: boolean;
}

/** Facts about a command line that are known before it runs. */
export interface CommandFacts {
  /** The commands in order, nested ones after those that contain them. Empty: the line was not understood. */
  readonly commands: readonly CommandVerdict[];
  /** Canonical paths of files and folders that the line visibly writes, moves or deletes. */
  readonly writes: readonly string[];
  /**
   * A sentence that says why the line is asked about even where everything is allowed, for example because
   * the targets of its writes are known only when it runs.
   */
  readonly unclear?: Words | undefined;
  /**
   * Whether the line runs files that cannot be determined. They may be others the next time, so nothing can
   * be allowed beyond this one call.
   */
  readonly runsUnknown?: boolean | undefined;
  /**
   * The line's commands, if there are several or one with variables, and none visibly writes a file. Each of
   * them can then be allowed by itself.
   */
  readonly parts?: readonly CommandPart[] | undefined;
}

/** A file whose content decides what a command does. */
export interface PinnedFile {
  /** Canonical path. */
  readonly path: string;
  /** SHA-256 of its content, in hexadecimal digits. */
  readonly hash: string;
}

export interface CommandReview {
  readonly facts: CommandFacts;
  /** Files that a permission is pinned to: it is valid only while their contents stay the same. */
  readonly pinned: readonly PinnedFile[];
}
