import type { Word } from "./word.js";

/** Files that a program copies, moves or links. */
export interface Copies {
  readonly from: readonly Word[];
  readonly to: Word;
  /** What is made is a link, or may be one: what is written through it lands elsewhere. */
  readonly links?: boolean;
  /** `host:path` is a place on another machine. */
  readonly mayBeRemote?: boolean;
  /** Each source keeps its folders below the target, as with `cp --parents`. */
  readonly keepsFolders?: boolean;
}

/** What a program writes, as its words show it. */
export interface WriteTargets {
  readonly files?: readonly Word[];
  /** With everything below. */
  readonly trees?: readonly Word[];
  /** Trees if there is something, or if they are protected; else they name something else. */
  readonly perhaps?: readonly Word[];
  readonly copies?: readonly Copies[];
  /** It writes something that its words do not name; a sentence. */
  readonly unnamed?: string;
}
