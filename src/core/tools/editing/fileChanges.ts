import type { EditBlock } from "./editBlock.js";

/** What a diff does to one file. */
export interface FileChange {
  /** What the diff calls the file; a unified diff has two names for it. Empty: it does not say. */
  readonly names: readonly string[];
  readonly blocks: readonly EditBlock[];
}

/** What was read of a diff, or what is wrong with it, in words for the model that wrote it. */
export type ReadDiff = { readonly changes: readonly FileChange[] } | { readonly problem: string };
