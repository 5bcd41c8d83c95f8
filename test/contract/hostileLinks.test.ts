import assert from "node:assert/strict";
import { HostileWorkspace } from "./hostileWorkspace.js";
import { shippedLinks } from "./shippedLinks.js";

describe("a repository that ships links and the like in the place of our files", () => {
  let workspace: HostileWorkspace;
  beforeEach(async () => {
    workspace = await HostileWorkspace.open();
  });
  afterEach(() => workspace.close());

  for (const { name, shipped, act } of shippedLinks) {
    it(`harms nobody where ${name}, when the person ${act}`, async () => {
      await workspace.clone(shipped);
      await workspace.act(act, "safe");
      assert.deepEqual(await workspace.harm(true), []);
    });
  }

  it("is tried in at least 300 variants", () => {
    assert.ok(shippedLinks.length >= 300, String(shippedLinks.length));
  });
});
