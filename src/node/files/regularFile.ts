import { close, constants, fstatSync, open, openSync, read } from "node:fs";
import { UserError } from "../../core/errors.js";
import { errorCode } from "./fileError.js";

/** Windows has neither flag. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/**
 * Reads a file whole. Resolves with `undefined` for what is no regular file, or is larger than `most` bytes.
 * Rejects as the system does, also if there is no such file.
 *
 * @param options `follow`: whether links are followed; otherwise a link is refused with `ELOOP`
 */
export function readSmallFile(
  absolute: string,
  most: number,
  { follow }: { readonly follow: boolean },
): Promise<Buffer | undefined> {
  // By callbacks: a search opens tens of thousands of files, and promises take half as long again.
  return new Promise((resolve, reject) => {
    open(absolute, constants.O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW), (refused, fd) => {
      if (refused !== null) {
        if (isSocket(refused)) resolve(undefined);
        else reject(refused);
        return;
      }
      readOpenFile(fd, most, (failed, bytes) => {
        close(fd, (unclosed) => {
          const error = failed ?? unclosed;
          if (error === null) resolve(bytes);
          else reject(error);
        });
      });
    });
  });
}

/**
 * Does the same as {@link readSmallFile} for a file that has to be there: what is no regular file, or is too large, is told by a
 * `UserError`, as a part of the caller's sentence.
 */
export async function readRegularFile(
  absolute: string,
  most: number,
  options: { readonly follow: boolean },
): Promise<Buffer> {
  const bytes = await readSmallFile(absolute, most, options);
  if (bytes !== undefined) return bytes;
  throw new UserError("noRegularFile", "it is no file, or it is too big");
}

/** Does the same as `openForReading`, synchronously. */
export function openForReadingNow(absolute: string): number {
  return openSync(absolute, constants.O_RDONLY | O_NONBLOCK);
}

/** Returns whether a file could not be opened because it is a socket, or a device that nothing is behind. */
function isSocket(refused: unknown): boolean {
  return errorCode(refused) === "ENXIO";
}

type Done = (error: Error | null, bytes?: Buffer) => void;

function readOpenFile(fd: number, most: number, done: Done): void {
  let size: number;
  try {
    // Synchronous: the system knows this of an open file without asking the disk.
    const found = fstatSync(fd);
    if (!found.isFile() || found.size > most) {
      done(null);
      return;
    }
    ({ size } = found);
  } catch (error) {
    done(error as Error);
    return;
  }
  const bytes = Buffer.allocUnsafe(size);
  const readFrom = (at: number): void => {
    if (at === size) {
      done(null, bytes);
      return;
    }
    read(fd, bytes, at, size - at, at, (error, count) => {
      if (error !== null) done(error);
      // The file was made shorter meanwhile.
      else if (count === 0) done(null, bytes.subarray(0, at));
      else readFrom(at + count);
    });
  };
  readFrom(0);
}
