import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

const decompress = promisify(brotliDecompress);

/** What a big file that is seldom needed says; `scripts/build.mjs` has packed it with Brotli. */
export async function unpacked(path: string): Promise<Uint8Array> {
  return decompress(await readFile(path));
}
