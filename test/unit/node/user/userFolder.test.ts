import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { userFolder } from "../../../../src/node/user/userFolder.js";

describe("the folder of a person's own data", () => {
  it("is the one that is given for Rooroo, whatever else is given", () => {
    const [own, config] = [resolve("own"), resolve("config")];
    assert.equal(userFolder({ ROOROO_HOME: own, XDG_CONFIG_HOME: config }), own);
  });

  it("is else in the system's folder of settings, where that is given, and not blank", () => {
    const isWindows = process.platform === "win32";
    const name = isWindows ? "LOCALAPPDATA" : "XDG_CONFIG_HOME";
    const usual = isWindows ? join(homedir(), "AppData", "Local") : join(homedir(), ".config");
    assert.equal(userFolder({ [name]: resolve("given") }), join(resolve("given"), "rooroo"));
    for (const env of [{}, { [name]: " " }]) {
      assert.equal(userFolder(env), join(usual, "rooroo"));
    }
  });
});
