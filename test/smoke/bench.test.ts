import assert from "node:assert/strict";
import { endBench, quickRows } from "../fakes/benchSections.js";

describe("the bench, in a window of VS Code", () => {
  after(endBench);

  for (const name of ["activation", "panel"]) {
    it(`measures ${name} in its quickest form`, async () => {
      const rows = await quickRows(name);
      assert.deepEqual(
        rows.flatMap(({ lacks }) => lacks ?? []),
        [],
      );
    });
  }
});
