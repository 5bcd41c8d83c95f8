import type { Grant } from "./grant.js";

/** A permission that is valid until the person revokes it. */
export interface KeptGrant {
  readonly id: string;
  /** When the permission was given, in ISO 8601. */
  readonly since: string;
  readonly grant: Grant;
}

/**
 * Stores permissions for one workspace, in a place of the user's that no file of the workspace can stand for.
 * What another process adds or revokes counts at the next {@link list}.
 */
export interface GrantStore {
  /**
   * Returns the permissions, oldest first.
   *
   * @throws a `UserError` if they cannot be read
   */
  list(): Promise<readonly KeptGrant[]>;
  /** Adds a permission; resolves when it is on disk. */
  add(kept: KeptGrant): Promise<void>;
  /** Removes a permission; does nothing if it is not there. */
  revoke(id: string): Promise<void>;
}
