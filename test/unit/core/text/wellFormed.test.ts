import assert from "node:assert/strict";
import fc from "fast-check";
import {
  beginningOf,
  endOf,
  wellFormed,
  wellFormedData,
} from "../../../../src/core/text/wellFormed.js";

const halves = fc.string({ unit: fc.constantFrom("a", "\u{1F600}", "\uD83D", "\uDE00", "é") });

/** Returns whether UTF-8 can have the text. */
const isWhole = (text: string) => Buffer.from(text).toString() === text;

describe("texts that are sent", () => {
  it("have no half of a character, and are otherwise as they were", () => {
    fc.assert(
      fc.property(halves, (text) => {
        const sent = wellFormed(text);
        assert.ok(isWhole(sent));
        assert.equal(sent, Buffer.from(text).toString());
      }),
    );
  });

  it("are cut between characters, at most one unit early", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(30), (text, most) => {
        for (const cut of [beginningOf(text, most), endOf(text, most)]) {
          assert.ok(isWhole(cut));
          assert.ok(cut.length <= most && cut.length >= Math.min(text.length, most) - 1);
        }
        assert.ok(text.startsWith(beginningOf(text, most)) && text.endsWith(endOf(text, most)));
      }),
    );
  });

  it("are well-formed in data, too: in texts, in names, and with numbers that every reader has", () => {
    const given = JSON.parse(
      '{"\\ud83d":["\\ude00",1e999,-1e999,{"a":"\\ud83d\\ude00"}],"n":1.5}',
    ) as unknown;
    assert.deepEqual(wellFormedData(given), {
      "\uFFFD": ["\uFFFD", null, null, { a: "\u{1F600}" }],
      n: 1.5,
    });
  });
});
