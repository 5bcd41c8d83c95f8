import type { Grant } from "./grant.js";

/** What a person allowed for good, until they revoke it. */
export interface KeptGrant {
  readonly id: string;
  /** ISO 8601. */
  readonly since: string;
  readonly grant: Grant;
}

/**
 * Keeps grants for one workspace, in a place of the person's that no file of the workspace can stand
 * for. What another process adds or revokes counts at the next look.
 */
export interface GrantStore {
  /** Oldest first. Throws a `UserError` when they cannot be read. */
  list(): Promise<readonly KeptGrant[]>;
  /** Resolves when it is on disk. */
  add(kept: KeptGrant): Promise<void>;
  /** No error when it is not there. */
  revoke(id: string): Promise<void>;
}
