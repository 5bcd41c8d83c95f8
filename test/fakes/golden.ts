import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const folder = join(import.meta.dirname, "../../../test/golden");

/**
 * Holds a text against a file of `test/golden`; `UPDATE_GOLDEN=1` rewrites the file. What differs is
 * left beside it as `.actual`. A file that is not there fails.
 */
export async function golden(name: string, actual: string): Promise<void> {
  const path = join(folder, name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, actual);
  }
  const expected = await readFile(path, "utf8").catch(() => undefined);
  if (actual === expected) {
    await rm(`${path}.actual`, { force: true });
    return;
  }
  await writeFile(`${path}.actual`, actual);
  assert.equal(actual, expected, `${name} differs; UPDATE_GOLDEN=1 takes the new text`);
}
