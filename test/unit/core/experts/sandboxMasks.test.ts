import assert from "node:assert/strict";
import { sandboxMasks } from "../../../../src/core/experts/sandboxMasks.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

async function masked(config: string): Promise<string[]> {
  const files = new MemoryFileSystem({ ".git/config": config });
  const isHidden = (path: string) => (path.startsWith("private") ? "hidden" : undefined);
  const masks = await sandboxMasks(files, isHidden);
  const paths = [".git/config", ".git/HEAD", ".git/hooks/x", ".env", "private/a", "src/a.js"];
  return paths.filter(masks);
}

describe("a command in the sandbox", () => {
  it("finds hidden files and likely secrets empty, and what git needs as it is", async () => {
    assert.deepEqual(await masked("[core]\n\tbare = false\n"), [".env", "private/a"]);
    const address = '[remote "origin"]\n\turl = git@example.test:x.git\n';
    assert.deepEqual(await masked(address), [".env", "private/a"]);
  });

  it("finds git's configuration empty where a login is in it", async () => {
    for (const config of [
      '[remote "origin"]\n\turl = https://me:hunter22@example.test/x.git\n',
      '[http "https://example.test"]\n\textraheader = AUTHORIZATION: basic aHVudGVyMjI=\n',
    ]) {
      assert.deepEqual(await masked(config), [".git/config", ".env", "private/a"]);
    }
  });
});
