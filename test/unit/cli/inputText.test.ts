import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { inputText } from "../../../src/cli/commands/inputText.js";

describe("what the command line reads from standard input", () => {
  it("is all of it, trimmed", async () => {
    const input = Readable.from([Buffer.from(" Mend "), Buffer.from("it\n")]);
    assert.equal(await inputText(input), "Mend it");
  });

  it("ends where no request is that long, though the input goes on", async () => {
    let given = 0;
    const endless = new Readable({
      read() {
        given += 100_000;
        this.push(Buffer.alloc(100_000, "x"));
      },
    });
    const text = await inputText(endless);
    assert.ok(text.length > 1_000_000 && text.length < 3_000_000, `${text.length}`);
    assert.ok(given < 5_000_000, `${given}`);
  });
});
