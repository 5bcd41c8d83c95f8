import assert from "node:assert/strict";
import fc from "fast-check";
import { offsetsOf, windowRange } from "../../../src/webview/transcript/transcriptRows.js";

describe("windowRange", () => {
  it("holds exactly the items that touch the stretch", () => {
    const heights = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 });
    fc.assert(
      fc.property(heights, fc.integer({ min: -500, max: 9_000 }), fc.nat(2_000), (all, top, by) => {
        const offsets = offsetsOf(all);
        const bottom = top + by + 1;
        const { start, end } = windowRange(offsets, top, bottom);
        const touching = all.flatMap((height, index) => {
          const begin = offsets[index]!;
          return begin < bottom && begin + height > top ? [index] : [];
        });
        const range = Array.from({ length: end - start }, (_, offset) => start + offset);
        assert.deepEqual(range, touching);
      }),
    );
  });
});
