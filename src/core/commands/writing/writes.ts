import type { Words } from "../../text/words.js";
import type { Word } from "../line/word.js";

/** Files that a program copies, moves or links. */
export interface Copies {
  readonly from: readonly Word[];
  readonly to: Word;
  /** Whether a link is made, or may be: what is written through it lands elsewhere. */
  readonly links?: boolean;
  /** Whether `host:path` is a place on another machine. */
  readonly mayBeRemote?: boolean;
  /** Whether each source keeps its folders below the target, as with `cp --parents`. */
  readonly keepsFolders?: boolean;
}

/** The files that a program writes, as its words show them. */
export interface WriteTargets {
  readonly files?: readonly Word[];
  /** Paths that are written with everything below them. */
  readonly trees?: readonly Word[];
  /** Trees, if they exist or are protected; otherwise they name something else. */
  readonly perhaps?: readonly Word[];
  readonly copies?: readonly Copies[];
  /** Why it cannot be told, if the program writes something that its words do not name. */
  readonly unnamed?: Words;
}
