import type { Word } from "./word.js";

export interface Redirect {
  /** The operator without the descriptor, as in `>>`. */
  readonly operator: string;
  readonly target: Word;
}

/** One program that a line starts, with everything that belongs to its start. */
export interface SimpleCommand {
  /** The words, the name first; empty where there are only assignments or redirections. */
  readonly words: readonly Word[];
  /** Whether variables are set, for the command or for what comes behind it. */
  readonly assigns: boolean;
  /** The assignments to these variables, as in `A=1`. */
  readonly assignments: readonly Word[];
  readonly redirects: readonly Redirect[];
  /**
   * The folders that the command may run in, without `.` and `..`, links not resolved; `undefined`
   * when they are unknown.
   */
  readonly folders: readonly string[] | undefined;
}
