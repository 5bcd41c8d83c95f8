import assert from "node:assert/strict";
import { HostileWorkspace } from "./hostileWorkspace.js";
import { shippedContexts, shippedTexts } from "./shippedDocuments.js";

describe("a repository that ships what agents are told", () => {
  let workspace: HostileWorkspace;
  beforeEach(async () => {
    workspace = await HostileWorkspace.open();
  });
  afterEach(() => workspace.close());

  for (const { name, shipped, act } of [...shippedContexts, ...shippedTexts]) {
    it(`has nothing secret sent with ${name}`, async () => {
      await workspace.clone(shipped);
      await workspace.act(act, "all");
      assert.deepEqual(await workspace.harm(true), []);
    });
  }
});
