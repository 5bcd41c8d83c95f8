import {
  closeSync,
  constants,
  fstatSync,
  open,
  openSync,
  read,
  readFile,
  readFileSync,
  readSync,
} from "node:fs";
import { promisify } from "node:util";
import { isMissing } from "./realLocation.js";

// Descriptors, not file handles: a handle takes twice as long, and a start reads thousands of files.

/** Without `O_NONBLOCK`, opening a pipe waits for its other end. Windows has neither flag. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

const readPiece = promisify(read);
const readToEnd = promisify(readFile) as (fd: number) => Promise<Buffer>;

/**
 * Opens a file for reading only, without waiting if it is a pipe; follows links. Resolves with a
 * descriptor, which `closeSync` must close; with `undefined` if there is no such file. Rejects as the system does.
 */
export function openForReading(absolute: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    open(absolute, constants.O_RDONLY | O_NONBLOCK, (error, fd) => {
      if (error === null) resolve(fd);
      else if (isMissing(error)) resolve(undefined);
      else reject(error);
    });
  });
}

/** Bytes. So few of an open file are read sooner than another thread is asked to read them. */
const readNow = 16_384;

/**
 * Reads bytes of an open file: `length` from `start` on, or fewer at the file's end. Rejects as the system does.
 */
export async function readBytes(fd: number, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const rest = [filled, length - filled, start + filled] as const;
    const count =
      length > readNow
        ? (await readPiece(fd, bytes, ...rest)).bytesRead
        : readSync(fd, bytes, ...rest);
    if (count === 0) break;
    filled += count;
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
