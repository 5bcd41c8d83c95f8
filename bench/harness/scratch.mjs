import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "../../scripts/process/cleanup.mjs";

/**
 * A new folder that is gone when the bench ends.
 *
 * @param {string} [parent]
 * @returns {Promise<string>}
 */
export async function scratch(parent = tmpdir()) {
  const folder = await mkdtemp(join(await realpath(parent), "rooroo-bench-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
