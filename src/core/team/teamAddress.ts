/** Where a team's queue is, and what its machines share. Both are secret. */
export interface TeamAddress {
  /** The database's address. */
  readonly url: string;
  readonly key: string;
}

/** Returns whether a text is long enough to be a team's key. */
export function isTeamKey(text: string): boolean {
  return text.length >= 32;
}

/** Returns the secrets of an address, as they would be printed. */
export function secretsOf({ url, key }: TeamAddress): string[] {
  try {
    const { password } = new URL(url);
    return password === "" ? [key] : [key, decodeURIComponent(password)];
  } catch {
    return [key];
  }
}
