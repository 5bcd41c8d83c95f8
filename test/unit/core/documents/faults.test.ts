import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parseDocument } from "yaml";
import { faultOffset, jsonFault } from "../../../../src/core/documents/jsonFault.js";
import { yamlFault } from "../../../../src/core/documents/yamlFault.js";
import { type Messages, translator } from "../../../../src/core/text/translator.js";
import { spoken } from "../../../../src/core/text/words.js";

const german = translator(
  "de",
  JSON.parse(readFileSync("l10n/bundle.l10n.de.json", "utf8")) as Messages,
);

describe("where a text is no JSON", () => {
  for (const [text, english, inGerman] of [
    ["[1,\n  x]", "line 2, column 3", "Zeile 2, Spalte 3"],
    ['{"a": 1,}', "column 9", "Spalte 9"],
    ["{'a': 1}", "column 2", "Spalte 2"],
    ["Sure!", "column 1", "Spalte 1"],
    [" \tSure!", "column 3", "Spalte 3"],
    ["  ", "its end is missing", "das Ende fehlt"],
    ['"a\nb"', "line 1, column 3", "Zeile 1, Spalte 3"],
    ['"\\q"', "column 3", "Spalte 3"],
    ["{}\n{}", "line 2, column 1", "Zeile 2, Spalte 1"],
    ["[tru]", "column 5", "Spalte 5"],
    ['{"a": [1', "its end is missing", "das Ende fehlt"],
    ['{"a', "its end is missing", "das Ende fehlt"],
    ["", "its end is missing", "das Ende fehlt"],
  ] as const) {
    it(`is said in the reader's language, as in ${JSON.stringify(text)}`, () => {
      assert.equal(spoken(jsonFault(text)), english);
      assert.equal(spoken(jsonFault(text), german), inGerman);
    });
  }

  it("is the first character that cannot follow what is before it", () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (json, at) => {
        const place = at % (json.length + 1);
        assert.equal(faultOffset(json.slice(0, place)), undefined);
        // This character stands in JSON nowhere, not even in its texts.
        assert.equal(faultOffset(`${json.slice(0, place)}\u0001${json.slice(place)}`), place);
      }),
    );
  });
});

describe("what is wrong with YAML", () => {
  for (const [text, english, inGerman] of [
    ["a:\n  b: 1\n c: 2", "the indentation does not fit, or", "die Einrückung passt nicht, oder"],
    ["a: [1\n", "or a bracket is not closed", "oder eine Klammer ist nicht geschlossen"],
    ["a:\n\tb: 1", "a tab cannot indent", "ein Tabulator kann nicht einrücken"],
    ["a: 1\na: 2", "a key is there twice", "ein Schlüssel steht zweimal da"],
    ['a: "x', "a quote, bracket, colon, comma or space is missing", "ein Anführungszeichen, "],
    ["a: Use when: x", "a text with a colon needs quotes", "Doppelpunkt braucht Anführungszeichen"],
    ["key:value\nb: 1", "the colon after a key is missing", "der Doppelpunkt nach einem Schlüssel"],
    ["a: @x", "a text that begins with such a character needs quotes", "mit so einem Zeichen"],
    ['a: "C:\\Users"', "a backslash in double quotes", "ein umgekehrter Schrägstrich"],
    ["a: *", "an asterisk stands for a text that has no name", "ein Sternchen verweist auf"],
    ["a: |x\n  y", "this is not understood", "das ist nicht zu verstehen"],
  ] as const) {
    it(`is said in the reader's language, as in ${JSON.stringify(text)}`, () => {
      const [error] = parseDocument(text, { logLevel: "silent" }).errors;
      assert.ok(error !== undefined);
      assert.ok(spoken(yamlFault(error)).includes(english), spoken(yamlFault(error)));
      assert.ok(spoken(yamlFault(error), german).includes(inGerman));
    });
  }
});
