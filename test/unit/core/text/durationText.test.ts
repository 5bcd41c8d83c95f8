import assert from "node:assert/strict";
import fc from "fast-check";
import { durationText, readDuration } from "../../../../src/core/text/durationText.js";

describe("durations", () => {
  it("are read as they are written, to the second below an hour and to the minute above", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400_000_000_000 }), (ms) => {
        const read = readDuration(durationText(ms));
        assert.ok(read !== undefined);
        assert.equal(durationText(read), durationText(ms));
        assert.ok(Math.abs(read - ms) <= (ms < 3_599_500 ? 500 : 60_000));
      }),
    );
    assert.deepEqual(
      ["45 s", "3 min 20 s", "2 h 5 min", "1,204 h 0 min"].map(readDuration),
      [45_000, 200_000, 7_500_000, 4_334_400_000],
    );
  });

  it("are not read from anything else", () => {
    for (const text of [
      "",
      "45",
      "s",
      "-3 s",
      "3 min",
      "20 s 3 min",
      "2 h",
      "100 s",
      "1 h 5 min 3 s",
    ]) {
      assert.equal(readDuration(text), undefined, text);
    }
  });
});
