import { fstatSync } from "node:fs";
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

/**
 * Reads a file whole. Resolves with `undefined` for what is no regular file, or is larger than `most` bytes.
 * Rejects as the system does, also if there is no such file.
 *
 * @param options as those of {@link openForReading}
 */
export async function readSmallFile(
  absolute: string,
  most: number,
  options: { readonly follow: boolean },
): Promise<Buffer | undefined> {
  const handle = await openForReading(absolute, options);
  try {
    // Synchronous: the system knows this of an open file without asking the disk.
    const found = fstatSync(handle.fd);
    return found.isFile() && found.size <= most ? await handle.readFile() : undefined;
  } finally {
    await handle.close();
  }
}
