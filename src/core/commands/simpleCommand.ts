import type { Word } from "./word.js";

export interface Redirect {
  /** Without the descriptor, as in `>>`. */
  readonly operator: string;
  readonly target: Word;
}

/** One program that a line starts, with everything that belongs to its start. */
export interface SimpleCommand {
  /** The name first; empty where there are only assignments or redirections. */
  readonly words: readonly Word[];
  /** Variables are set for it, or for what comes behind it. */
  readonly assigns: boolean;
  /** The assignments to these, as in `A=1`. */
  readonly assignments: readonly Word[];
  readonly redirects: readonly Redirect[];
  /**
   * The folders that it may run in, without `.` and `..`, links not resolved; `undefined` when
   * nobody can tell.
   */
  readonly folders: readonly string[] | undefined;
}
