import assert from "node:assert/strict";
import { StreamingCallFilter } from "../../../../../src/core/agent/replies/streamingCallFilter.js";

describe("streamed text that may hold a call", () => {
  const shown = (...pieces: string[]) => {
    const filter = new StreamingCallFilter(["read_file"]);
    return pieces.map((piece) => filter.add(piece));
  };

  it("is held back while its last line may begin a call, and no longer", () => {
    assert.deepEqual(shown("Look:\n<read", "_file>"), ["Look:\n", ""]);
    assert.deepEqual(shown("Look:\n<b", ">bold</b>\n"), ["Look:\n", "<b>bold</b>\n"]);
    const long = `<section class="${"wide ".repeat(10)}`;
    assert.deepEqual(shown("Look:\n", long), ["Look:\n", long]);
  });

  it("is not held back for blanks without end", () => {
    assert.deepEqual(shown(" ".repeat(900), " ".repeat(200)), ["", " ".repeat(1100)]);
  });
});
