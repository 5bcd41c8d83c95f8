import assert from "node:assert/strict";
import { isPdf } from "../../../../src/core/pdf/pdfAsText.js";

describe("isPdf", () => {
  for (const [start, expected] of [
    ["%PDF-1.7\n", true],
    ["\r\n \n%PDF-1.4\n", true],
    ["\xef\xbb\xbf%PDF-2.0\n", true],
    ['if (start === "%PDF-") read();', false],
    ["", false],
  ] as const) {
    it(`takes a file that begins with ${JSON.stringify(start)} for ${expected ? "a PDF" : "none"}`, () => {
      assert.equal(isPdf(Uint8Array.from(start, (one) => one.charCodeAt(0))), expected);
    });
  }
});
