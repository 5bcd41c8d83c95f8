import assert from "node:assert/strict";
import { readableWriting } from "../../../../src/core/text/readableWriting.js";

describe("the words of models, files and servers, as they are shown", () => {
  it("keep what emoji and scripts are written with", () => {
    for (const text of [
      "plain text, ümläuts and 中文 한국어 עברית العربية\n\ttabs",
      "👨‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 ❤️ ☺︎ 1️⃣ #️⃣ ⚠️",
      "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿 🇩🇪",
      "می‌خواهم کتاب‌ها را",
      "क्‍ष र्‍य නේ ශ්‍රී",
      "ภาษา\u200bไทย",
      "葛\u{E0100}城 ᠠ\u180B",
      "e\u0301 a\u0308",
      "Privé\u00A0use \uE0B0",
    ]) {
      assert.equal(readableWriting(text), text);
    }
  });

  it("show what hides", () => {
    for (const [text, shown] of [
      ["pay\u200Bpal", "pay⟨U+200B⟩pal"],
      ["a\u200Cb\u200Dc", "a⟨U+200C⟩b⟨U+200D⟩c"],
      ["\u200Dx 👍\u200D", "⟨U+200D⟩x 👍⟨U+200D⟩"],
      ["می\u200C\u200Cخ", "می⟨U+200C⟩⟨U+200C⟩خ"],
      ["\u202Etxt.exe\u2066", "⟨U+202E⟩txt.exe⟨U+2066⟩"],
      ["a\u200E\u200F\u061C", "a⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"],
      ["a\u2028b\u2029", "a⟨U+2028⟩b⟨U+2029⟩"],
      ["\uFEFFa\u2060b\u00ADc", "⟨U+FEFF⟩a⟨U+2060⟩bc"],
      ["a\u{E0068}\u{E0069}", "a⟨U+E0068⟩⟨U+E0069⟩"],
      ["🏴\u{E0068}\u{E0069}\u{E007F}", "🏴⟨U+E0068⟩⟨U+E0069⟩⟨U+E007F⟩"],
      ["🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0061}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿⟨U+E0061⟩"],
      ["a\uFE0Fb\u{E0101}", "a⟨U+FE0F⟩b⟨U+E0101⟩"],
      ["❤\uFE0F\uFE0F", "❤\uFE0F⟨U+FE0F⟩"],
      ["\u3164\u115F\u180E", "⟨U+3164⟩⟨U+115F⟩⟨U+180E⟩"],
    ] as const) {
      assert.equal(readableWriting(text), shown);
    }
  });
});
