import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { DirectoryHandle } from "./directoryHandle.js";

/** Bytes that are read at once; where they are all zero, nothing is written. */
const pieceBytes = 256 * 1024;
const zeros = Buffer.alloc(pieceBytes);

const exclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Returns whether a regular file takes less disk space than it has bytes, because some of them are in no block. */
export function isSparse({ size, blocks }: Stats): boolean {
  return size > pieceBytes && blocks * 512 < size;
}

/**
 * Copies a regular file to a name that is not in use, with its times and the given permission bits. What is zero in it takes no
 * disk space in the copy; `copyFile` would write it.
 *
 * @param source absolute; nothing else writes to it
 */
export async function copySparse(
  source: string,
  folder: DirectoryHandle,
  name: string,
  mode: number,
): Promise<void> {
  const from = await open(source, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const { size, atime, mtime } = await from.stat();
    const to = await folder.open(name, exclusively, 0o600);
    try {
      const piece = Buffer.alloc(pieceBytes);
      for (let at = 0; at < size;) {
        const { bytesRead } = await from.read(piece, 0, pieceBytes, at);
        if (bytesRead === 0) break;
        const bytes = piece.subarray(0, bytesRead);
        if (!bytes.equals(zeros.subarray(0, bytesRead))) await writeAll(to, bytes, at);
        at += bytesRead;
      }
      await to.truncate(size);
      await to.chmod(mode);
      await to.utimes(atime, mtime);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

async function writeAll(to: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await to.write(bytes, done, bytes.length - done, start + done);
    done += bytesWritten;
  }
}
