import { openForReading } from "./files/openForReading.js";

/**
 * The text of a file that a workspace may have brought along under a name that we look for;
 * `undefined` for what is no file itself, as a link to a device, or larger than such a file is. Rejects
 * as the system does where there is none.
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
