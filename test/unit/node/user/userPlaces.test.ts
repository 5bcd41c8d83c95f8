import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { userPlaces } from "../../../../src/node/user/userPlaces.js";

describe("a person's own skills, commands and rules", () => {
  const own = join(homedir(), "own");
  const places = userPlaces({ ROOROO_HOME: own });
  const shown = (paths: readonly string[]) => paths.map((path) => relative(homedir(), path));

  it("are read where Rooroo and other agents keep them, Rooroo's own first", () => {
    assert.deepEqual(shown(places.skills), [
      "own/skills",
      ".agents/skills",
      ".roo/skills",
      ".claude/skills",
      ".kilocode/skills",
      ".cline/skills",
    ]);
    assert.deepEqual(shown(places.commands), [
      "own/commands",
      ".agents/commands",
      ".roo/commands",
      ".claude/commands",
      "Documents/Cline/Workflows",
      "Cline/Workflows",
      ".kilocode/workflows",
      ".config/kilo/command",
      ".config/kilo/commands",
    ]);
    assert.deepEqual(shown(places.rules), [
      "own/rules",
      ".roo/rules",
      "Documents/Cline/Rules",
      "Cline/Rules",
      ".kilocode/rules",
      ".kilo/rules",
    ]);
  });
});
