import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

const decompress = promisify(brotliDecompress);

/** Reads a large, rarely needed file, which `scripts/build.mjs` has compressed with Brotli. */
export async function unpacked(path: string): Promise<Uint8Array> {
  return decompress(await readFile(path));
}
