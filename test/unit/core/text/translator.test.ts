import assert from "node:assert/strict";
import { english, translator } from "../../../../src/core/text/translator.js";

const files = "{0, plural, one {# file} other {# files}} in {1}";

describe("translator", () => {
  it("fills placeholders by place and by name, and leaves those without a value", () => {
    assert.equal(english("{1} of {0}", 3, "two"), "two of 3");
    assert.equal(english("{name}: {why}", { name: "a.js" }), "a.js: {why}");
    assert.equal(english("{0}", "{0} {1}"), "{0} {1}");
    assert.equal(english("{toString} {length}", { name: "a" }), "{toString} {length}");
  });

  it("takes the form of a plural that belongs to the number, and writes numbers as the language does", () => {
    assert.equal(english(files, 1, "src"), "1 file in src");
    assert.equal(english(files, 0, "src"), "0 files in src");
    assert.equal(english("{0, number} tokens", 12_345), "12,345 tokens");
    const german = translator("de", {
      [files]: "{0, plural, one {# Datei} other {# Dateien}} in {1}",
      "{0, number} tokens": "{0, number} Token",
    });
    assert.equal(german(files, 1, "src"), "1 Datei in src");
    assert.equal(german(files, 1200, "src"), "1.200 Dateien in src");
    assert.equal(german("{0, number} tokens", 12_345), "12.345 Token");
    const japanese = translator("ja", { [files]: "{1} の {0, plural, other {# 個のファイル}}" });
    assert.equal(japanese(files, 1, "src"), "src の 1 個のファイル");
    const chinese = translator("zh-cn", { [files]: "{1} 中的 {0, plural, other {# 个文件}}" });
    assert.equal(chinese(files, 2, "src"), "src 中的 2 个文件");
  });

  it("leaves in English, with its numbers, what is not translated", () => {
    const german = translator("de", {});
    assert.equal(german(files, 1200, "src"), "1,200 files in src");
    assert.equal(german("constructor"), "constructor");
  });
});
