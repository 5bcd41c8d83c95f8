import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { isOrphaned, newCommandMarker } from "../../src/node/processes/commandMarker.js";
import { thisProcess } from "../../src/node/processes/processIdentity.js";

describe("what a command's process has left", () => {
  it("is an orphan where its process has ended, and not where that cannot be seen from here", () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const me = { ...thisProcess(), pidNamespace: "pid:[7]" };
    assert.equal(isOrphaned(`${pid}.1.7.1`, me), true);
    assert.equal(isOrphaned(`${pid}.1.8.1`, me), false, "a process of another container");
    for (const marker of [`${pid}.1`, `${pid}..7.1`, "x.1.7.1", "0.1.7.1", ""]) {
      assert.equal(isOrphaned(marker, me), false, marker);
    }
    assert.equal(isOrphaned(newCommandMarker(), thisProcess()), false);
  });
});
