import type { Word } from "./word.js";

/** What a program writes, as its words show it. */
export interface WriteTargets {
  readonly files?: readonly Word[];
  /** With everything below. */
  readonly trees?: readonly Word[];
  readonly copies?: readonly { readonly from: readonly Word[]; readonly to: Word }[];
  /** It writes something that its words do not name; a sentence. */
  readonly unnamed?: string;
}
