import {
  close,
  closeSync,
  constants,
  fstatSync,
  open,
  openSync,
  read,
  readFile,
  readFileSync,
} from "node:fs";
import { promisify } from "node:util";

// Descriptors, not file handles: a handle takes twice as long, and a start reads thousands of files.

/** Without `O_NONBLOCK`, opening a pipe waits for its other end. Windows has neither flag. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

export const closeDescriptor = promisify(close);
const readPiece = promisify(read);
const readToEnd = promisify(readFile) as (fd: number) => Promise<Buffer>;

/**
 * Opens a file for reading only, without waiting if it is a pipe; follows links. Resolves with a
 * descriptor, which {@link closeDescriptor} must close. Rejects as the system does.
 */
export function openForReading(absolute: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(absolute, constants.O_RDONLY | O_NONBLOCK, (error, fd) => {
      if (error === null) resolve(fd);
      else reject(error);
    });
  });
}

/**
 * Reads bytes of an open file: `length` from `start` on, or fewer at the file's end. Rejects as the system does.
 */
export async function readBytes(fd: number, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await readPiece(fd, bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/**
 * Reads an open file whole. Rejects as the system does.
 *
 * @param size as the system gives it; it gives 0 for some files that have content, such as those of `/proc`
 */
export function readWhole(fd: number, size: number): Promise<Buffer> {
  return size === 0 ? readToEnd(fd) : readBytes(fd, 0, size);
}

/**
 * Reads a file whole and synchronously, as `readSmallFile` does otherwise. Returns `undefined` for what is no regular file, or is
 * larger than `most` bytes. Throws as the system does; `ENXIO` for a socket.
 *
 * @param options `follow`: whether links are followed; they are unless it says otherwise
 */
export function readSmallFileNow(
  absolute: string,
  most: number,
  { follow = true }: { readonly follow?: boolean } = {},
): Buffer | undefined {
  const fd = openSync(absolute, constants.O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  try {
    const found = fstatSync(fd);
    return found.isFile() && found.size <= most ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}
