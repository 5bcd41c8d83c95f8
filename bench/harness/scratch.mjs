import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "../../scripts/process/cleanup.mjs";

/** A new folder that is gone when the bench ends. @returns {Promise<string>} */
export async function scratch() {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "rooroo-bench-"));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
