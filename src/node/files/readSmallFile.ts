import { openForReading } from "./openForReading.js";

/**
 * Reads the text of a file with a name that this program looks for, which a workspace may have brought
 * along. Resolves with `undefined` for what is no regular file or is larger than `most` bytes. Rejects
 * as the system does if there is no such file; links are not followed.
 */
export async function readSmallFile(absolute: string, most: number): Promise<string | undefined> {
  const handle = await openForReading(absolute, { follow: false });
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= most ? await handle.readFile("utf8") : undefined;
  } finally {
    await handle.close();
  }
}
