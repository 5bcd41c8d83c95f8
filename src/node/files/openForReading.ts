import { constants, open, type FileHandle } from "node:fs/promises";

/** Whoever opens a pipe waits for somebody at its other end. Windows has neither flag. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/**
 * Opens a file for reading only, and does not wait where it is a pipe. Rejects as the system does.
 *
 * @param options `follow`: whether what a link leads to is opened in its place; else a link is
 *   refused with `ELOOP`
 */
export async function openForReading(
  absolute: string,
  { follow = true }: { readonly follow?: boolean } = {},
): Promise<FileHandle> {
  return open(absolute, constants.O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
}
