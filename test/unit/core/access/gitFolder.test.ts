import assert from "node:assert/strict";
import { runsPrograms } from "../../../../src/core/access/gitFolder.js";

describe("the remaining steps of a rebase", () => {
  it("run programs where a line begins with exec or x", () => {
    for (const plan of ["pick a b\n\texec ls\n", "x ls\n", "\n\n  x\tls"]) {
      assert.equal(runsPrograms(plan), true, plan);
    }
    for (const plan of ["", "pick a exec\n", "execute a\n", "# exec ls\n"]) {
      assert.equal(runsPrograms(plan), false, plan);
    }
  });

  it("are read in one pass, however many empty lines there are", () => {
    // For each empty line, an expression that tries all that follow would take hours.
    assert.equal(runsPrograms("\n".repeat(2_000_000)), false);
  });
});
