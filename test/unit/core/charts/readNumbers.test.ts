import assert from "node:assert/strict";
import fc from "fast-check";
import { readNumbers } from "../../../../src/core/charts/readCells.js";

describe("readNumbers", () => {
  const read = (...texts: (string | number | null)[]) => readNumbers(texts, "c");

  it("reads what programs and people write", () => {
    assert.deepEqual(read("1", "-2.5", "1e3", ".5", 7), [1, -2.5, 1000, 0.5, 7]);
    assert.deepEqual(read("€ 1,200.50", "12 %", "$3", "-$4", "**5.5**"), [1200.5, 12, 3, -4, 5.5]);
    assert.deepEqual(read("1.234,5", "2", "\u22123"), [1234.5, 2, -3]);
    assert.deepEqual(read("1 234 567,8", "1'000"), [1234567.8, 1000]);
    assert.deepEqual(read("1.234", "2.5"), [1.234, 2.5]);
    assert.deepEqual(read("1.234", "2,5"), [1234, 2.5]);
    assert.deepEqual(read("1,234", "2.5"), [1234, 2.5]);
  });

  it("has none where a cell says nothing", () => {
    const none = ["", " ", "-", "–", "n/a", "NA", "null", "NaN", null];
    assert.deepEqual(
      read(...none),
      none.map(() => undefined),
    );
  });

  it("says which row is no number", () => {
    assert.throws(() => read("1", "twelve"), {
      code: "notQuantitative",
      params: { column: '"c"', cell: 'row 2 has "twelve"' },
    });
    assert.throws(() => read("12 kg"), {
      code: "notQuantitative",
      params: { column: '"c"', cell: 'row 1 has "12 kg"' },
    });
  });

  it("guesses nothing that changes a number a thousandfold", () => {
    assert.throws(() => read("1,234", "5"), {
      code: "numbersAmbiguous",
      params: { column: '"c"', cell: 'row 1 has "1,234"' },
    });
    assert.throws(() => read("1.5", "2,5"), {
      code: "numbersAmbiguous",
      params: { column: '"c"', cell: 'row 2 has "2,5"' },
    });
    assert.deepEqual(readNumbers(["1,234"], "c", ","), [1.234]);
    assert.deepEqual(readNumbers(["1,234"], "c", "."), [1234]);
    assert.throws(() => readNumbers(["1,23"], "c", "."), {
      code: "notANumber",
      params: { column: '"c"', cell: 'row 1 has "1,23"', sign: "." },
    });
  });

  it("reads what any language's format wrote", () => {
    const numbers = fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(numbers, fc.constantFrom("en", "de", "fr", "de-CH"), (values, language) => {
        const format = new Intl.NumberFormat(language, {
          minimumFractionDigits: 2,
          maximumFractionDigits: 2,
        });
        const decimal = format.formatToParts(0.5).find(({ type }) => type === "decimal")?.value;
        const texts = values.map((value) => format.format(value));
        const back = readNumbers(texts, "c", decimal === "," ? "," : ".");
        assert.deepEqual(
          back.map((value) => value?.toFixed(2)),
          values.map((value) => (Math.abs(value) < 0.005 ? (0).toFixed(2) : value.toFixed(2))),
        );
      }),
    );
  });

  it("throws nothing but words for whatever a cell says", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.double(), fc.constant(null))), (cells) => {
        try {
          assert.equal(readNumbers(cells, "c").length, cells.length);
        } catch (error) {
          assert.equal((error as Error).name, "UserError");
        }
      }),
    );
  });
});
