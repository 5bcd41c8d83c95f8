import assert from "node:assert/strict";
import fc from "fast-check";
import { unseenCharacters } from "../../../src/webview/text/visibleText.js";

const shown = (text: string): string =>
  unseenCharacters(text)
    .map((piece) => (piece.unseen ? `<${piece.text}>` : piece.text))
    .join("");

describe("unseenCharacters", () => {
  it("names what cannot be seen", () => {
    assert.equal(shown("rm\u200b -rf\u202e x"), "rm<U+200B> -rf<U+202E> x");
    assert.equal(shown("a\u001b[2Kb\rc"), "a<U+001B>[2Kb<U+000D>c");
    assert.equal(shown("a\u00a0b\u3164c\u2800"), "a<U+00A0>b<U+3164>c<U+2800>");
    assert.equal(shown("tag\u{e0041}"), "tag<U+E0041>");
    assert.equal(shown("\ud800"), "<U+D800>");
  });

  it("leaves alone what people write", () => {
    const text = 'echo "Grüße, 世界, हिन्दी, שלום 🎉"\n\tdone';
    assert.equal(shown(text), text);
  });

  it("loses nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const back = unseenCharacters(text).map((piece) =>
          piece.unseen ? String.fromCodePoint(parseInt(piece.text.slice(2), 16)) : piece.text,
        );
        assert.equal(back.join(""), text);
      }),
    );
  });
});
