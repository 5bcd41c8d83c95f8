import assert from "node:assert/strict";
import { sharedFolder } from "../../../../src/node/user/storageFolder.js";

describe("the storage folder that windows share", () => {
  for (const [given, shared] of [
    [
      "/s/workspaceStorage/a1b2-1/rooroo.rooroo-navigator",
      "/s/workspaceStorage/a1b2/rooroo.rooroo-navigator",
    ],
    [
      "/s/workspaceStorage/a1b2/rooroo.rooroo-navigator",
      "/s/workspaceStorage/a1b2/rooroo.rooroo-navigator",
    ],
    [
      "/s/workspaceStorage/-1f2e-9/rooroo.rooroo-navigator",
      "/s/workspaceStorage/-1f2e/rooroo.rooroo-navigator",
    ],
    [
      "/s-1/workspaceStorage/-1f2e/rooroo.rooroo-navigator",
      "/s-1/workspaceStorage/-1f2e/rooroo.rooroo-navigator",
    ],
    ["C:\\s\\workspaceStorage\\a1b2-2\\rooroo.x", "C:\\s\\workspaceStorage\\a1b2\\rooroo.x"],
  ] as const) {
    it(`of ${given} is ${shared}`, () => {
      assert.equal(sharedFolder(given), shared);
    });
  }
});
