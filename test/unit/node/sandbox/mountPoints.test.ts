import assert from "node:assert/strict";
import { keptFlags } from "../../../../src/node/sandbox/mountTable.js";

describe("keptFlags", () => {
  const points = [
    { path: "/", flags: ["rw", "relatime"] },
    { path: "/home", flags: ["rw", "nosuid", "nodev", "relatime"] },
    { path: "/home/me/usb", flags: ["rw", "noexec"] },
    { path: "/home/me/usb", flags: ["rw", "nosuid", "noexec"] },
  ];

  it("are those of the nearest file system above, the last one mounted there", () => {
    assert.deepEqual(keptFlags("/home/me/project", points), ["nosuid", "nodev"]);
    assert.deepEqual(keptFlags("/home/me/usb", points), ["nosuid", "noexec"]);
    assert.deepEqual(keptFlags("/home/me/usb/deep/er", points), ["nosuid", "noexec"]);
  });

  it("are none of a file system whose path only begins alike", () => {
    assert.deepEqual(keptFlags("/homework", points), []);
    assert.deepEqual(keptFlags("/", points), []);
  });
});
