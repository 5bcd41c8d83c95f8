import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { shellWord } from "../../../../src/core/text/shellWord.js";

describe("words of a command", () => {
  it("are quoted where a shell would read them otherwise", () => {
    assert.deepEqual(
      ["trip", "a b", "it's", "…"].map((word) => shellWord(word, false)),
      ["trip", "'a b'", "'it'\\''s'", '"…"'],
    );
    assert.deepEqual(
      ["a b", 'say "hi"'].map((word) => shellWord(word, true)),
      ['"a b"', '"say \\"hi\\""'],
    );
  });

  it("reach the program as they are", () => {
    for (const word of ["$(id)", "`id`", "'; id; '", "a\nb", "*", "~", "", "\\", '"', "#x", "!!"]) {
      const printed = execFileSync("sh", ["-c", `printf %s ${shellWord(word, false)}`]);
      assert.equal(printed.toString(), word);
    }
  });
});
