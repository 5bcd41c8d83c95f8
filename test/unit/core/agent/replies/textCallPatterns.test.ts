import assert from "node:assert/strict";
import { analyse } from "scslre";
import { styles } from "../../../../../src/core/agent/replies/textCalls/styles.js";

/** Returns whether a pattern's time may grow faster than the text. */
function isSlow({ source, flags }: RegExp): boolean {
  return analyse({ source, flags }).reports.length > 0;
}

// They are put together at run time, so that `npm run check` does not see them.
describe("the patterns that find calls in a model's text", () => {
  it("take no longer than in proportion to the text", () => {
    const slow = styles
      .flatMap(({ begin, forms, around = /(?:)/ }) => [
        begin,
        new RegExp(`(?:\\s|${around.source})*`, `${around.flags}y`),
        ...forms.flatMap(({ open, close = open }) => [open, close]),
      ])
      .filter(isSlow);
    assert.deepEqual(slow, []);
  });

  it("are told from slow ones", () => {
    assert.ok(isSlow(/a+b/));
    assert.ok(isSlow(/^a*a*$/));
    assert.ok(!isSlow(/a+b/y));
  });

  it("search for nothing where a call has to begin at a place", () => {
    for (const { forms } of styles) {
      for (const { open, close = open } of forms)
        assert.ok(open.sticky && close.sticky, open.source);
    }
  });
});
