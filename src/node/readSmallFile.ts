import { constants, open } from "node:fs/promises";

// Whoever opens a pipe waits for somebody at its other end. Windows has neither.
const flags =
  process.platform === "win32"
    ? constants.O_RDONLY
    : constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

/**
 * The text of a file that a workspace may have brought along under a name that we look for;
 * `undefined` for what is no file itself, as a link to a device, or larger than such a file is. Rejects
 * as the system does where there is none.
 */
export async function readSmallFile(absolute: string, most: number): Promise<string | undefined> {
  const handle = await open(absolute, flags);
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= most ? await handle.readFile("utf8") : undefined;
  } finally {
    await handle.close();
  }
}
