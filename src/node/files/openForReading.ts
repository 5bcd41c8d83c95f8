import { constants, open, type FileHandle } from "node:fs/promises";

/** Without `O_NONBLOCK`, opening a pipe waits for its other end. Windows has neither flag. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/**
 * Opens a file for reading only, without waiting if it is a pipe. Rejects as the system does.
 *
 * @param options `follow`: whether links are followed; otherwise a link is refused with `ELOOP`
 */
export async function openForReading(
  absolute: string,
  { follow = true }: { readonly follow?: boolean } = {},
): Promise<FileHandle> {
  return open(absolute, constants.O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
}
