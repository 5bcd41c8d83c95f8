import assert from "node:assert/strict";
import fc from "fast-check";
import { TextLines } from "../../../../src/core/documents/textLines.js";

const part = fc.constantFrom("a", "b ", "\n", "\r", "\r\n", "\uFEFF", "\u2028", "文");
const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));

describe("the rows of a text", () => {
  it("[R-JIXO-32] end with LF, CRLF or CR, and are written back with every byte", () => {
    fc.assert(
      fc.property(text, (given) => {
        const lines = new TextLines(given);
        const rows = given.replace(/^\uFEFF/, "").split(/\r\n?|\n/);
        if (rows.at(-1) === "" && !/^\uFEFF$/.test(given)) rows.pop();
        const read = Array.from({ length: lines.count }, (_, row) => lines.row(row));
        assert.deepEqual(read, rows);
        const isMixed = given.includes("\n") && /\r(?!\n)/.test(given);
        const [first = "\n"] = /\r\n?|\n/.exec(given) ?? [];
        assert.equal(lines.lineEnd, isMixed ? "\r\n" : first);
        const whole = read.map((_, row) => given.slice(lines.offset(row), lines.offset(row + 1)));
        assert.equal(whole.join(""), given);
      }),
      { numRuns: 3_000 },
    );
  });
});
