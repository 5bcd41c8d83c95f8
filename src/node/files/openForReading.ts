import { close, fstatSync, open as openFile, read } from "node:fs";
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
export function readSmallFile(
  absolute: string,
  most: number,
  { follow }: { readonly follow: boolean },
): Promise<Buffer | undefined> {
  // By callbacks: a search opens tens of thousands of files, and a file handle takes more than twice as long.
  return new Promise((resolve, reject) => {
    openFile(
      absolute,
      constants.O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW),
      (refused, fd) => {
        if (refused !== null) {
          reject(refused);
          return;
        }
        readOpenFile(fd, most, (failed, bytes) => {
          close(fd, (unclosed) => {
            const error = failed ?? unclosed;
            if (error === null) resolve(bytes);
            else reject(error);
          });
        });
      },
    );
  });
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
