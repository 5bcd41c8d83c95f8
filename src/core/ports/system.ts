export interface Clock {
  now(): Date;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Signs what this installation writes, to distinguish it from files that came with a folder. The key is
 * stored with the user's data; the workspace's location on this machine is part of what is signed.
 */
export interface Signer {
  /**
   * Returns a code of 22 characters (132 bits of HMAC-SHA-256 as base64url) that only this installation
   * can make. Throws a `UserError` when there is no key and none can be made.
   *
   * @param subject identifies the text, for example by its file's path
   */
  sign(subject: string, text: string | Uint8Array): string;
}

export interface Ids {
  /** Returns `length` random characters of `0-9a-f`. */
  hex(length: number): string;
}
