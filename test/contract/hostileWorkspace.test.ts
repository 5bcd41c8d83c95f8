import assert from "node:assert/strict";
import { isWhole } from "../fakes/tries.js";
import { HostileWorkspace } from "./hostileWorkspace.js";
import { shippedState } from "./shippedState.js";

const presets = ["safe", "all"] as const;
/** Each variant is tried under “all”. “safe” allows less, so that one variant in four is enough there. */
const stepUnderSafe = isWhole ? 1 : 4;

describe("a repository that ships state", () => {
  let workspace: HostileWorkspace;
  beforeEach(async () => {
    workspace = await HostileWorkspace.open();
  });
  afterEach(() => workspace.close());

  let variants = 0;
  for (const state of shippedState) {
    const { name, path, acts, effect, around, real, isBegun } = state;
    for (const [how, forge] of Object.entries(state.forged)) {
      for (const act of acts) {
        variants++;
        for (const preset of presets) {
          if (preset === "safe" && variants % stepUnderSafe !== 0) continue;
          it(`harms nobody with ${name}, ${how}, when the person ${act} (${preset})`, async () => {
            const { signers } = workspace;
            await workspace.clone({ ...around?.(signers), [path]: forge(state, signers) });
            await workspace.act(act, preset);
            assert.deepEqual(await workspace.harm(isBegun), []);
          });
        }
      }
    }

    it(`would do something with ${name}, were it this installation's`, async () => {
      const { signers } = workspace;
      await workspace.clone({ ...around?.(signers), [path]: real(state, signers) });
      await workspace.act(effect, "all");
      assert.notDeepEqual(await workspace.harm(isBegun), []);
    });
  }

  it("is tried in at least 300 variants", () => {
    assert.ok(variants >= 300, String(variants));
  });
});
