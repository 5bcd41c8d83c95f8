import assert from "node:assert/strict";
import { HostileWorkspace, projectText } from "./hostileWorkspace.js";
import { shippedChanges } from "./shippedDocuments.js";

describe("a repository that ships what a task is said to have changed", () => {
  let workspace: HostileWorkspace;
  beforeEach(async () => {
    workspace = await HostileWorkspace.open();
  });
  afterEach(() => workspace.close());

  for (const { name, shipped, act } of shippedChanges(projectText)) {
    it(`changes nothing with ${name}, when the person ${act}`, async () => {
      await workspace.clone(shipped);
      await workspace.act(act, "all");
      assert.deepEqual(await workspace.harm(true), []);
    });
  }
});
