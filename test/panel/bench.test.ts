import assert from "node:assert/strict";
import { endBench, quickRows } from "../fakes/benchSections.js";

describe("the bench, of what is built", () => {
  after(endBench);

  for (const name of ["conversation", "sizes"]) {
    it(`measures ${name} in its quickest form`, async () => {
      const rows = await quickRows(name);
      assert.deepEqual(
        rows.flatMap(({ lacks }) => lacks ?? []),
        [],
      );
    });
  }
});
