import type { EditBlock } from "./editBlock.js";

/** The changes that a diff makes to one file. */
export interface FileChange {
  /** The names that the diff has for the file; a unified diff has two. Empty: it has none. */
  readonly names: readonly string[];
  readonly blocks: readonly EditBlock[];
}

/** The changes that were read from a diff, or its problem, in words for the model that wrote it. */
export type ReadDiff = { readonly changes: readonly FileChange[] } | { readonly problem: string };
