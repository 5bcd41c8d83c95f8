import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns a folder of its own for every test of the suite that calls this. */
export function temporaryFolder(): { readonly path: string } {
  const folder = { path: "" };
  beforeEach(async () => {
    folder.path = await realpath(await mkdtemp(join(tmpdir(), "rooroo-")));
  });
  afterEach(async () => {
    await rm(folder.path, { recursive: true, force: true });
  });
  return folder;
}
